/**
 * What may be filled in, by the rules of the server (`apps/forms/values.py`), from the same payload.
 *
 * It spares a round trip; the server decides. A fault is a key of the page's texts with its figures.
 *
 * @typedef {{name: string, label: string, type: string, required?: boolean, min?: number,
 *   max?: number, options?: {label: string, value: string | number}[]}} Field
 * @typedef {{key: string, values: Record<string, string | number>}} Fault
 */

export const LIMITS = { text: 500, textarea: 2000 };
/** What the controls of the page cannot give. */
const UNASKED = "unknownError";
const UNSTORABLE = /[\0\p{Surrogate}]/u;
// What Python strips: the white space of Unicode, and four control characters.
const BLANK = /^[\t-\r\x1c-\x20\x85\xa0\u1680\u2000-\u200a\u2028\u2029\u202f\u205f\u3000]*$/;
const DATE = /^(\d{4})-(\d{2})-(\d{2})$/;

/** @param {string} text @returns {number} in code points: an emoji is one */
export function lengthOf(text) {
  let length = 0;
  for (const _ of text) length += 1;
  return length;
}

/** @param {unknown} value */
export function isBlank(value) {
  return value === undefined || value === null || (typeof value === "string" && BLANK.test(value));
}

/**
 * @param {Field[]} fields @param {unknown} values
 * @returns {Map<string, Fault>} by field name; the whole value is ""
 */
export function faultsOf(fields, values) {
  const found = new Map();
  if (typeof values !== "object" || values === null || Array.isArray(values)) {
    return found.set("", fault(UNASKED));
  }
  for (const field of fields) {
    const value = Object.hasOwn(values, field.name) ? values[field.name] : undefined;
    const wrong = faultOf(field, value);
    if (wrong) found.set(field.name, wrong);
  }
  const names = new Set(fields.map((field) => field.name));
  for (const name of Object.keys(values)) if (!names.has(name)) found.set(name, fault(UNASKED));
  return found;
}

/** @param {Field} field @param {unknown} value @returns {Fault | null} */
export function faultOf(field, value) {
  if (field.type === "switch" && typeof value === "string") return fault(UNASKED);
  if (field.type === "select" && isOption(field, value)) return null;
  if (isBlank(value)) return field.required ? fault("errorRequired") : null;
  return CHECKS[field.type](value, field);
}

const CHECKS = {
  text: (value) => textFault(value, LIMITS.text),
  textarea: (value) => textFault(value, LIMITS.textarea),
  number: numberFault,
  select: () => fault("errorOption"),
  date: dateFault,
  switch: (value) => (typeof value === "boolean" ? null : fault(UNASKED)),
};

function textFault(value, limit) {
  if (typeof value !== "string") return fault(UNASKED);
  const length = lengthOf(value);
  if (length > limit) return fault("errorTooLong", { limit, length });
  return UNSTORABLE.test(value) ? fault("errorCharacters") : null;
}

function numberFault(value, { min, max }) {
  if (typeof value !== "number") return fault("errorNotNumber");
  if (!Number.isFinite(value)) return fault("errorNotFinite");
  if (min !== undefined && value < min) return fault("errorMin", { least: String(min) });
  if (max !== undefined && value > max) return fault("errorMax", { most: String(max) });
  return null;
}

function dateFault(value) {
  if (typeof value !== "string") return fault(UNASKED);
  const [, year, month, day] = (DATE.exec(value) ?? []).map(Number);
  const moment = new Date(0);
  moment.setUTCFullYear(year, month - 1, day);
  const exists = year > 0 && moment.getUTCMonth() === month - 1 && moment.getUTCDate() === day;
  return exists ? null : fault("errorDate");
}

function isOption({ options = [] }, value) {
  const kind = typeof value;
  return (kind === "string" || kind === "number") && options.some((one) => one.value === value);
}

/** @returns {Fault} */
function fault(key, values = {}) {
  return { key, values };
}
