/**
 * The page's markup: every card is cloned from the `<template>` that the history is made of too.
 */

export class Templates {
  /** @param {Document} page */
  constructor(page) {
    this.page = page;
  }

  /** @param {string} name without `t-` @returns {HTMLElement} */
  make(name) {
    const template = /** @type {HTMLTemplateElement} */ (this.page.getElementById(`t-${name}`));
    const content = this.page.importNode(template.content, true);
    return /** @type {HTMLElement} */ (content.firstElementChild);
  }

  /** @param {string} name */
  has(name) {
    return this.page.getElementById(`t-${name}`) !== null;
  }
}

/** @param {Element} element @param {string} name @returns {HTMLElement | null} it may be itself */
export function slot(element, name) {
  const selector = `[data-slot="${name}"]`;
  if (element.matches(selector)) return /** @type {HTMLElement} */ (element);
  return element.querySelector(selector);
}

/** Text into a slot; a slot without text is hidden. */
export function fill(element, name, text) {
  const place = slot(element, name);
  if (!place) return;
  const said = text === null || text === undefined ? "" : String(text);
  if (place.textContent !== said) place.textContent = said;
  place.hidden = said === "";
}
