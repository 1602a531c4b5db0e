/**
 * How the conversation stands: which run is open, what is being sent. Everything that is enabled or
 * not is derived from here.
 */

export class Standing {
  /** @param {() => void} onChange */
  constructor(onChange) {
    this.onChange = onChange;
    /** @type {string | null} the open run */
    this.active = null;
    this.sending = false;
    /** @type {string | null} the run that was asked to stop, "" for the one that is being sent */
    this.stopping = null;
    this.isHeard = true;
  }

  /** Whether the server can hear us. @param {boolean} isHeard */
  hear(isHeard) {
    if (isHeard === this.isHeard) return;
    this.isHeard = isHeard;
    this.onChange();
  }

  /** It was asked to stop, and that has reached somebody. */
  get isStopping() {
    return this.stopping !== null && this.isHeard;
  }

  get busy() {
    return this.active !== null || this.sending;
  }

  /** The server's word: this run is open, or none. @param {string | null} runId */
  set(runId) {
    this.active = runId;
    if (runId === null || (this.stopping && this.stopping !== runId)) this.stopping = null;
    this.onChange();
  }

  /** @param {string} runId */
  ended(runId) {
    if (this.active === runId) this.set(null);
  }

  /** @param {boolean} sending */
  send(sending) {
    this.sending = sending;
    if (!this.busy) this.stopping = null;
    this.onChange();
  }

  /** Somebody wants no more of it. @returns {string | null} the run to stop, if it is known */
  stop() {
    if (!this.busy) return null;
    this.stopping = this.active ?? "";
    this.onChange();
    return this.active;
  }
}
