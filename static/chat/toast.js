/**
 * A line that says that something is done, and goes by itself: the style sheet lets it fade.
 */

export class Toast {
  /** @param {HTMLElement} place @param {import("./announcer.js").Announcer} announcer */
  constructor(place, announcer) {
    Object.assign(this, { place, announcer });
  }

  /** @param {string} text */
  show(text) {
    const line = this.place.ownerDocument.createElement("p");
    line.textContent = text;
    this.place.replaceChildren(line);
    this.announcer.tell(text);
  }

  /** What came with the page is said aloud too. */
  repeat() {
    const text = this.place.textContent.trim();
    if (text) this.announcer.tell(text);
  }
}
