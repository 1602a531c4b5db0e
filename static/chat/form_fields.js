/**
 * The questions of a form as controls: made, read, filled and marked.
 */

import { fill, slot } from "./templates.js";

/**
 * A field's markup from its description.
 * @param {import("./templates.js").Templates} templates
 * @param {import("./config.js").Texts} texts
 * @param {string} formId @param {any} field
 */
export function makeField(templates, texts, formId, field) {
  const element = templates.make(`field-${field.type}`);
  element.dataset.field = field.name;
  element.toggleAttribute("data-required", Boolean(field.required));
  fill(element, "label", field.label);
  fill(element, "help", helpOf(field, texts));
  const control = slot(element, "control");
  const id = `f-${formId}-${field.name}`;
  control.id = id;
  control.name = field.name;
  slot(element, "help").id = `${id}-help`;
  slot(element, "error").id = `${id}-error`;
  control.setAttribute("aria-describedby", `${id}-help ${id}-error`);
  if (field.required) control.setAttribute("aria-required", "true");
  element.querySelector("label").setAttribute("for", id);
  if (field.placeholder && "placeholder" in control) control.placeholder = field.placeholder;
  for (const bound of ["min", "max"]) {
    if (field[bound] !== undefined) control.setAttribute(bound, String(field[bound]));
  }
  for (const { label, value } of field.options ?? []) {
    const option = templates.make("option");
    option.textContent = label;
    option.setAttribute("value", JSON.stringify(value));
    control.append(option);
  }
  return element;
}

/** @param {Element} form @param {string} name @returns {HTMLElement | null} */
export function fieldOf(form, name) {
  return form.querySelector(`[data-field="${CSS.escape(name)}"]`);
}

/** @param {Element} form @param {string} name @returns {any} */
export function controlOf(form, name) {
  const field = fieldOf(form, name);
  return field && slot(field, "control");
}

/**
 * What was entered, in the types of the contract; nothing for what was left empty. What the browser
 * could not read is NaN, or for a date the text of no date.
 */
export function valueOf(control, type) {
  if (type === "switch") return control.checked;
  if (control.validity.badInput) return type === "number" ? Number.NaN : "?";
  if (control.value === "") return undefined;
  if (type === "number") return Number(control.value);
  return type === "select" ? JSON.parse(control.value) : control.value;
}

/** @param {any} control @returns {string | boolean} what it holds, for the draft */
export function heldBy(control) {
  return control.type === "checkbox" ? control.checked : control.value;
}

/** What the control of a field holds for a value. @param {any} value @param {string} type */
export function heldFor(value, type) {
  if (type === "switch") return value;
  return type === "select" ? JSON.stringify(value) : String(value);
}

export function hold(control, value) {
  if (control.type === "checkbox") control.checked = value === true;
  else if (typeof value === "string") control.value = value;
}

/** Show what is wrong with a field, or with `""` that nothing is. */
export function mark(form, name, text) {
  const field = fieldOf(form, name);
  if (!field) return;
  const control = slot(field, "control");
  fill(field, "error", text);
  if (text) control.setAttribute("aria-invalid", "true");
  else control.removeAttribute("aria-invalid");
}

function helpOf({ min, max }, texts) {
  if (min !== undefined && max !== undefined) return texts.say("helpRange", { min, max });
  if (min !== undefined) return texts.say("helpMin", { min });
  return max === undefined ? "" : texts.say("helpMax", { max });
}

/** What a form is to begin with, as its controls hold it. */
export function begunOf({ fields, filled = {} }) {
  const known = fields.filter(({ name }) => Object.hasOwn(filled, name));
  return Object.fromEntries(known.map(({ name, type }) => [name, heldFor(filled[name], type)]));
}
