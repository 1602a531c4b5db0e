/**
 * From what somebody wants said to what the server has, or back to where it was typed.
 */

import { newId } from "./ids.js";
import { sayProblem } from "./problem.js";

/**
 * @typedef {{log: import("./log.js").Log, forms: import("./forms.js").Forms,
 *   onSignedOut: () => void,
 *   drafts: import("./drafts.js").Drafts, standing: import("./standing.js").Standing,
 *   texts: import("./config.js").Texts, announcer: import("./announcer.js").Announcer,
 *   scroll: import("./scroll.js").Scroll,
 *   composer: () => import("./composer.js").Composer | null,
 *   conversation: () => import("./conversation.js").Conversation}} Means
 */

export class Sending {
  /** @param {Means} means */
  constructor(means) {
    this.means = means;
  }

  /** @param {string} content */
  say(content) {
    const composer = this.means.composer();
    if (composer) composer.text = "";
    // A suggestion is gone once it is said; on a phone the keyboard would cover the answer.
    if (!matchMedia("(pointer: coarse)").matches) composer?.focus();
    this.means.scroll.toEnd();
    this.send({ action: "send", content });
  }

  /** @param {number} messageId of the answer to be given anew */
  again(messageId) {
    if (this.means.standing.busy) return;
    this.means.composer()?.focus();
    this.send({ action: "regenerate", messageId });
  }

  /** @param {Record<string, any>} what an action without its id */
  async send(what) {
    const item = { ...what, clientRequestId: newId() };
    this.show(item);
    try {
      await this.means.conversation().send(item);
    } catch (error) {
      this.means.standing.send(false);
      this.refused(item, error.problem ?? { detail: this.means.texts.say("noNetwork") });
    }
  }

  /** It is on its way, perhaps since the page before this one. @param {Record<string, any>} item */
  show(item) {
    const { standing, log, forms, scroll } = this.means;
    standing.send(true);
    if (item.content) log.sending(item.clientRequestId, item.content);
    if (item.formId) forms.find(item.formId)?.wait();
    scroll.settle();
  }

  /** The server has it. */
  accepted({ clientRequestId, content }) {
    const { log, drafts, composer, conversation } = this.means;
    log.unsent(clientRequestId);
    if (content && !composer()?.text) drafts.drop(`text.${conversation().place}`);
  }

  /** It has not left and shall not: what was typed is given back. */
  withdrawn(item) {
    const { forms, log, composer, texts, announcer } = this.means;
    if (item.formId) forms.find(item.formId)?.rest();
    if (item.content) {
      log.unsent(item.clientRequestId);
      composer()?.giveBack(item.content);
    }
    composer()?.say("withdrawn");
    announcer.tell(texts.say("withdrawn"));
  }

  /** What was typed and could not be said is given back, and kept for who signs in again. */
  refused(item, problem) {
    this.#giveBack(item, problem);
    if (problem.status === 401) this.means.onSignedOut();
  }

  #giveBack(item, problem) {
    const { texts, forms, log, announcer } = this.means;
    if (item?.formId) {
      forms.find(item.formId)?.refused(problem);
      return;
    }
    const composer = this.means.composer();
    if (item?.content) {
      log.unsent(item.clientRequestId);
      composer?.giveBack(item.content);
    }
    const said = sayProblem(problem, texts);
    if (composer) composer.tell(said, { wrong: true });
    else announcer.tell(said);
  }
}
