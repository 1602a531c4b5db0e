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
 * @param {string} html @param {import("./painter.js").Painter[]} painters
 */
export function swapIn(html, painters) {
  const nodes = [...sanitise(html).childNodes].filter(isSaid);
  if (!nodes.length) return;
  if (painters.length === 1) {
    morph(painters[0].place, nodes);
    return;
  }
  const blocks = painters.map((painter) => painter.finish());
  if (blocks.reduce((sum, count) => sum + count, 0) !== nodes.length) return;
  for (const [index, { place }] of painters.entries()) morph(place, nodes.splice(0, blocks[index]));
}

/** @param {HTMLElement} place @param {Node[]} nodes */
function morph(place, nodes) {
  const old = [...place.childNodes].filter(isSaid);
  const same = old.length === nodes.length && old.every((node, at) => node.isEqualNode(nodes[at]));
  if (same) return;
  const restore = keepSelection(place);
  for (const child of [...place.childNodes]) if (!isSaid(child)) child.remove();
  Idiomorph.morph(place, nodes, { morphStyle: "innerHTML" });
  restore();
}

function isSaid(node) {
  return node.nodeType === Node.ELEMENT_NODE || Boolean(node.data?.trim());
}
