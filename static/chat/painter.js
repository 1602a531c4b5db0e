/**
 * Shows a text while it grows. Blocks that cannot change any more are painted once; only the last
 * one is read and painted again, so the cost of a stroke does not grow with the message.
 */

import { blocksOf, htmlOf } from "./markdown.js";
import { graft } from "./graft.js";
import { sanitise } from "./sanitise.js";

/** A line this short may still turn out to go on with the list before it: `2` and then `. two`. */
const UNDECIDED = 8;

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
    const blocks = blocksOf(text.slice(this.settled), this.links);
    const firm = blocks.splice(0, firmCount(blocks));
    const fresh = sanitise(htmlOf(firm));
    const settling = fresh.childNodes.length;
    fresh.append(sanitise(htmlOf(blocks)));
    graft(this.place, fresh, this.nodes);
    this.nodes += settling;
    this.settled += firm.reduce((length, { raw }) => length + raw.length, 0);
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

/**
 * How many blocks at the beginning are over: all before the last one that says something.
 * @param {any[]} blocks
 */
function firmCount(blocks) {
  const said = blocks.flatMap(({ type }, index) => (type === "space" ? [] : [index]));
  const last = said.at(-1);
  if (last === undefined) return 0;
  const { raw } = blocks[last];
  return raw.includes("\n") || raw.length > UNDECIDED ? last : (said.at(-2) ?? 0);
}
