/**
 * An answer as its events tell it: parts in the order of the stream, and how it ended.
 *
 * @typedef {{type: "text" | "reasoning", text: string}} Said
 * @typedef {{type: "tool", id: string, name: string, arguments: any, state: string, result?: any,
 *   errorMessage?: string, durationMs?: number | null}} Tool
 * @typedef {{type: "form", id: string, form: any}} Form
 * @typedef {Said | Tool | Form} Part
 */

export class Answer {
  /** @param {number} messageId */
  constructor(messageId) {
    this.messageId = messageId;
    /** @type {Part[]} */
    this.parts = [];
    this.status = "pending";
    /** @type {{code: string, message: string, retryable: boolean, traceId: string} | null} */
    this.error = null;
    this.html = "";
    /** @type {string | null} */
    this.finishReason = null;
  }

  /**
   * Take one event; returns the parts that are new or changed.
   * @param {string} name @param {any} data @returns {Part[]}
   */
  apply(name, data) {
    switch (name) {
      case "message.delta":
        return [this.#say("text", data.delta)];
      case "reasoning.delta":
        return [this.#say("reasoning", data.delta)];
      case "tool.started":
        return [this.#started(data)];
      case "tool.completed":
        return this.#tool(data, {
          state: data.ok ? "succeeded" : "failed",
          result: data.result,
          errorMessage: data.errorMessage,
          durationMs: data.durationMs,
        });
      case "tool.held":
        return this.#tool(data, { state: "held" });
      case "ui.form":
        return [this.#form(data.form)];
      case "message.restated":
        return this.#restate(data.content);
      case "message.completed":
        this.html = data.html;
        return data.content === this.text ? [] : this.#restate(data.content);
      case "error":
        this.error = data;
        return [];
      case "run.completed":
        this.#end(data);
        return [];
      default:
        return [];
    }
  }

  /** All visible text, as `content` of the finished message has it. */
  get text() {
    return this.#texts().map((part) => part.text).join("");
  }

  /** @returns {Said[]} */
  #texts() {
    return /** @type {Said[]} */ (this.parts.filter((part) => part.type === "text"));
  }

  /** @param {"text" | "reasoning"} type @param {string} delta */
  #say(type, delta) {
    const last = this.parts.at(-1);
    if (last?.type === type) {
      /** @type {Said} */ (last).text += delta;
      return last;
    }
    return this.#add({ type, text: delta });
  }

  #started({ toolCallId, name, arguments: given }) {
    const known = this.#find("tool", toolCallId);
    if (known) return Object.assign(known, { name, arguments: given, state: "running" });
    return this.#add({ type: "tool", id: toolCallId, name, arguments: given, state: "running" });
  }

  #tool({ toolCallId, name }, told) {
    const known = this.#find("tool", toolCallId);
    if (known) return [Object.assign(known, told)];
    return [this.#add({ type: "tool", id: toolCallId, name, arguments: {}, state: "", ...told })];
  }

  #form(form) {
    const known = this.#find("form", form.id);
    if (known) return Object.assign(known, { form });
    return this.#add({ type: "form", id: form.id, form });
  }

  /** Cards stay; texts are cut to what is still true, and what is new joins the last of them. */
  #restate(content) {
    let rest = content;
    const texts = this.#texts();
    for (const part of texts) {
      if (!rest.startsWith(part.text)) part.text = rest;
      rest = rest.slice(part.text.length);
    }
    const last = this.parts.at(-1);
    if (rest && last?.type === "text") last.text += rest;
    else if (rest) texts.push(this.#add({ type: "text", text: rest }));
    return texts;
  }

  #end({ status, finishReason }) {
    if (status === "interrupted") return;
    this.status = status;
    this.finishReason = finishReason;
  }

  #find(type, id) {
    return this.parts.find((part) => part.type === type && part.id === id);
  }

  #add(part) {
    this.parts.push(part);
    return part;
  }
}
