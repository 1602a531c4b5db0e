/**
 * What was sent and not yet answered for. An item keeps its request id, so that sending it again
 * (a new connection, a reload) never makes a second run.
 *
 * @typedef {{action: string, clientRequestId: string, [key: string]: any}} Item
 */

const KEY = "steward.outbox.";
const STILL_MEANT = 10 * 60 * 1000;

export class Outbox {
  /** @param {Storage | null} store @param {() => number} [now] */
  constructor(store, now = Date.now) {
    this.store = store;
    this.now = now;
    this.place = "";
    /** @type {Map<string, Item>} */
    this.items = new Map();
  }

  /** Whose items these are; takes up what an earlier page of it left. @param {string} conversationId */
  open(conversationId) {
    this.place = KEY + conversationId;
    for (const { at, item } of this.#read()) {
      if (this.now() - at < STILL_MEANT) this.items.set(item.clientRequestId, item);
    }
    this.#write();
  }

  /** @param {Item} item */
  add(item) {
    this.items.set(item.clientRequestId, item);
    this.#write();
  }

  /** The server has it, or has refused it. @param {string} clientRequestId @returns {Item | null} */
  settle(clientRequestId) {
    const item = this.items.get(clientRequestId) ?? null;
    if (item && this.items.delete(clientRequestId)) this.#write();
    return item;
  }

  get waiting() {
    return [...this.items.values()];
  }

  #read() {
    try {
      return JSON.parse(this.store?.getItem(this.place) ?? "[]");
    } catch {
      return [];
    }
  }

  #write() {
    if (!this.place) return;
    try {
      const at = this.now();
      const rows = this.waiting.map((item) => ({ at, item }));
      if (rows.length) this.store?.setItem(this.place, JSON.stringify(rows));
      else this.store?.removeItem(this.place);
    } catch {
      // A full store: it is kept in memory.
    }
  }
}
