/**
 * HTML of models and servers as nodes that cannot act: the one place where HTML becomes a part of
 * the page. Only the tags that Markdown makes; links lead to http, https or mailto, open beside the
 * page and tell nothing of where they stood; nothing is loaded from anywhere.
 */

import DOMPurify from "../vendor/purify.es.js";

const LANGUAGE = /^language-[\w+#.-]{1,30}$/;
const LEADS = /^(?:https?|mailto):/i;

const RULES = {
  ALLOWED_TAGS: [
    ..."blockquote br h1 h2 h3 h4 h5 h6 hr p pre".split(" "),
    ..."ul ol li table tbody td th thead tr".split(" "),
    ..."a code del em s strong #text".split(" "),
  ],
  ALLOWED_ATTR: ["href", "title", "class", "start", "align"],
  ALLOW_ARIA_ATTR: false,
  ALLOW_DATA_ATTR: false,
  ALLOWED_URI_REGEXP: LEADS,
  ADD_URI_SAFE_ATTR: ["start", "align"], // numbers and words lead nowhere
  RETURN_DOM_FRAGMENT: true,
};
const PLACES = { href: ["A"], title: ["A"], class: ["CODE"], start: ["OL"], align: ["TH", "TD"] };
const VALUES = { class: LANGUAGE, align: /^(?:center|right)$/ };

const purify = DOMPurify(window);
purify.addHook("uponSanitizeAttribute", (node, attribute) => {
  const { attrName: name, attrValue: value } = attribute;
  const fits = PLACES[name]?.includes(node.nodeName) && (VALUES[name]?.test(value) ?? true);
  attribute.keepAttr &&= fits ?? false;
});
purify.addHook("afterSanitizeAttributes", (node) => {
  if (node.nodeName !== "A") return;
  node.setAttribute("rel", "noopener noreferrer nofollow");
  node.setAttribute("target", "_blank");
});

/** @param {string} html @returns {DocumentFragment} */
export function sanitise(html) {
  return purify.sanitize(html, RULES);
}
