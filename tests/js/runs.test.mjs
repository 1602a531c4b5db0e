/** Cursor and dedupe per run, acknowledgements, frames, waiting. */
import assert from "node:assert/strict";
import { test } from "node:test";

import { Acks, bytesOf } from "../../static/chat/acks.js";
import { delayOf } from "../../static/chat/backoff.js";
import { FrameReader } from "../../static/chat/frames.js";
import { Runs } from "../../static/chat/runs.js";
import { Standing } from "../../static/chat/standing.js";

const FIRST = 10_000_001;

test("an event is fresh once", () => {
  const runs = new Runs();
  assert.equal(runs.take("r", FIRST), "fresh");
  assert.equal(runs.take("r", FIRST), "seen");
  assert.equal(runs.take("r", FIRST + 1), "fresh");
  assert.equal(runs.take("other", FIRST), "fresh");
  assert.equal(runs.last("r"), FIRST + 1);
});

test("a hole asks for a resume and lets nothing pass it", () => {
  const runs = new Runs();
  runs.take("r", FIRST);
  assert.equal(runs.take("r", FIRST + 3), "hole");
  assert.equal(runs.take("r", FIRST + 4), "seen");
  assert.equal(runs.last("r"), FIRST);
  for (let seq = FIRST + 1; seq <= FIRST + 4; seq += 1) assert.equal(runs.take("r", seq), "fresh");
});

test("a hole that stays is one the server cannot fill", () => {
  const runs = new Runs();
  runs.take("r", FIRST);
  assert.equal(runs.take("r", FIRST + 5), "hole");
  assert.equal(runs.take("r", FIRST + 5), "fresh");
  assert.equal(runs.take("r", FIRST + 6), "fresh");
});

test("joining in the middle of a run is a hole", () => {
  assert.equal(new Runs().take("r", FIRST + 7), "hole");
});

test("an epoch begins at its first number", () => {
  const runs = new Runs();
  runs.take("r", FIRST);
  assert.equal(runs.take("r", 20_000_001), "fresh");
  assert.equal(runs.take("r", FIRST + 1), "seen");
  assert.equal(runs.take("r", 30_000_002), "hole");
});

test("a new connection may ask for the hole again", () => {
  const runs = new Runs();
  runs.take("r", FIRST);
  runs.take("r", FIRST + 9);
  runs.reconnected();
  assert.equal(runs.take("r", FIRST + 9), "hole");
});

test("open runs are those without an end", () => {
  const runs = new Runs();
  runs.take("a", FIRST);
  runs.take("b", FIRST);
  runs.end("a");
  assert.deepEqual(runs.open(), ["b"]);
});

test("random cuts and repeats lose and double nothing", () => {
  for (let seed = 1; seed <= 200; seed += 1) {
    let state = seed;
    const random = (below) => (state = (state * 48271) % 0x7fffffff) % below;
    const [runs, got] = [new Runs(), []];
    let at = 1;
    while (got.length < 30) {
      const seq = 10_000_000 + at;
      const taken = runs.take("r", seq);
      if (taken === "fresh") got.push(at);
      at = taken === "hole" || random(5) === 0 ? runs.last("r") % 10_000_000 || 0 : at;
      at += 1 + (random(9) === 0 ? random(3) : 0);
      if (at > 30 && got.length < 30) at = (runs.last("r") % 10_000_000) + 1;
      if (random(11) === 0) runs.reconnected();
    }
    // What was skipped for good is never shown later, and nothing twice or out of order.
    assert.deepEqual(got, [...new Set(got)].sort((a, b) => a - b));
  }
});

test("an acknowledgement comes after 64 frames", () => {
  const acks = new Acks();
  for (let seq = 1; seq < 64; seq += 1) assert.equal(acks.count("r", seq, 10), null);
  assert.deepEqual(acks.count("r", 64, 10), { action: "ack", runId: "r", seq: 64 });
  assert.equal(acks.count("r", 65, 10), null);
});

test("an acknowledgement comes after 64 KiB, counted as bytes", () => {
  const acks = new Acks();
  assert.equal(bytesOf("词😀"), 7);
  assert.equal(acks.count("r", 1, 65_535), null);
  assert.equal(acks.count("other", 9, 65_535), null);
  assert.deepEqual(acks.count("r", 2, 1), { action: "ack", runId: "r", seq: 2 });
});

test("a delta without a run belongs to its message's run", () => {
  const reader = new FrameReader();
  const frame = (members) => reader.read(JSON.stringify(members));
  const delta = (messageId) => ({ event: "message.delta", data: { messageId, delta: "x" } });
  frame({ seq: 1, event: "message.created", data: { messageId: 5 }, runId: "a" });
  frame({ seq: 1, event: "message.created", data: { messageId: 7 }, runId: "b" });
  assert.equal(frame({ seq: 2, ...delta(5) }).runId, "a");
  assert.equal(frame({ seq: 3, ...delta(7) }).runId, "b");
  assert.equal(frame({ seq: 4, event: "error", data: {}, runId: "a" }).runId, "a");
  const hello = frame({ event: "hello", data: { activeRun: null } });
  assert.deepEqual([hello.event, hello.seq], ["hello", null]);
});

test("waiting doubles to half a minute and is never the same", () => {
  const longest = Array.from({ length: 20 }, (_, attempt) => delayOf(attempt, () => 1));
  assert.deepEqual(longest.slice(0, 4), [500, 1000, 2000, 4000]);
  assert.equal(Math.max(...longest), 30_000);
  assert.equal(delayOf(0, () => 0), 250);
});

test("what is enabled follows from the run, not from an event", () => {
  let changes = 0;
  const standing = new Standing(() => (changes += 1));
  standing.send(true);
  assert.ok(standing.busy);
  assert.equal(standing.stop(), null);
  standing.set("r");
  standing.send(false);
  assert.equal(standing.stop(), "r");
  standing.ended("another");
  assert.ok(standing.busy);
  standing.set(null); // a hello without an open run: `run.completed` was never seen
  assert.deepEqual([standing.busy, standing.stopping], [false, null]);
  assert.ok(changes > 5);
});
