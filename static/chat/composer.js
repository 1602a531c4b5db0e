/**
 * Where one writes. What may be done follows from how the conversation stands, never from a single
 * event; what was typed is kept until the server has it.
 */

import { lengthOf } from "./form_rules.js";

/**
 * @typedef {{texts: import("./config.js").Texts, announcer: import("./announcer.js").Announcer,
 *   limit: number, onSend: (text: string) => void, onStop: () => void,
 *   onInput: (text: string) => void}} Means
 */

export class Composer {
  /** @param {HTMLFormElement} form @param {Means} means */
  constructor(form, means) {
    Object.assign(this, { form, means });
    this.field = /** @type {HTMLTextAreaElement} */ (form.querySelector("#composer-text"));
    this.sendButton = form.querySelector("#send");
    this.stopButton = form.querySelector("#stop");
    this.hint = form.querySelector("#composer-hint");
    this.busy = false;
    this.#listen();
    this.#fit();
  }

  /** @param {{busy: boolean, stopping: boolean}} standing `busy`: an answer is on its way */
  show({ busy, stopping }) {
    const hadFocus = this.form.contains(document.activeElement);
    const turned = busy !== this.busy || (this.stopButton.disabled && !stopping);
    this.busy = busy;
    this.sendButton.hidden = busy;
    this.stopButton.hidden = !busy;
    this.stopButton.disabled = stopping;
    this.#allow();
    if (turned) this.say(stopping ? "stopping" : "composerHint");
    else if (stopping) this.say("stopping");
    if (hadFocus) this.focus();
  }

  /** @param {string} key @param {Record<string, string | number>} [values] */
  say(key, values) {
    this.tell(this.means.texts.say(key, values), { wrong: false });
  }

  /** @param {string} text @param {{wrong: boolean}} how */
  tell(text, { wrong }) {
    this.hint.textContent = text;
    this.hint.dataset.state = wrong ? "error" : "";
    if (wrong) this.means.announcer.tell(text);
  }

  get text() {
    return this.field.value;
  }

  set text(text) {
    this.field.value = text;
    this.#changed();
  }

  /** Text that came back goes before what was typed meanwhile. @param {string} text */
  giveBack(text) {
    this.text = this.text.trim() && this.text !== text ? `${text}\n${this.text}` : text;
  }

  focus() {
    if (document.activeElement !== this.field) this.field.focus({ preventScroll: true });
  }

  #listen() {
    this.form.addEventListener("submit", (event) => {
      event.preventDefault();
      this.#send();
    });
    this.stopButton.addEventListener("click", () => this.means.onStop());
    this.field.addEventListener("input", () => this.#changed());
    this.field.addEventListener("keydown", (event) => {
      if (event.key !== "Enter" || event.shiftKey || isComposing(event)) return;
      event.preventDefault();
      this.#send();
    });
  }

  #send() {
    const text = this.text;
    if (!text.trim()) return;
    const { limit, onSend } = this.means;
    const length = lengthOf(text);
    if (this.busy) this.#wrong("runInProgress");
    else if (length > limit) this.#wrong("tooLong", { limit, length });
    else onSend(text);
  }

  #wrong(key, values) {
    this.tell(this.means.texts.say(key, values), { wrong: true });
  }

  #changed() {
    if (this.hint.dataset.state === "error") this.say("composerHint");
    this.means.onInput(this.text);
    this.#allow();
    this.#fit();
  }

  #allow() {
    this.sendButton.disabled = !this.text.trim();
  }

  /** As many lines as were written, where style sheets cannot do it; the sheet sets the bounds. */
  #fit() {
    if (CSS.supports("field-sizing", "content")) return;
    this.field.style.height = "auto";
    this.field.style.height = `${this.field.scrollHeight}px`;
  }
}

/** An input method is at work: Enter is its own. 229 is what some browsers say instead. */
export function isComposing(event) {
  return event.isComposing || event.keyCode === 229;
}
