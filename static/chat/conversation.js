/**
 * The conversation of the page: there already, or begun by the first message.
 */

import { Chat } from "./chat.js";

export class Conversation {
  /**
   * @param {any} config of the page @param {import("./api.js").Api} api
   * @param {import("./chat.js").Means} means
   */
  constructor(config, api, means) {
    Object.assign(this, { config, api, means });
    /** @type {string | null} */
    this.id = config.conversationId;
    /** @type {Chat | null} */
    this.chat = null;
    this.begun = false;
    if (this.id) this.#open();
  }

  /** Where its unsent text is kept. */
  get place() {
    return this.id ?? `new.${this.config.agent.code}`;
  }

  /** @param {string} address with `ID` in it */
  address(address) {
    return address.replace("ID", this.id ?? "");
  }

  /**
   * Send; the first message makes the conversation. Rejects when that fails.
   * @param {import("./outbox.js").Item} item
   */
  async send(item) {
    if (!this.id) await this.#begin();
    this.chat.send(item);
  }

  stop() {
    if (this.chat) this.chat.stop();
    else this.means.standing.stop();
  }

  async #begin() {
    const { id } = await this.api.create(this.config.agent.code);
    this.id = id;
    this.begun = true;
    history.replaceState(history.state, "", this.address(this.config.urls.page));
    this.#open();
  }

  #open() {
    this.chat = new Chat(this.id, this.address(this.config.urls.socket), this.means);
  }
}
