/**
 * The conversation as it is shown: messages in the order of their ids, each once.
 */

import { Answer } from "./answer.js";
import { AnswerView } from "./answer_view.js";
import { stamp } from "./clock.js";
import { fill, slot } from "./templates.js";

export class Log {
  /**
   * @param {HTMLElement} element @param {import("./answer_view.js").Studio} studio
   * @param {(form: any, told: object) => void} onSubmitted a message says that a form was submitted
   */
  constructor(element, studio, onSubmitted) {
    Object.assign(this, { element, studio, onSubmitted });
    /** @type {Map<string, AnswerView>} by run */
    this.views = new Map();
    /** @type {Map<string, object>} by run, what the form held that it answers */
    this.filled = new Map();
  }

  /** @param {string} runId @param {string} name @param {any} data */
  apply(runId, name, data) {
    if (name === "message.created") this.#created(runId, data);
    else this.views.get(runId)?.apply(name, data);
  }

  /** What somebody has just sent, before the server has said so. */
  sending(clientRequestId, content) {
    const article = this.studio.templates.make("message-user");
    article.dataset.clientRequestId = clientRequestId;
    article.dataset.status = "pending";
    fill(article, "text", content);
    fill(article, "status", this.studio.texts.say("sending"));
    this.#add(article);
  }

  /** It came to nothing. @returns {boolean} whether it was there */
  unsent(clientRequestId) {
    const article = this.#unsent(clientRequestId);
    article?.remove();
    return Boolean(article);
  }

  /** @returns {number} the newest message, 0 for none */
  get newest() {
    return Math.max(0, ...this.#articles().map(({ dataset }) => Number(dataset.messageId)));
  }

  /** @returns {HTMLElement | undefined} */
  get lastAnswer() {
    const last = this.#articles().at(-1);
    return last?.dataset.role === "assistant" ? last : undefined;
  }

  /** Runs whose answer the page has, but not its events. */
  get pendingRuns() {
    const waiting = this.#articles().filter(({ dataset }) => dataset.status === "pending");
    return waiting.map(({ dataset }) => dataset.runId).filter(Boolean);
  }

  /** @param {number} messageId @returns {HTMLElement | null} */
  find(messageId) {
    return this.element.querySelector(`[data-message-id="${messageId}"]`);
  }

  /** What was said, as Markdown, if it was said while this page looked on. @param {string} runId */
  saidBy(runId) {
    return this.views.get(runId)?.answer.text;
  }

  #created(runId, { messageId, role, content, metadata = {} }) {
    if (role === "user") {
      if (metadata.uiFormSubmission) {
        const { formId, values } = metadata.uiFormSubmission;
        this.filled.set(runId, values);
        this.onSubmitted(formId, { values, summary: content });
      }
      if (!this.find(messageId)) this.#question(runId, messageId, content, metadata);
      return;
    }
    const known = this.find(messageId);
    if (known && known.dataset.status !== "pending") return;
    if (metadata.supersedes) this.find(metadata.supersedes)?.remove();
    const article = known ?? this.#answer(runId, messageId);
    article.dataset.runId = runId;
    this.views.set(runId, new AnswerView(article, new Answer(messageId), this.#studioOf(runId)));
  }

  /** A form that comes again begins with what was filled in. */
  #studioOf(runId) {
    const { studio, filled } = this;
    return { ...studio, formOf: (form) => studio.formOf(form, filled.get(runId)) };
  }

  #question(runId, messageId, content, metadata) {
    const known = this.#unsent(metadata.clientRequestId);
    const article = known ?? this.studio.templates.make("message-user");
    name(article, messageId, runId);
    delete article.dataset.clientRequestId;
    article.dataset.status = "completed";
    const submission = metadata.uiFormSubmission;
    const said = submission && this.studio.saidOf(submission);
    fill(article, "text", said || content);
    fill(article, "status", "");
    if (submission && !said) slot(article, "text").lang = "zh-Hans";
    stamp(slot(article, "time"));
    if (!known) this.#add(article);
  }

  #answer(runId, messageId) {
    const article = this.studio.templates.make("message-assistant");
    name(article, messageId, runId);
    stamp(slot(article, "time"));
    this.#add(article);
    return article;
  }

  #add(article) {
    this.element.querySelector("#welcome")?.remove();
    const id = Number(article.dataset.messageId) || Infinity;
    const later = this.#articles().find(({ dataset }) => Number(dataset.messageId || Infinity) > id);
    if (later) later.before(article);
    else this.element.append(article);
  }

  #unsent(clientRequestId) {
    if (!clientRequestId) return null;
    return this.element.querySelector(`[data-client-request-id="${CSS.escape(clientRequestId)}"]`);
  }

  /** @returns {HTMLElement[]} */
  #articles() {
    return [...this.element.querySelectorAll(":scope > article")];
  }
}

function name(article, messageId, runId) {
  article.id = `m-${messageId}`;
  article.dataset.messageId = String(messageId);
  article.dataset.runId = runId;
}
