/**
 * Frames of the socket as they arrive. A delta names its run only once: later ones are known by
 * their message.
 *
 * @typedef {{event: string, data: any, seq: number | null, runId: string, ref: string,
 *   retryAfter: number | null}} Frame
 */

export class FrameReader {
  constructor() {
    /** @type {Map<number, string>} */
    this.runs = new Map();
    this.lastRun = "";
  }

  /** @param {string} text @returns {Frame} */
  read(text) {
    const frame = JSON.parse(text);
    const { event, data = {}, seq = null, runId = "", ref = "", retryAfter = null } = frame;
    const run = runId || (data && data.runId) || this.runs.get(data?.messageId) || this.lastRun;
    if (seq === null) return { event, data, seq, runId, ref, retryAfter };
    this.lastRun = run;
    if (data?.messageId !== undefined) this.runs.set(data.messageId, run);
    return { event, data, seq, runId: run, ref, retryAfter };
  }
}
