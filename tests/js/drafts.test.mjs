/** What is kept in the browser, and what becomes of it. */
import assert from "node:assert/strict";
import { test } from "node:test";

import { Texts } from "../../static/chat/config.js";
import { Drafts, openStore } from "../../static/chat/drafts.js";
import { Outbox } from "../../static/chat/outbox.js";
import { sayProblem } from "../../static/chat/problem.js";

/** As a browser's, over a Map. */
function storage() {
  const kept = new Map();
  return {
    getItem: (key) => kept.get(key) ?? null,
    setItem: (key, value) => void kept.set(key, value),
    removeItem: (key) => void kept.delete(key),
    key: (index) => [...kept.keys()][index] ?? null,
    get length() {
      return kept.size;
    },
  };
}

const full = {
  ...storage(),
  setItem() {
    throw new Error("QuotaExceededError");
  },
};

test("a draft is read as it was written", () => {
  const drafts = new Drafts(storage());
  drafts.write("text.a", "typed");
  drafts.write("form.f", { name: "李四", on: false });
  assert.equal(drafts.read("text.a"), "typed");
  assert.deepEqual(drafts.read("form.f"), { name: "李四", on: false });
  assert.equal(drafts.read("text.b"), null);
});

test("an empty draft is none", () => {
  const store = storage();
  const drafts = new Drafts(store);
  drafts.write("text.a", "typed");
  drafts.write("text.a", "");
  assert.equal(store.length, 0);
});

test("old drafts go, and all when somebody signs out", () => {
  let now = 0;
  const store = storage();
  store.setItem("somebody-else", "1");
  const drafts = new Drafts(store, () => now);
  drafts.write("text.old", "x");
  now = 29 * 24 * 3600 * 1000;
  drafts.write("text.new", "y");
  now += 2 * 24 * 3600 * 1000;
  drafts.sweep();
  assert.deepEqual([drafts.read("text.old"), drafts.read("text.new")], [null, "y"]);
  drafts.sweep({ all: true });
  assert.equal(store.length, 1);
});

test("a full, forbidden or spoilt store stops nothing", () => {
  const drafts = new Drafts(full);
  drafts.write("text.a", "typed");
  assert.equal(drafts.read("text.a"), null);
  const none = openStore(() => {
    throw new Error("SecurityError");
  });
  assert.equal(new Drafts(none).read("text.a"), null);
  const spoilt = storage();
  spoilt.setItem("steward.draft.text.a", "{");
  assert.equal(new Drafts(spoilt).read("text.a"), null);
});

const item = (clientRequestId) => ({ action: "send", clientRequestId, content: "hello" });

test("what was sent waits until it is settled, once", () => {
  const outbox = new Outbox(storage());
  outbox.open("c");
  outbox.add(item("1"));
  assert.deepEqual(outbox.waiting, [item("1")]);
  assert.deepEqual(outbox.settle("1"), item("1"));
  assert.equal(outbox.settle("1"), null);
});

test("the next page sends what this one could not, with the same id", () => {
  let now = 0;
  const store = storage();
  const before = new Outbox(store, () => now);
  before.open("c");
  before.add(item("1"));
  const after = new Outbox(store, () => now);
  after.open("c");
  assert.deepEqual(after.waiting, [item("1")]);
  const elsewhere = new Outbox(store, () => now);
  elsewhere.open("d");
  assert.deepEqual(elsewhere.waiting, []);
  now = 3_600_000;
  const late = new Outbox(store, () => now);
  late.open("c");
  assert.deepEqual(late.waiting, []);
});

test("what is sent before there is a conversation is kept with it", () => {
  const store = storage();
  const outbox = new Outbox(store);
  outbox.add(item("1"));
  outbox.open("c");
  const after = new Outbox(store);
  after.open("c");
  assert.deepEqual(after.waiting, [item("1")]);
});

test("a full store keeps what was sent in memory", () => {
  const outbox = new Outbox(full);
  outbox.open("c");
  outbox.add(item("1"));
  assert.equal(outbox.waiting.length, 1);
});

const texts = new Texts({
  tryAgainIn: "Again in {seconds} s",
  errorNoGood: "No good",
  unknownError: "Something",
});

test("a refusal says when to try again", () => {
  assert.equal(sayProblem({ detail: "Too many.", retry_after: 7 }, texts), "Too many. Again in 7 s");
  assert.equal(sayProblem({ errors: { content: ["Empty."] } }, texts), "Empty.");
  assert.equal(sayProblem({}, texts), "Something");
});

test("a text has its values, and a code its text", () => {
  assert.equal(texts.say("tryAgainIn", { seconds: 3 }), "Again in 3 s");
  assert.equal(texts.say("constructor"), "constructor");
  assert.equal(texts.of("error", "no_good", "told"), "No good");
  assert.equal(texts.of("error", "other", "told"), "told");
});
