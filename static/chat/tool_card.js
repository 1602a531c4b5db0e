/**
 * A call of a tool: one line, told anew in place when something is known of it.
 */

import { fill } from "./templates.js";

const SHOWN = 4000;

export class ToolCard {
  /**
   * @param {import("./templates.js").Templates} templates
   * @param {import("./config.js").Texts} texts
   */
  constructor(templates, texts) {
    this.texts = texts;
    this.element = templates.make("tool");
  }

  /** @param {import("./answer.js").Tool} call */
  show(call) {
    const { element } = this;
    element.dataset.toolCallId = call.id;
    element.dataset.state = call.state;
    fill(element, "title", call.name);
    fill(element, "state", this.texts.of("tool", call.state, call.state));
    fill(element, "duration", secondsOf(call.durationMs));
    fill(element, "arguments", readable(call.arguments));
    fill(element, "result", call.result === undefined ? "" : readable(call.result));
    fill(element, "error", call.errorMessage ?? "");
  }
}

/** @param {number | null | undefined} milliseconds */
export function secondsOf(milliseconds) {
  if (typeof milliseconds !== "number") return "";
  return milliseconds < 50 ? "<0.1 s" : `${(milliseconds / 1000).toFixed(1)} s`;
}

/** JSON over several lines, cut where nobody reads on; nothing for nothing. */
export function readable(value) {
  if (value === null || value === undefined) return "";
  if (typeof value === "object" && !Object.keys(value).length) return "";
  const text = JSON.stringify(value, null, 2);
  return text.length <= SHOWN ? text : `${text.slice(0, SHOWN)}\n…`;
}
