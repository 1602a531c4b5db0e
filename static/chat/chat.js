/**
 * One conversation over its socket: takes frames, keeps the page at the server's state, sends what
 * people ask for, once.
 */

import { Acks, bytesOf } from "./acks.js";
import { Connection } from "./connection.js";
import { FrameReader } from "./frames.js";
import { Runs } from "./runs.js";

/** So many missed runs are fetched one by one; after more the page is loaded anew. */
const MISSED = 6;
/** A server that says nothing for so long after it was told to stop is no longer there. */
const PATIENCE = 8_000;

/**
 * @typedef {{log: import("./log.js").Log, api: import("./api.js").Api,
 *   outbox: import("./outbox.js").Outbox, standing: import("./standing.js").Standing,
 *   onState: (state: string) => void, onLost: (code: number) => void,
 *   onRefused: (item: any, problem: any) => void, onAccepted: (item: any) => void,
 *   onWithdrawn: (item: any) => void,
 *   onEvent: (name: string, data: any, runId: string) => void}} Means
 */

export class Chat {
  /** @param {string} id @param {string} socket its address @param {Means} means */
  constructor(id, socket, means) {
    Object.assign(this, { id, means });
    this.frames = new FrameReader();
    this.runs = new Runs();
    /** @type {Set<string>} runs that were over before this page saw them */
    this.past = new Set();
    this.acks = new Acks();
    this.greeted = false;
    /** @type {Set<string>} request ids that no connection has carried yet */
    this.held = new Set();
    means.outbox.open(id);
    this.connection = new Connection({
      url: socket,
      onText: (text) => this.#read(text),
      onState: (state) => {
        if (state !== "online") this.greeted = false;
        means.onState(state);
      },
      onRefused: means.onLost,
      probe: () => this.#probe(),
    });
    this.connection.start();
  }

  /** @param {import("./outbox.js").Item} item goes now, or with the next connection */
  send(item) {
    this.means.outbox.add(item);
    this.held.add(item.clientRequestId);
    if (this.greeted) this.#hand(item);
  }

  /** Ends the run, or takes back what never left. */
  stop() {
    const { outbox, standing, onWithdrawn } = this.means;
    const items = [...this.held].flatMap((id) => outbox.settle(id) ?? []);
    this.held.clear();
    if (items.length) standing.send(outbox.waiting.length > 0);
    items.forEach(onWithdrawn);
    const runId = standing.stop();
    if (!runId) return;
    this.connection.send({ action: "stop", runId });
    this.connection.expectWord(PATIENCE);
  }

  #hand(item) {
    const left = this.connection.send({ ...item, ref: item.clientRequestId });
    if (left) this.held.delete(item.clientRequestId);
  }

  #read(text) {
    const frame = this.frames.read(text);
    if (frame.event === "hello") return this.#hello(frame.data);
    if (frame.event === "refused") return this.#refused(frame);
    if (frame.seq === null) return undefined;
    this.#event(frame);
    const ack = this.acks.count(frame.runId, frame.seq, bytesOf(text));
    if (ack) this.connection.send(ack);
    return undefined;
  }

  #hello({ activeRun }) {
    const { log, outbox, standing } = this.means;
    this.acks = new Acks();
    this.greeted = true;
    this.runs.reconnected();
    this.connection.greeted();
    standing.set(activeRun?.runId ?? null);
    const open = new Set([...this.runs.open(), ...log.pendingRuns]);
    for (const runId of open) {
      if (runId !== activeRun?.runId && !this.runs.knows(runId)) this.past.add(runId);
    }
    if (activeRun) open.add(activeRun.runId);
    for (const runId of open) this.#resume(runId);
    const unstopped = standing.stopping;
    if (unstopped) this.connection.send({ action: "stop", runId: unstopped });
    for (const item of outbox.waiting) this.#hand(item);
    this.#catchUp();
  }

  /** Runs that began and ended while nobody listened. */
  async #catchUp() {
    const page = await this.means.api.messages(this.id, this.means.log.newest).catch(() => null);
    const missed = (page?.results ?? []).filter(
      ({ role, runId, metadata }) =>
        role === "assistant" && runId && !metadata.supersededBy && !this.runs.knows(runId),
    );
    if (missed.length > MISSED || page?.next) return location.reload();
    for (const { runId, status } of missed) {
      if (status !== "pending") this.past.add(runId);
      this.#resume(runId);
    }
    return undefined;
  }

  #resume(runId) {
    this.connection.send({ action: "resume", runId, after: this.runs.last(runId) });
  }

  #event({ event, data, seq, runId }) {
    const taken = this.runs.take(runId, seq);
    if (taken === "hole") this.#resume(runId);
    if (taken === "fresh") this.#fresh(event, data, runId);
    if (event === "message.created") this.#accepted(data);
  }

  #fresh(event, data, runId) {
    this.means.log.apply(runId, event, data);
    this.#stand(event, data, runId);
    if (!this.past.has(runId)) this.means.onEvent(event, data, runId);
  }

  #stand(event, data, runId) {
    const { standing } = this.means;
    if (event === "message.created" && !this.past.has(runId)) {
      const wanted = standing.stopping === "";
      standing.set(runId);
      if (wanted) this.stop();
    }
    if (event !== "run.completed" || data.status === "interrupted") return;
    this.runs.end(runId);
    standing.ended(runId);
  }

  /** The server has what was sent, also when it says so for the second time. */
  #accepted({ metadata }) {
    const { outbox, standing } = this.means;
    const item = outbox.settle(metadata?.clientRequestId ?? "");
    if (!item) return;
    standing.send(outbox.waiting.length > 0);
    this.means.onAccepted(item);
  }

  #refused({ ref, data, retryAfter }) {
    const { outbox, standing } = this.means;
    const item = outbox.settle(ref);
    standing.send(outbox.waiting.length > 0);
    if (item || data.status !== 404) this.means.onRefused(item, { ...data, retry_after: retryAfter });
  }

  /** Why the socket could not be opened, asked over HTTP: a code, or 0 for nothing in particular. */
  async #probe() {
    try {
      await this.means.api.read(this.id);
      return 0;
    } catch (error) {
      return { 401: 4401, 403: 4403, 404: 4404 }[error.status] ?? 0;
    }
  }
}
