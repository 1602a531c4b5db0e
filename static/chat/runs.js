/**
 * How far each run has been read: events come once and in order, and a hole is noticed.
 *
 * Numbers rise by one inside an epoch; a new epoch begins at its first number.
 */

const EPOCH = 10_000_000;

export class Runs {
  constructor() {
    /** @type {Map<string, {last: number, hole: number, over: boolean}>} */
    this.runs = new Map();
  }

  /** @param {string} runId @returns {number} the cursor to resume from */
  last(runId) {
    return this.runs.get(runId)?.last ?? 0;
  }

  /** @param {string} runId */
  knows(runId) {
    return this.runs.has(runId);
  }

  /**
   * Take an event: "fresh" is to be shown, "seen" was, "hole" wants a resume from `last`.
   * Events beyond a hole are "seen": they come again. A hole that is still there after the resume
   * is one that the server cannot fill.
   * @param {string} runId @param {number} seq @returns {"fresh" | "seen" | "hole"}
   */
  take(runId, seq) {
    const run = this.#run(runId);
    if (seq <= run.last) return "seen";
    if (!follows(run.last, seq) && seq !== run.hole) {
      if (run.hole) return "seen";
      run.hole = seq;
      return "hole";
    }
    run.last = seq;
    if (seq >= run.hole) run.hole = 0;
    return "fresh";
  }

  /** A new connection: whatever was asked for on the old one will not come. */
  reconnected() {
    for (const run of this.runs.values()) run.hole = 0;
  }

  /** @param {string} runId */
  end(runId) {
    this.#run(runId).over = true;
  }

  /** Runs that were seen to begin, but not to end. */
  open() {
    return [...this.runs].filter(([, run]) => !run.over && run.last).map(([runId]) => runId);
  }

  /** @param {string} runId */
  #run(runId) {
    let run = this.runs.get(runId);
    if (!run) this.runs.set(runId, (run = { last: 0, hole: 0, over: false }));
    return run;
  }
}

/** @param {number} last @param {number} seq */
function follows(last, seq) {
  if (seq === last + 1) return true;
  return seq % EPOCH === 1 && Math.floor(seq / EPOCH) > Math.floor(last / EPOCH);
}
