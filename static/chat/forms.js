/**
 * The forms of the conversation by id: those of the history, and those that come.
 */

import { FormCard } from "./form_card.js";
import { saidOf } from "./form_summary.js";

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

  /**
   * The card of a form, on the page once.
   * @param {any} form @param {object} [filled] in before, with which it begins
   */
  of(form, filled) {
    const known = this.cards.get(form.id);
    if (known?.element.isConnected) return known;
    const begun = { ...form, filled: { ...form.filled, ...filled } };
    const card = FormCard.make(begun, this.means);
    this.cards.set(form.id, card);
    return card;
  }

  /** What was filled in, in words; nothing where the form is not known here. */
  said({ formId, values }) {
    const card = this.find(formId);
    return card && saidOf(card.form, values, this.means.texts);
  }

  /** @param {string} id */
  find(id) {
    return this.cards.get(id) ?? null;
  }
}
