/**
 * When to paint: in a frame of the browser, at most every 60 ms, and never more than about a tenth
 * of the time.
 */

const PAUSE = 60;
const SHARE = 10;

export class Brush {
  /** @param {() => void} [afterwards] runs at the end of every stroke, its cost counted */
  constructor(afterwards = () => {}) {
    this.afterwards = afterwards;
    /** @type {Set<() => void>} */
    this.jobs = new Set();
    this.due = 0;
    this.planned = false;
  }

  /** Paint this soon; the same job waits only once. @param {() => void} job */
  plan(job) {
    this.jobs.add(job);
    if (this.planned) return;
    this.planned = true;
    const wait = Math.max(0, this.due - performance.now());
    setTimeout(() => requestAnimationFrame(() => this.#stroke()), wait);
  }

  /** It was painted by other means. @param {() => void} job */
  forget(job) {
    this.jobs.delete(job);
  }

  #stroke() {
    const began = performance.now();
    this.planned = false;
    const jobs = [...this.jobs];
    this.jobs.clear();
    for (const job of jobs) job();
    if (jobs.length) this.afterwards();
    this.due = began + Math.max(PAUSE, (performance.now() - began) * SHARE);
  }
}
