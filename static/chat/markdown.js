/**
 * Model text as nodes: the rules of the server's `apps/lib/markdown.py`, so that a stream looks like
 * the finished message. CommonMark with tables and strikethrough; HTML is text; an image is a link.
 *
 * Knows no DOM: it gives HTML that only `sanitise.js` may make nodes of.
 */

import { Lexer, Marked, Parser } from "../vendor/marked.esm.js";

const MAX_LENGTH = 200_000;
const MAX_NESTING = 60;
const DEEP = new RegExp(`^(?:[ \\t]*[>*+-]){${MAX_NESTING},}`, "m");
const nothing = () => undefined;

const renderer = {
  /** On the left is where text stands anyway. */
  tablecell({ header, align, tokens }) {
    const tag = header ? "th" : "td";
    const side = align === "center" || align === "right" ? ` align="${align}"` : "";
    return `<${tag}${side}>${this.parser.parseInline(tokens)}</${tag}>\n`;
  },
  html: ({ text }) => escape(text),
  del({ tokens }) {
    return `<s>${this.parser.parseInline(tokens)}</s>`;
  },
  image({ href, text }) {
    return `<a href="${escape(href)}">${escape(text || href)}</a>`;
  },
  checkbox: ({ checked }) => (checked ? "[x] " : "[ ] "),
};

const tokenizer = {
  html: nothing,
  tag: nothing,
  url: nothing,
  /** One tilde is a tilde. */
  del: (source) => (source.startsWith("~~") ? false : undefined),
};

const options = new Marked({ renderer, tokenizer }).defaults;

/**
 * The blocks of a text, in order; their `raw` add up to it.
 * @param {string} text @param {Record<string, any>} [links] definitions that were read before; what
 *   is read now is put into it
 * @returns {any[]}
 */
export function blocksOf(text, links = {}) {
  const lexer = new Lexer(options);
  if (!isReadable(text)) return [{ type: "plain", raw: text }];
  Object.assign(lexer.tokens.links, links);
  try {
    const tokens = lexer.lex(text);
    Object.assign(links, tokens.links);
    return [...tokens];
  } catch (error) {
    if (error instanceof RangeError) return [{ type: "plain", raw: text }];
    throw error;
  }
}

/** @param {any[]} blocks @returns {string} HTML, not to be trusted */
export function htmlOf(blocks) {
  if (blocks.some(({ type }) => type === "plain")) {
    return `<pre>${escape(blocks.map(({ raw }) => raw).join(""))}</pre>`;
  }
  return Parser.parse(blocks, options);
}

/** @param {string} text */
export function escape(text) {
  return text.replace(/[&<>"]/g, (letter) => `&#${letter.charCodeAt(0)};`);
}

/** A text so long or so deep that reading it would take the page away. */
function isReadable(text) {
  return text.length <= MAX_LENGTH && !DEEP.test(text);
}
