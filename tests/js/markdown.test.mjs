/** Reading a text as it grows. */
import assert from "node:assert/strict";
import { test } from "node:test";

import { blocksOf, htmlOf } from "../../static/chat/markdown.js";
import { firmPart } from "../../static/chat/painting.js";

const TEXT = `# Title

Some *text* with [a link](https://example.com) and \`code\`,
over two lines.

- one
- two

  with a paragraph

3. three
4. four

| a | b |
|---|---|
| 1 | 2 |

\`\`\`js
const a = "<b>";

// two
\`\`\`

> quoted
> twice

***

Last words [ref].

[ref]: https://example.com/ref
`;

/** What a stream shows: settled blocks once, the rest anew at each stroke. */
function painted(text, step) {
  let [settled, html, tail] = [0, "", ""];
  const links = {};
  for (let end = step; end < text.length + step; end += step) {
    const rest = text.slice(settled, end);
    const blocks = blocksOf(rest, links);
    const { count, length } = firmPart(blocks, rest);
    html += htmlOf(blocks.splice(0, count));
    settled += length;
    tail = htmlOf(blocks);
  }
  return { html: html + tail, settled };
}

test("the blocks that are over add up to where the rest begins", () => {
  for (let end = 0; end <= TEXT.length; end += 1) {
    const text = TEXT.slice(0, end);
    const blocks = blocksOf(text);
    const { count, length } = firmPart(blocks, text);
    const raw = blocks.slice(0, count).map((block) => block.raw);
    assert.equal(raw.join(""), text.slice(0, length));
    assert.ok(count < blocks.length || count === 0);
  }
});

test("a stream ends as the whole text does, in pieces of any size", () => {
  const text = TEXT.replace(" [ref]", "");
  const whole = htmlOf(blocksOf(text));
  for (const step of [1, 2, 3, 7, 16, 64, 5000]) {
    const { html, settled } = painted(text, step);
    assert.equal(html, whole, `step ${step}`);
    assert.ok(step > 1000 || settled > text.length / 2);
  }
});

test("a list that goes on is not cut in two", () => {
  assert.equal(painted("1. a\n\n2. b\n\n10. c\n", 1).html.match(/<ol/g).length, 1);
});

test("HTML is text", () => {
  for (const text of ["<b>x</b>", "<script>x</script>", "a <i>b</i>", "<!-- c -->", "<div>\n\nx\n</div>"]) {
    assert.doesNotMatch(htmlOf(blocksOf(text)), /<(?!\/?p>)/);
  }
});

test("an image is a link", () => {
  const html = htmlOf(blocksOf('![a "pic"](https://example.com/p.png) ![](x.png)'));
  assert.doesNotMatch(html, /<img/);
  assert.match(html, /<a href="https:\/\/example.com\/p.png">a &#34;pic&#34;<\/a>/);
});

test("what would take the page away is shown as it is", () => {
  const began = performance.now();
  for (const text of [">".repeat(50_000), "- ".repeat(30_000), "[".repeat(50_000), "*a ".repeat(20_000)]) {
    assert.ok(htmlOf(blocksOf(text)).length > 0);
  }
  assert.match(htmlOf(blocksOf("> ".repeat(100))), /^<pre>/);
  assert.match(htmlOf(blocksOf("x".repeat(200_001))), /^<pre>/);
  assert.ok(performance.now() - began < 5000);
});

test("a long stream costs no more at its end than at its beginning", () => {
  const links = {};
  const long = TEXT.repeat(100);
  let settled = 0;
  for (let end = 5; end < long.length; end += 5) {
    const tail = long.slice(settled, end);
    assert.ok(tail.length < 400, `${tail.length} at ${end}`);
    settled += firmPart(blocksOf(tail, links), tail).length;
  }
});
