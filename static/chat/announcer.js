/**
 * The one live region: says in a few words what a person who does not see the page must know.
 */

export class Announcer {
  /** @param {HTMLElement} place @param {import("./config.js").Texts} texts */
  constructor(place, texts) {
    this.place = place;
    this.texts = texts;
    this.timer = 0;
  }

  /** @param {string} key of a text @param {Record<string, string | number>} [values] */
  say(key, values) {
    this.tell(this.texts.say(key, values));
  }

  /** The same words twice are said twice. @param {string} text */
  tell(text) {
    this.place.textContent = "";
    clearTimeout(this.timer);
    this.timer = setTimeout(() => (this.place.textContent = text), 50);
  }
}
