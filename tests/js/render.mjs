/** Renders the texts on standard input (a JSON array) as the stream does; the HTML on standard output. */
import { readFileSync } from "node:fs";

import { blocksOf, htmlOf } from "../../static/chat/markdown.js";

const texts = JSON.parse(readFileSync(0, "utf8"));
process.stdout.write(JSON.stringify(texts.map((text) => htmlOf(blocksOf(text)))));
