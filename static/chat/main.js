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
import { leave, SIGNED_OUT } from "./leaving.js";
import { Log } from "./log.js";
import { Outbox } from "./outbox.js";
import { renderedPage } from "./rendering.js";
import { Scroll } from "./scroll.js";
import { Sending } from "./sending.js";
import { Sidebar } from "./sidebar.js";
import { Speaking } from "./speaking.js";
import { Standing } from "./standing.js";
import { Templates } from "./templates.js";
import { Toast } from "./toast.js";

const $ = (/** @type {string} */ id) => document.getElementById(id);

const config = readConfig(document);
const texts = new Texts(config.texts);
const templates = new Templates(document);
const announcer = new Announcer($("announcer"), texts);
const toast = new Toast($("toast"), announcer);
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
  submit: (card, values) =>
    sending.send({ action: "submit_form", formId: card.form.id, values }),
});
const log = new Log(
  $("log"),
  {
    templates,
    texts,
    brush,
    tools: config.tools,
    formOf: (form, filled) => forms.of(form, filled),
    saidOf: (submission) => forms.said(submission),
  },
  (formId, told) => forms.find(formId)?.submitted(told),
);
const standing = new Standing(() =>
  composer?.show({ busy: standing.busy, stopping: standing.isStopping }),
);
const sending = new Sending({
  log,
  forms,
  drafts,
  standing,
  texts,
  announcer,
  scroll,
  composer: () => composer,
  conversation: () => conversation,
  onSignedOut: () => lost(SIGNED_OUT),
});
const composer = $("composer") && new Composer($("composer"), {
  texts,
  announcer,
  limit: config.limits.content,
  onSend: (content) => sending.say(content),
  onStop: () => conversation.stop(),
  onInput: (text) => drafts.write(`text.${conversation.place}`, text),
});
const lost = (code) =>
  leave(code, { page: document, signIn: config.urls.signIn, texts, templates, announcer });
const conversation = new Conversation(config, api, {
  log,
  api,
  outbox,
  standing,
  onState: (state) => {
    sign.show(state);
    standing.hear(state === "online");
  },
  onLost: lost,
  onWithdrawn: (item) => sending.withdrawn(item),
  onRefused: (item, problem) => sending.refused(item, problem),
  onAccepted: (item) => sending.accepted(item),
  onEvent: (name, data, runId) => {
    speaking.hear(name, data, runId);
    scroll.settle();
    if (name === "message.created" && data.role === "user") began();
  },
});

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
    toast.show(texts.say("renamed"));
  },
  onDelete: () => drafts.drop(`text.${conversation.place}`),
});

/** An answer as Markdown: heard, or asked for. @param {HTMLElement} message */
async function sourceOf({ dataset, innerText }) {
  const heard = log.saidBy(dataset.runId);
  if (heard !== undefined) return heard;
  const after = Number(dataset.messageId) - 1;
  const page = await api.messages(conversation.id, after).catch(() => null);
  return page?.results[0]?.content ?? innerText;
}

listenToActions($("log"), {
  copier: new Copier(templates, announcer),
  sourceOf,
  onRetry: (messageId) => sending.again(messageId),
  onSuggestion: (text) => standing.busy || sending.say(text),
});
document.addEventListener("keydown", (event) => {
  if (event.key !== "Escape" || event.defaultPrevented || isComposing(event)) return;
  if (standing.busy && !sidebar.isDrawer) conversation.stop();
});
document.addEventListener("submit", ({ target }) => {
  const action = target.getAttribute("action") ?? "";
  // Back to where one is by then: the first message gives a conversation its address.
  if (/\/language\/$/.test(action)) target.elements.next.value = location.pathname + location.search;
  if (!/\/logout\/$/.test(action)) return;
  drafts.sweep({ all: true });
  openStore(() => sessionStorage)?.clear();
});

tellZone(document);
drafts.sweep();
forms.adopt($("log"));
dressCode($("log"), templates);
if (composer) {
  composer.text ||= drafts.read(`text.${conversation.place}`) ?? "";
  if (!document.activeElement?.matches("input, select, textarea")) composer.focus();
}
standing.set(config.activeRun?.runId ?? null);
for (const item of outbox.waiting) sending.show(item);
scroll.settle();
toast.repeat();
document.body.dataset.ready = "";
for (const element of document.querySelectorAll("[data-early]")) {
  delete element.dataset.early;
  if (element.matches("form")) element.requestSubmit();
  else element.click();
}
