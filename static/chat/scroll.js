/**
 * Keeps the end of the conversation in view while somebody is there, and only then.
 */

const NEAR = 80;

export class Scroll {
  /** @param {HTMLElement} log @param {HTMLElement} toLatest the button that leads to the end */
  constructor(log, toLatest) {
    this.log = log;
    this.toLatest = toLatest;
    this.following = true;
    this.height = 0;
    log.addEventListener("scroll", () => this.#looked(), { passive: true });
    toLatest.addEventListener("click", () => this.toEnd());
    new ResizeObserver(() => this.settle()).observe(log);
  }

  /** After something was added: go along, or offer the way. */
  settle() {
    if (this.following) this.log.scrollTop = this.log.scrollHeight;
    else this.#offer();
  }

  toEnd() {
    this.following = true;
    this.settle();
    this.toLatest.hidden = true;
  }

  /** Somebody looked elsewhere, or came back; growth alone is neither. */
  #looked() {
    const { scrollHeight, scrollTop, clientHeight } = this.log;
    const grown = scrollHeight !== this.height;
    this.height = scrollHeight;
    const near = scrollHeight - scrollTop - clientHeight <= NEAR;
    if (near || !grown || !this.following) this.following = near;
    this.#offer();
  }

  #offer() {
    const { scrollHeight, scrollTop, clientHeight } = this.log;
    this.toLatest.hidden = this.following || scrollHeight - scrollTop - clientHeight <= NEAR;
  }
}
