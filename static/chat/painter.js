/**
 * Shows a text while it grows. Blocks that cannot change any more are painted once; only the last
 * one is read and painted again, so the cost of a stroke does not grow with the message.
 */

import { blocksOf, htmlOf } from "./markdown.js";
import { graft } from "./graft.js";
import { firmPart } from "./painting.js";
import { sanitise } from "./sanitise.js";

export class Painter {
  /** @param {HTMLElement} place */
  constructor(place) {
    this.place = place;
    this.text = "";
    this.#clear();
  }

  /** @param {string} text the whole of it */
  paint(text) {
    text = text.replace(/\r\n?/g, "\n");
    if (text === this.text) return;
    if (!text.startsWith(this.text)) this.#clear();
    this.text = text;
    const tail = text.slice(this.settled);
    const blocks = blocksOf(tail, this.links);
    const { count, length } = firmPart(blocks, tail);
    const fresh = sanitise(htmlOf(blocks.splice(0, count)));
    const settling = fresh.childNodes.length;
    fresh.append(sanitise(htmlOf(blocks)));
    graft(this.place, fresh, this.nodes);
    this.nodes += settling;
    this.settled += length;
  }

  /** Everything settled, as if no more text could come. @returns {number} elements painted */
  finish() {
    this.#clear();
    graft(this.place, sanitise(htmlOf(blocksOf(this.text))));
    return this.place.childElementCount;
  }

  #clear() {
    this.settled = 0;
    this.nodes = 0;
    this.links = {};
  }
}
