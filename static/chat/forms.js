/**
 * The forms of the conversation by id: those of the history, and those that come.
 */

import { FormCard } from "./form_card.js";

export class Forms {
  /** @param {import("./form_card.js").Means} means */
  constructor(means) {
    this.means = means;
    /** @type {Map<string, FormCard>} */
    this.cards = new Map();
  }

  /** @param {Element} log */
  adopt(log) {
    for (const element of log.querySelectorAll("form.form-card")) {
      const card = FormCard.adopt(/** @type {HTMLFormElement} */ (element), this.means);
      if (card) this.cards.set(card.form.id, card);
    }
  }

  /** The card of a form, on the page once. @param {any} form */
  of(form) {
    const known = this.cards.get(form.id);
    if (known?.element.isConnected) return known;
    const card = FormCard.make(form, this.means);
    this.cards.set(form.id, card);
    return card;
  }

  /** @param {string} id */
  find(id) {
    return this.cards.get(id) ?? null;
  }
}
