/**
 * The chat page: puts its parts together. Each part is a module beside this one.
 */

import { listenToActions } from "./actions.js";
import { Announcer } from "./announcer.js";
import { Api } from "./api.js";
import { Brush } from "./brush.js";
import { tellZone } from "./clock.js";
import { dressCode } from "./code_blocks.js";
import { Composer, isComposing } from "./composer.js";
import { readConfig, Texts } from "./config.js";
import { ConnectionSign } from "./connection_sign.js";
import { Conversation } from "./conversation.js";
import { ConversationMenu } from "./conversation_menu.js";
import { Copier } from "./copy.js";
import { Drafts, openStore } from "./drafts.js";
import { Forms } from "./forms.js";
import { Log } from "./log.js";
import { Outbox } from "./outbox.js";
import { sayProblem } from "./problem.js";
import { renderedPage } from "./rendering.js";
import { Scroll } from "./scroll.js";
import { Sidebar } from "./sidebar.js";
import { Speaking } from "./speaking.js";
import { Standing } from "./standing.js";
import { Templates } from "./templates.js";

const $ = (/** @type {string} */ id) => document.getElementById(id);

const config = readConfig(document);
const texts = new Texts(config.texts);
const templates = new Templates(document);
const announcer = new Announcer($("announcer"), texts);
const api = new Api(config.urls.api, config.csrfToken);
const drafts = new Drafts(openStore(() => localStorage));
const outbox = new Outbox(openStore(() => sessionStorage));
const scroll = new Scroll($("log"), $("to-latest"));
const brush = new Brush(() => scroll.settle());
const sidebar = new Sidebar(document);
const speaking = new Speaking(announcer);
const sign = new ConnectionSign($("connection"), texts, announcer);

const forms = new Forms({
  templates,
  texts,
  drafts,
  announcer,
  submit: (card, values) => send({ action: "submit_form", formId: card.form.id, values }),
});
const log = new Log(
  $("log"),
  { templates, texts, brush, formOf: (form) => forms.of(form) },
  (formId, told) => forms.find(formId)?.submitted(told),
);
const standing = new Standing(() =>
  composer?.show({ busy: standing.busy, stopping: standing.stopping !== null }),
);
const composer = $("composer") && new Composer($("composer"), {
  texts,
  announcer,
  limit: config.limits.content,
  onSend: (content) => say(content),
  onStop: () => conversation.stop(),
  onInput: (text) => drafts.write(`text.${conversation.place}`, text),
});
const conversation = new Conversation(config, api, {
  log,
  api,
  outbox,
  standing,
  onState: (state) => sign.show(state),
  onLost: lost,
  onRefused: refused,
  onAccepted: accepted,
  onEvent: (name, data, runId) => {
    speaking.hear(name, data, runId);
    scroll.settle();
    if (name === "message.created" && data.role === "user") began();
  },
});

/** @param {string} content */
function say(content) {
  if (composer) composer.text = "";
  scroll.toEnd();
  send({ action: "send", content });
}

/** @param {Record<string, any>} what an action without its id */
async function send(what) {
  const item = { ...what, clientRequestId: newId() };
  showSending(item);
  try {
    await conversation.send(item);
  } catch (error) {
    standing.send(false);
    refused(item, error.problem ?? { detail: texts.say("noNetwork") });
  }
}

/** The connection sends it; an item of the page before this one is among them. */
function showSending(item) {
  standing.send(true);
  if (item.content) log.sending(item.clientRequestId, item.content);
  if (item.formId) forms.find(item.formId)?.wait();
  scroll.settle();
}

/** What was typed and could not be said is given back. */
function refused(item, problem) {
  if (problem.status === 401) return lost(4401);
  const said = sayProblem(problem, texts);
  if (item?.formId) return forms.find(item.formId)?.refused(problem);
  if (item?.content) {
    log.unsent(item.clientRequestId);
    composer?.giveBack(item.content);
  }
  return composer ? composer.tell(said, { wrong: true }) : announcer.tell(said);
}

function accepted(item) {
  log.unsent(item.clientRequestId);
  if (item.content && !composer?.text) drafts.drop(`text.${conversation.place}`);
}

/** The server will not have this page any more. @param {number} code */
function lost(code) {
  if (code === 4401) {
    const next = encodeURIComponent(location.pathname + location.search);
    location.assign(`${config.urls.signIn}?next=${next}`);
    return;
  }
  const text = texts.say(code === 4404 ? "notFound" : "rightLost");
  const closed = templates.make("closed");
  closed.querySelector("[data-slot=message]").textContent = text;
  $("composer")?.replaceWith(closed);
  $("connection").hidden = true;
  announcer.tell(text);
}

/** The first message gives a new conversation its place in the list, its title and its menu. */
async function began() {
  if (!conversation.begun) return;
  conversation.begun = false;
  const newer = await renderedPage(location.href);
  if (!newer) return;
  sidebar.renew(newer);
  menu.renew(newer);
  document.title = newer.title;
}

const menu = new ConversationMenu(document, {
  api,
  texts,
  announcer,
  id: () => conversation.id,
  onRenamed: (title) => {
    sidebar.rename(conversation.id, title);
    document.title = [title, ...document.title.split(" · ").slice(-2)].join(" · ");
  },
  onDeleted: () => {
    drafts.drop(`text.${conversation.place}`);
    location.assign("/");
  },
});

/** An answer as Markdown: heard, or asked for. @param {HTMLElement} message */
async function sourceOf({ dataset, innerText }) {
  const heard = log.saidBy(dataset.runId);
  if (heard !== undefined) return heard;
  const after = Number(dataset.messageId) - 1;
  const page = await api.messages(conversation.id, after).catch(() => null);
  return page?.results[0]?.content ?? innerText;
}

/** A request id; `randomUUID` is only there over TLS or at home. */
function newId() {
  if (crypto.randomUUID) return crypto.randomUUID();
  const bytes = crypto.getRandomValues(new Uint8Array(16));
  bytes[6] = (bytes[6] & 0x0f) | 0x40;
  bytes[8] = (bytes[8] & 0x3f) | 0x80;
  const hex = [...bytes].map((byte) => byte.toString(16).padStart(2, "0")).join("");
  return hex.replace(/^(.{8})(.{4})(.{4})(.{4})(.{12})$/, "$1-$2-$3-$4-$5");
}

listenToActions($("log"), {
  copier: new Copier(templates, announcer),
  sourceOf,
  onRetry: (messageId) => !standing.busy && send({ action: "regenerate", messageId }),
  onSuggestion: (text) => !standing.busy && say(text),
});
document.addEventListener("keydown", (event) => {
  if (event.key !== "Escape" || event.defaultPrevented || isComposing(event)) return;
  if (standing.busy && !sidebar.isDrawer) conversation.stop();
});
document.addEventListener("submit", ({ target }) => {
  if (!/\/logout\/$/.test(target.action)) return;
  drafts.sweep({ all: true });
  openStore(() => sessionStorage)?.clear();
});

tellZone(document);
drafts.sweep();
forms.adopt($("log"));
dressCode($("log"), templates);
if (composer) {
  composer.text = drafts.read(`text.${conversation.place}`) ?? "";
  composer.focus();
}
standing.set(config.activeRun?.runId ?? null);
for (const item of outbox.waiting) showSending(item);
scroll.toEnd();
document.body.dataset.ready = "";
