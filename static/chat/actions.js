/**
 * The buttons in the conversation: copying, trying again, suggestions.
 */

import { codeOf } from "./code_blocks.js";
import { slot } from "./templates.js";

/**
 * @param {HTMLElement} log
 * @param {{copier: import("./copy.js").Copier, onRetry: (messageId: number) => void,
 *   onSuggestion: (text: string) => void}} means
 */
export function listenToActions(log, { copier, onRetry, onSuggestion }) {
  log.addEventListener("click", ({ target }) => {
    const button = /** @type {Element} */ (target).closest("button");
    if (!button) return;
    if (button.dataset.suggestion !== undefined) onSuggestion(button.dataset.suggestion);
    const message = button.closest("article");
    switch (button.dataset.action) {
      case "copy":
        copier.copy(button, textOf(message));
        break;
      case "copy-code":
        copier.copy(button, codeOf(button));
        break;
      case "copy-trace":
        copier.copy(button, slot(button.closest(".error-card"), "trace-id").textContent);
        break;
      case "retry":
        onRetry(Number(message.dataset.messageId));
        break;
    }
  });
}

/** What an answer says, without cards and bars. @param {Element} message */
function textOf(message) {
  const texts = [...message.querySelectorAll(".parts > .text")];
  return texts.map((text) => text.innerText.trim()).filter(Boolean).join("\n\n");
}
