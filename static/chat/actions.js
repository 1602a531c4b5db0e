/**
 * The buttons in the conversation: copying, trying again, suggestions.
 */

import { codeOf } from "./code_blocks.js";
import { slot } from "./templates.js";

/**
 * @param {HTMLElement} log
 * @param {{copier: import("./copy.js").Copier,
 *   sourceOf: (message: HTMLElement) => Promise<string>, onRetry: (messageId: number) => void,
 *   onSuggestion: (text: string) => void}} means
 */
export function listenToActions(log, { copier, sourceOf, onRetry, onSuggestion }) {
  log.addEventListener("click", ({ target }) => {
    const button = /** @type {Element} */ (target).closest("button");
    if (!button) return;
    if (button.dataset.suggestion !== undefined) onSuggestion(button.dataset.suggestion);
    const message = button.closest("article");
    switch (button.dataset.action) {
      case "copy":
        sourceOf(message).then((text) => copier.copy(button, text));
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
