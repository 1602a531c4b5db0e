/** The browser's rules agree with the corpus of cases that the server is held to. */
import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { test } from "node:test";
import { gunzipSync } from "node:zlib";

import { faultsOf, isBlank, lengthOf } from "../../static/chat/form_rules.js";

const file = new URL("../data/forms.jsonl.gz", import.meta.url);
const cases = gunzipSync(readFileSync(file)).toString().trim().split("\n").map((line) => JSON.parse(line));
const scored = cases.filter((one) => one.scored);

assert.ok(scored.length > 100);
for (const one of scored) {
  test(`${one.id} is judged as the server judges it`, () => {
    const expected = one.expected_strict ?? one.expected;
    const values = valuesOf(one);
    if (values === undefined) return assert.notEqual(expected, "ok");
    const found = faultsOf(one.schema.fields, values);
    if (expected === "ok") assert.deepEqual([...found], []);
    else assert.ok(found.has(expected.error.field ?? ""), JSON.stringify([...found]));
    return undefined;
  });
}

/** What is no JSON never gets as far as a form. */
function valuesOf({ values, values_raw: raw }) {
  if (raw === undefined) return values;
  try {
    return JSON.parse(raw);
  } catch {
    return undefined;
  }
}

test("lengths are code points", () => {
  assert.deepEqual([lengthOf("词"), lengthOf("😀"), lengthOf("a😀b")], [1, 1, 3]);
});

test("white space is what Python strips", () => {
  for (const text of ["", " ", "\t\n", "\u3000", "\u0085", "\x1c"]) assert.ok(isBlank(text));
  for (const value of ["\ufeff", "\u200b", "a", 0, false]) assert.ok(!isBlank(value));
});

test("a field may have any name", () => {
  const field = { name: "__proto__", label: "l", type: "text", required: true };
  const values = Object.fromEntries([["__proto__", "x"]]);
  assert.equal(faultsOf([field], values).size, 0);
  assert.ok(faultsOf([field], {}).has("__proto__"));
  assert.ok(faultsOf([], { constructor: 1 }).has("constructor"));
});
