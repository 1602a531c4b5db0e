/**
 * When to tell the server how far we have read: after every 64 frames or 64 KiB of a run.
 */

const FRAMES = 64;
const BYTES = 64 * 1024;

export class Acks {
  constructor() {
    /** @type {Map<string, {frames: number, bytes: number}>} */
    this.unsaid = new Map();
  }

  /**
   * Count one frame that has been dealt with.
   * @param {string} runId @param {number} seq @param {number} bytes
   * @returns {{action: "ack", runId: string, seq: number} | null} what to send now
   */
  count(runId, seq, bytes) {
    const run = this.unsaid.get(runId) ?? { frames: 0, bytes: 0 };
    run.frames += 1;
    run.bytes += bytes;
    if (run.frames < FRAMES && run.bytes < BYTES) {
      this.unsaid.set(runId, run);
      return null;
    }
    this.unsaid.delete(runId);
    return { action: "ack", runId, seq };
  }
}

const encoder = new TextEncoder();

/** @param {string} text @returns {number} its length on the wire */
export function bytesOf(text) {
  return encoder.encode(text).length;
}
