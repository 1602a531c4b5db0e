/**
 * An answer on the page: its parts as elements, painted while they grow, final when the server says.
 */

import { Painter } from "./painter.js";
import { ToolCard } from "./tool_card.js";
import { dressCode } from "./code_blocks.js";
import { errorCard } from "./error_card.js";
import { slot } from "./templates.js";
import { swapIn } from "./swap.js";

/**
 * @typedef {{templates: import("./templates.js").Templates, texts: import("./config.js").Texts,
 *   brush: import("./brush.js").Brush, tools: Record<string, any>,
 *   formOf: (form: any, filled?: object) => import("./form_card.js").FormCard,
 *   saidOf: (submission: any) => string | null}} Studio
 */

export class AnswerView {
  /**
   * @param {HTMLElement} article @param {import("./answer.js").Answer} answer @param {Studio} studio
   */
  constructor(article, answer, studio) {
    Object.assign(this, { article, answer, studio });
    this.place = slot(article, "parts");
    this.place.replaceChildren();
    article.setAttribute("aria-busy", "true");
    /** @type {Map<object, {element: HTMLElement, show: () => void, painter?: Painter}>} */
    this.shown = new Map();
    this.paint = () => this.#paint();
    this.changed = new Set();
  }

  /** @param {string} name @param {any} data */
  apply(name, data) {
    for (const part of this.answer.apply(name, data)) this.#show(part);
    if (name === "message.completed") this.#final();
    if (name === "error") this.#fail(data);
    if (name === "run.completed" && data.status !== "interrupted") this.#end(data);
  }

  /** @param {import("./answer.js").Part} part */
  #show(part) {
    const said = part.type === "text" || part.type === "reasoning";
    if (said && !part.text.trim() && !this.shown.has(part)) return;
    let view = this.shown.get(part);
    if (!view) {
      view = this.#make(part);
      this.shown.set(part, view);
      this.place.append(view.element);
    }
    if (!said) return view.show();
    this.changed.add(view);
    this.studio.brush.plan(this.paint);
  }

  #make(part) {
    const { templates, texts, tools, formOf } = this.studio;
    if (part.type === "form") {
      const card = formOf(part.form);
      return { element: card.element, show: () => card.arrived() };
    }
    if (part.type === "tool") {
      const card = new ToolCard(templates, texts, tools);
      return { element: card.element, show: () => card.show(part) };
    }
    const element = templates.make(part.type);
    const place = slot(element, "text");
    if (part.type === "reasoning") return { element, show: () => append(place, part.text) };
    const painter = new Painter(place);
    return { element, painter, show: () => painter.paint(part.text) };
  }

  #paint() {
    for (const view of this.changed) view.show();
    this.changed.clear();
  }

  /** The server's own rendering, put where ours is. */
  #final() {
    this.studio.brush.forget(this.paint);
    this.#paint();
    const painters = [...this.shown.values()].flatMap(({ painter }) => painter ?? []);
    swapIn(this.answer.html, painters);
    for (const { place } of painters) dressCode(place, this.studio.templates);
  }

  #fail(error) {
    const { templates, texts } = this.studio;
    const message = texts.of("error", error.code, error.message);
    this.place.append(errorCard(templates, { ...error, message }));
  }

  #end({ status, finishReason }) {
    const { templates, texts } = this.studio;
    const why = texts.of("end", finishReason ?? "", "");
    if (why && status === "completed") this.place.append(endLine(templates, finishReason, why));
    this.article.dataset.status = status;
    this.article.removeAttribute("aria-busy");
  }
}

/** That the answer was cut off. */
function endLine(templates, reason, text) {
  const line = templates.make("ended");
  line.dataset.reason = reason;
  line.textContent = text;
  return line;
}

/** Text that only grows is added to. */
function append(place, text) {
  const { firstChild } = place;
  if (firstChild && text.startsWith(firstChild.data)) {
    firstChild.appendData(text.slice(firstChild.length));
  } else place.textContent = text;
}
