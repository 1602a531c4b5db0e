/**
 * Keeps the end of the conversation in view while somebody is there, and only then. A form that
 * waits at the end is read from its head: where it is taller than the view, its head is the end.
 */

const NEAR = 80;
const GAP = 12;
const WAITING = ":scope > article:last-of-type .form-card[data-state=pending]";

export class Scroll {
  /** @param {HTMLElement} log @param {HTMLElement} toLatest the button that leads to the end */
  constructor(log, toLatest) {
    this.log = log;
    this.toLatest = toLatest;
    this.following = true;
    this.height = 0;
    log.addEventListener("scroll", () => this.#looked(), { passive: true });
    toLatest.addEventListener("click", () => this.toEnd());
    log.addEventListener("toggle", ({ target }) => this.#opened(target), { capture: true });
    new ResizeObserver(() => this.settle()).observe(log);
  }

  /** After something was added: go along, or offer the way. */
  settle() {
    if (!this.following) this.#offer();
    else if (this.log.scrollTop < this.#end) this.log.scrollTop = this.#end;
  }

  /** Somebody asks for it: all the way, past the head of a form. */
  toEnd() {
    this.following = true;
    this.log.scrollTop = this.log.scrollHeight;
    this.toLatest.hidden = true;
  }

  /** Somebody looked elsewhere, or came back; growth alone is neither. */
  #looked() {
    const { scrollHeight, scrollTop } = this.log;
    const grown = scrollHeight !== this.height;
    this.height = scrollHeight;
    const near = this.#end - scrollTop <= NEAR;
    if (near || !grown || !this.following) this.following = near;
    this.#offer();
  }

  #offer() {
    this.toLatest.hidden = this.following || this.#end - this.log.scrollTop <= NEAR;
  }

  get #end() {
    const { log } = this;
    const bottom = log.scrollHeight - log.clientHeight;
    const form = log.querySelector(WAITING);
    if (!form) return bottom;
    const above = form.getBoundingClientRect().top - log.getBoundingClientRect().top;
    return Math.min(bottom, Math.floor(log.scrollTop + above) - GAP);
  }

  /** Details that somebody opens are read at once. */
  #opened(details) {
    if (details.open) details.scrollIntoView({ block: "nearest" });
    this.following = this.#end - this.log.scrollTop <= NEAR;
    this.#offer();
  }
}
