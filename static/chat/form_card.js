/**
 * A form in the conversation: checked before it is sent, never sent twice, and what was entered is
 * kept until the server has it.
 */

import { faultsOf } from "./form_rules.js";
import { begunOf, controlOf, heldBy, hold, makeField, mark, valueOf } from "./form_fields.js";
import { sayProblem } from "./problem.js";
import { showSummary } from "./form_summary.js";
import { fill, slot } from "./templates.js";

/**
 * @typedef {{templates: import("./templates.js").Templates, texts: import("./config.js").Texts,
 *   drafts: import("./drafts.js").Drafts, announcer: import("./announcer.js").Announcer,
 *   submit: (card: FormCard, values: object) => void}} Means
 */

export class FormCard {
  /** @param {HTMLFormElement} element @param {any} form its payload @param {Means} means */
  constructor(element, form, means) {
    Object.assign(this, { element, form, means });
    this.draft = `form.${form.id}`;
    this.sending = false;
    if (form.status !== "submitted") this.#restore();
    /** whether what is wrong from the start has yet to be shown to who filled it in */
    this.isNews = true;
    element.addEventListener("input", ({ target }) => this.#entered(target));
    element.addEventListener("submit", (event) => {
      event.preventDefault();
      this.#submit();
    });
  }

  /** From the history's markup; what was submitted there is done. */
  static adopt(element, means) {
    const { schema } = element.dataset;
    return schema ? new FormCard(element, JSON.parse(schema), means) : null;
  }

  /** From an event. */
  static make(form, means) {
    const element = means.templates.make("form");
    element.dataset.formId = form.id;
    element.setAttribute("aria-labelledby", `form-${form.id}-title`);
    slot(element, "title").id = `form-${form.id}-title`;
    fill(element, "title", form.title);
    fill(element, "description", form.description);
    fill(element, "errors", "");
    if (form.status !== "submitted") {
      const fields = form.fields.map((field) =>
        makeField(means.templates, means.texts, form.id, field),
      );
      slot(element, "fields").append(...fields);
    }
    const card = new FormCard(element, form, means);
    if (form.status === "submitted") card.submitted({ summary: form.submittedSummary });
    return card;
  }

  get isOpen() {
    return this.element.dataset.state === "pending";
  }

  /** The server has it. @param {{values?: object, summary?: string}} told */
  submitted({ values, summary = "" }) {
    const { element, means } = this;
    const hadFocus = element.contains(document.activeElement);
    this.rest();
    element.dataset.state = "submitted";
    means.drafts.drop(this.draft);
    fill(element, "errors", "");
    slot(element, "fields").replaceChildren();
    showSummary(element, this.form, values, summary, means);
    if (hadFocus) slot(element, "title").focus({ preventScroll: true });
  }

  /** The server has refused it. @param {Record<string, any>} problem */
  refused(problem) {
    this.rest();
    this.#keep();
    const errors = new Map(Object.entries(problem.errors ?? {}));
    const known = this.form.fields.filter(({ name }) => errors.has(name));
    const faults = new Map(known.map(({ name }) => [name, errors.get(name).join(" ")]));
    const whole = known.length ? (errors.get("") ?? []).join(" ") : sayProblem(problem, this.means.texts);
    this.#show(faults, whole);
  }

  /** Sending goes on by itself once there is a connection again. */
  wait() {
    this.sending = true;
    this.element.setAttribute("aria-busy", "true");
    this.#button.setAttribute("aria-disabled", "true"); // `disabled` would lose the focus
    this.#say("formSubmitting");
  }

  #submit() {
    if (this.sending || !this.isOpen) return;
    const values = this.#values();
    const { texts } = this.means;
    const faults = [...faultsOf(this.form.fields, values)].map(([name, { key, values: figures }]) => [
      name,
      texts.say(key, figures),
    ]);
    this.#show(new Map(faults), "");
    if (faults.length) return;
    this.wait();
    this.means.submit(this, values);
  }

  /** Marks what is wrong and unmarks what is not; the first of it gets the focus. */
  #show(faults, whole) {
    const { element, means } = this;
    for (const { name } of this.form.fields) mark(element, name, faults.get(name) ?? "");
    const count = faults.size;
    const text = whole || (count ? means.texts.say("formErrors", { count }) : "");
    fill(element, "errors", text);
    if (!text) return;
    means.announcer.tell(text);
    const first = this.form.fields.find(({ name }) => faults.has(name));
    (first ? controlOf(element, first.name) : slot(element, "errors")).focus();
  }

  /** Built so that a field may be called `__proto__`. */
  #values() {
    const entered = this.form.fields.map(({ name, type }) => [
      name,
      valueOf(controlOf(this.element, name), type),
    ]);
    return Object.fromEntries(entered.filter(([, value]) => value !== undefined));
  }

  /** A mark goes when the entry is changed: it was about another one. */
  #entered(control) {
    this.#keep();
    if (control.getAttribute("aria-invalid") !== "true") return;
    mark(this.element, control.name, "");
    if (!this.element.querySelector("[aria-invalid=true]")) fill(this.element, "errors", "");
  }

  #keep() {
    const held = this.form.fields.map(({ name }) => [name, heldBy(controlOf(this.element, name))]);
    this.means.drafts.write(this.draft, Object.fromEntries(held));
  }

  /** What was entered here, or else what the form is to begin with. */
  #restore() {
    const begun = begunOf(this.form);
    const held = this.means.drafts.read(this.draft) ?? begun;
    for (const { name } of this.form.fields) {
      const control = controlOf(this.element, name);
      if (control && Object.hasOwn(held, name)) hold(control, held[name]);
    }
    this.#blame(({ name }) => (held[name] || "") === (begun[name] || ""));
  }

  /** What the business refused is marked from the start, unless it has been changed since. */
  #blame(isAsRefused) {
    const { fields, faults = {} } = this.form;
    const wrong = fields.filter(({ name }) => Object.hasOwn(faults, name)).filter(isAsRefused);
    for (const { name } of wrong) mark(this.element, name, faults[name]);
    const count = wrong.length;
    if (count) fill(this.element, "errors", this.means.texts.say("formErrors", { count }));
  }

  /**
   * It stands in the conversation: who sent the form before it goes on at what is wrong. Nobody is
   * taken away from what he does elsewhere.
   */
  arrived() {
    if (!this.isNews) return;
    this.isNews = false;
    const wrong = this.element.querySelector("[aria-invalid=true]");
    if (!wrong) return;
    this.means.announcer.tell(slot(this.element, "errors").textContent);
    const at = document.activeElement;
    if (!at || at === document.body || at.closest(".form-card")?.dataset.state === "submitted") {
      wrong.focus();
    }
  }

  /** Nothing is on its way: it may be sent. */
  rest() {
    this.sending = false;
    this.element.removeAttribute("aria-busy");
    if (!this.#button) return;
    this.#button.removeAttribute("aria-disabled");
    this.#say("formSubmit");
  }

  #say(key) {
    const label = this.means.texts.say(key);
    if (this.#button.textContent !== label) this.#button.textContent = label;
  }

  get #button() {
    return /** @type {HTMLButtonElement} */ (slot(this.element, "submit"));
  }
}
