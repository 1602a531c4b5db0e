/**
 * Puts the server's final HTML where the stream was painted: what is equal stays, so that selection
 * and scroll stay too.
 */

import { Idiomorph } from "../vendor/idiomorph.esm.js";
import { keepSelection } from "./selection.js";
import { sanitise } from "./sanitise.js";

/**
 * One HTML for all texts of a message: each gets as many blocks as it has painted. When that does
 * not add up, what was painted stays.
 * @param {string} html @param {{place: HTMLElement, blocks: number}[]} texts
 */
export function swapIn(html, texts) {
  const nodes = [...sanitise(html).childNodes].filter(isSaid);
  const sum = texts.reduce((total, { blocks }) => total + blocks, 0);
  if (texts.length > 1 && sum !== nodes.length) return;
  for (const { place, blocks } of texts) {
    morph(place, nodes.splice(0, texts.length > 1 ? blocks : nodes.length));
  }
}

function morph(place, nodes) {
  const restore = keepSelection(place);
  for (const child of [...place.childNodes]) if (!isSaid(child)) child.remove();
  Idiomorph.morph(place, nodes, { morphStyle: "innerHTML" });
  restore();
}

function isSaid(node) {
  return node.nodeType === Node.ELEMENT_NODE || node.data?.trim();
}
