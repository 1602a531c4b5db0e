/** What events make of an answer. */
import assert from "node:assert/strict";
import { test } from "node:test";

import { Answer } from "../../static/chat/answer.js";

const shape = (answer) =>
  answer.parts.map((part) => (part.type === "tool" ? `${part.id}:${part.state}` : (part.text ?? part.id)));
const said = (...deltas) => deltas.map((delta) => ["message.delta", { delta }]);
const call = (toolCallId) => [
  ["tool.started", { toolCallId, name: "find", arguments: { a: 1 } }],
  ["tool.completed", { toolCallId, name: "find", ok: true, result: { n: 1 }, durationMs: 12 }],
];

function answerOf(events) {
  const answer = new Answer(1);
  for (const [name, data] of events) answer.apply(name, data);
  return answer;
}

test("thirty deltas are one text in their order", () => {
  const words = Array.from({ length: 30 }, (_, index) => `${index + 1} `);
  const answer = answerOf(said(...words));
  assert.deepEqual(shape(answer), [words.join("")]);
});

test("parts stand in the order of the stream", () => {
  const events = [...said("A"), ...call("c1"), ...said("\n\nB"), ...call("c2"), ...said("\n\nC")];
  const answer = answerOf(events);
  assert.deepEqual(shape(answer), ["A", "c1:succeeded", "\n\nB", "c2:succeeded", "\n\nC"]);
  assert.equal(answer.text, "A\n\nB\n\nC");
});

test("a call is told anew in its place", () => {
  const answer = new Answer(1);
  const [first] = answer.apply(...call("c1")[0]);
  const [again] = answer.apply("tool.completed", {
    toolCallId: "c1",
    name: "find",
    ok: false,
    errorMessage: "no",
    durationMs: 3,
  });
  assert.equal(first, again);
  assert.deepEqual([again.state, again.errorMessage, again.durationMs], ["failed", "no", 3]);
});

test("a form stands once", () => {
  const form = { id: "f", title: "t", fields: [], status: "pending" };
  const answer = answerOf([["ui.form", { form }], ["ui.form", { form: { ...form, title: "u" } }]]);
  assert.deepEqual(shape(answer), ["f"]);
  assert.equal(answer.parts[0].form.title, "u");
});

test("a restated answer keeps cards and what is still true", () => {
  const answer = answerOf([...said("A"), ...call("c1"), ...said("\n\nlost")]);
  answer.apply("message.restated", { content: "A", attempt: 2 });
  assert.deepEqual(shape(answer), ["A", "c1:succeeded", ""]);
  answer.apply("message.delta", { delta: "\n\nnew" });
  assert.equal(answer.text, "A\n\nnew");
});

test("what was missed comes with the finished message", () => {
  const answer = answerOf([...said("The beg"), ...call("c")]);
  const changed = answer.apply("message.completed", { content: "The beginning", html: "<p>" });
  assert.equal(answer.text, "The beginning");
  assert.ok(changed.length > 0);
  assert.equal(answer.html, "<p>");
});

test("a failed answer keeps its text and is not complete", () => {
  const answer = answerOf([
    ...said("Par"),
    ["message.completed", { content: "Par", html: "" }],
    ["error", { code: "x", message: "m", retryable: true, traceId: "t" }],
    ["run.completed", { status: "failed", finishReason: null }],
  ]);
  assert.deepEqual([answer.text, answer.status, answer.error.code], ["Par", "failed", "x"]);
});

test("an interrupted leg leaves the answer open", () => {
  const answer = answerOf([["run.completed", { status: "interrupted", finishReason: null }]]);
  assert.equal(answer.status, "pending");
});

test("thinking stands apart from what is said", () => {
  const thought = ["reasoning.delta", { delta: "hm" }];
  const answer = answerOf([thought, thought, ...said("yes")]);
  assert.deepEqual(shape(answer), ["hmhm", "yes"]);
  assert.equal(answer.text, "yes");
});

test("an unknown event changes nothing", () => {
  assert.deepEqual(answerOf([["something.new", { messageId: 1 }]]).parts, []);
});
