/**
 * An answer that failed: what happened, the id by which it is found, a way to try again.
 */

import { fill } from "./templates.js";

/**
 * @param {import("./templates.js").Templates} templates
 * @param {{code?: string, message: string, action?: string, traceId?: string, retryable?: boolean}} error
 * @returns {HTMLElement}
 */
export function errorCard(templates, { code = "", message, action = "", traceId = "", retryable }) {
  const card = templates.make("error");
  card.dataset.code = code;
  fill(card, "message", message);
  fill(card, "action", action);
  fill(card, "trace-id", traceId);
  const trace = card.querySelector(".trace");
  if (trace && !traceId) trace.hidden = true;
  const retry = card.querySelector("[data-action=retry]");
  if (retry && retryable === false) retry.remove();
  return card;
}
