/**
 * What was submitted, as rows of label and value; where only the server's sentence is known, that.
 */

import { fill, slot } from "./templates.js";

/**
 * @param {Element} element @param {any} form @param {Record<string, any> | undefined} values
 * @param {string} summary @param {import("./form_card.js").Means} means
 */
export function showSummary(element, form, values, summary, { templates, texts }) {
  if (!values) {
    fill(element, "summary", summary);
    return;
  }
  const list = templates.make("summary");
  for (const field of form.fields) {
    const row = templates.make("summary-row");
    const value = Object.hasOwn(values, field.name) ? values[field.name] : null;
    fill(row, "label", field.label);
    fill(row, "value", told(field, value, texts));
    list.append(row);
  }
  const place = slot(element, "summary");
  place.hidden = false;
  place.replaceChildren(list);
}

/**
 * The same as a line of who filled it in: what was left empty is left out.
 * @param {any} form @param {Record<string, any>} values @param {import("./config.js").Texts} texts
 */
export function saidOf(form, values, texts) {
  const given = form.fields
    .filter(({ name }) => Object.hasOwn(values, name))
    .map((field) => {
      const value = told(field, values[field.name], texts);
      return texts.say("formSaidField", { label: field.label, value });
    });
  return texts.say("formSaid", { title: form.title, told: given.join(texts.say("formSaidJoint")) });
}

/** For people: a choice by its label, yes and no in their language. */
function told({ options = [] }, value, texts) {
  if (value === null || value === undefined) return texts.say("formEmpty");
  if (typeof value === "boolean") return texts.say(value ? "formYes" : "formNo");
  return options.find((option) => option.value === value)?.label ?? String(value);
}
