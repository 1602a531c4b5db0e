/**
 * What the page says of itself: the JSON of `#chat-config`, and its texts in the person's language.
 */

/** @param {Document} page @returns {Record<string, any>} */
export function readConfig(page) {
  return JSON.parse(page.getElementById("chat-config").textContent);
}

/** Texts by key; `{name}` in a text is a place for a value. A key without a text says itself. */
export class Texts {
  /** @param {Record<string, string>} texts */
  constructor(texts) {
    this.texts = texts;
  }

  /** @param {string} key @param {Record<string, string | number>} [values] */
  say(key, values = {}) {
    const text = Object.hasOwn(this.texts, key) ? this.texts[key] : key;
    return text.replace(/\{(\w+)\}/g, (all, name) => (name in values ? String(values[name]) : all));
  }

  /**
   * The text of a thing with a code, in the language of this page.
   * @param {string} kind @param {string} code @param {string} otherwise
   */
  of(kind, code, otherwise) {
    const key = kind + code.replace(/(?:^|_)(\w)/g, (_, letter) => letter.toUpperCase());
    return Object.hasOwn(this.texts, key) ? this.texts[key] : otherwise;
  }
}
