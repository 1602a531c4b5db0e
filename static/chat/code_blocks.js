/**
 * The bar over a block of code: its language, and a button that copies it. Put on when the text is
 * final.
 */

import { fill } from "./templates.js";

/** @param {Element} text @param {import("./templates.js").Templates} templates */
export function dressCode(text, templates) {
  for (const pre of text.querySelectorAll("pre")) {
    if (pre.parentElement.matches(".code-block")) continue;
    const block = templates.make("code");
    const language = /language-(\S+)/.exec(pre.firstElementChild?.className ?? "");
    fill(block, "language", language?.[1] ?? "");
    pre.tabIndex = 0;
    pre.replaceWith(block);
    block.append(pre);
  }
}

/** @param {Element} button @returns {string} the code that belongs to it */
export function codeOf(button) {
  return button.closest(".code-block")?.querySelector("pre")?.textContent ?? "";
}
