/**
 * A call of a tool: one line, told anew in place when something is known of it.
 */

import { fill } from "./templates.js";

const SHOWN = 4000;

export class ToolCard {
  /**
   * @param {import("./templates.js").Templates} templates
   * @param {import("./config.js").Texts} texts
   * @param {Record<string, any>} tools by name, `{title, labels}` for people
   */
  constructor(templates, texts, tools) {
    Object.assign(this, { texts, tools });
    this.element = templates.make("tool");
  }

  /** @param {import("./answer.js").Tool} call */
  show(call) {
    const { element } = this;
    const { title = call.name, labels = {} } = this.tools[call.name] ?? {};
    element.dataset.toolCallId = call.id;
    element.dataset.state = call.state;
    fill(element, "title", title);
    fill(element, "state", this.texts.of("tool", call.state, call.state));
    fill(element, "duration", secondsOf(call.durationMs));
    fill(element, "arguments", readable(worded(call.arguments, labels)));
    fill(element, "result", call.result === undefined ? "" : readable(worded(call.result, labels)));
    fill(element, "error", call.errorMessage ?? "");
  }
}

/** @param {number | null | undefined} milliseconds */
export function secondsOf(milliseconds) {
  if (typeof milliseconds !== "number") return "";
  return milliseconds < 50 ? "<0.1 s" : `${(milliseconds / 1000).toFixed(1)} s`;
}

/** With labels in place of values, by the name of their field. @returns {any} */
export function worded(value, labels) {
  if (Array.isArray(value)) return value.map((item) => worded(item, labels));
  if (value === null || typeof value !== "object") return value;
  const told = ([name, item]) => {
    const known = typeof item === "string" && Object.hasOwn(labels, name) ? labels[name] : {};
    return [name, Object.hasOwn(known, item) ? known[item] : worded(item, labels)];
  };
  return Object.fromEntries(Object.entries(value).map(told));
}

/** JSON over several lines, cut where nobody reads on; nothing for nothing. */
export function readable(value) {
  if (value === null || value === undefined) return "";
  if (typeof value === "object" && !Object.keys(value).length) return "";
  const text = JSON.stringify(value, null, 2);
  return text.length <= SHOWN ? text : `${text.slice(0, SHOWN)}\n…`;
}
