/**
 * The socket of one conversation: opened again whenever it closes, until the server says why not.
 *
 * States: `connecting`, `online`, `offline` (the last attempt failed, another one is planned).
 */

import { delayOf } from "./backoff.js";

const FINAL = new Set([4401, 4403, 4404]);

export class Connection {
  /**
   * @param {{url: string, onText: (text: string) => void, onState: (state: string) => void,
   *   onRefused: (code: number) => void, probe: () => Promise<number>}} options
   *   `probe` asks over HTTP why a handshake failed: a final code, or 0
   */
  constructor({ url, onText, onState, onRefused, probe }) {
    Object.assign(this, { url, onText, onState, onRefused, probe });
    this.attempt = 0;
    this.timer = 0;
    this.ended = false;
    this.doubt = 0;
    /** @type {WebSocket | null} */
    this.socket = null;
    addEventListener("online", () => this.#soon());
    addEventListener("offline", () => this.#cut());
    document.addEventListener("visibilitychange", () => document.hidden || this.#soon());
    addEventListener("pageshow", ({ persisted }) => persisted && this.#soon());
  }

  start() {
    clearTimeout(this.timer);
    clearTimeout(this.doubt);
    this.onState(this.attempt ? "offline" : "connecting");
    const address = new URL(this.url, location.href);
    address.protocol = location.protocol === "https:" ? "wss:" : "ws:";
    const socket = new WebSocket(address);
    this.socket = socket;
    let opened = false;
    socket.onopen = () => (opened = true);
    socket.onmessage = ({ data }) => {
      clearTimeout(this.doubt);
      if (this.socket === socket) this.onText(data);
    };
    socket.onclose = ({ code }) => this.socket === socket && this.#closed(code, opened);
  }

  /** The server has said hello. */
  greeted() {
    this.attempt = 0;
    this.onState("online");
  }

  /** @param {object} message @returns {boolean} whether it could be handed on */
  send(message) {
    if (this.socket?.readyState !== WebSocket.OPEN) return false;
    this.socket.send(JSON.stringify(message));
    return true;
  }

  /** A socket that brings nothing within this time is given up for another. @param {number} time */
  expectWord(time) {
    clearTimeout(this.doubt);
    this.doubt = setTimeout(() => this.#cut(), time);
  }

  /** For good. */
  end() {
    this.ended = true;
    clearTimeout(this.timer);
    const socket = this.socket;
    this.socket = null;
    socket?.close();
  }

  async #closed(code, opened) {
    this.socket = null;
    const reason = FINAL.has(code) || opened ? code : await this.probe();
    if (this.ended || this.socket) return;
    if (FINAL.has(reason)) {
      this.ended = true;
      this.onRefused(reason);
      return;
    }
    const wait = delayOf(this.attempt);
    this.attempt += 1;
    this.onState("offline");
    clearTimeout(this.timer);
    this.timer = setTimeout(() => this.start(), wait);
  }

  /** The network is back, or somebody looks: do not wait any longer. */
  #soon() {
    if (this.ended || this.socket || !this.timer) return;
    this.start();
  }

  /** The browser knows that the network is gone before the socket does. */
  #cut() {
    if (this.ended || !this.socket) return;
    const socket = this.socket;
    this.socket = null;
    socket.close();
    this.#closed(1006, true);
  }
}
