/**
 * Renaming the conversation without leaving the page; without scripts the same form goes to the
 * server, as the one that deletes it always does.
 */

import { sayProblem } from "./problem.js";

/**
 * @typedef {{api: import("./api.js").Api, texts: import("./config.js").Texts,
 *   announcer: import("./announcer.js").Announcer, onRenamed: (title: string) => void,
 *   onDelete: () => void, id: () => string | null}} Means
 */

export class ConversationMenu {
  /** @param {Document} page @param {Means} means */
  constructor(page, means) {
    this.page = page;
    this.means = means;
    page.addEventListener("submit", (event) => this.#submitted(event));
    page.addEventListener("pointerdown", ({ target }) => this.#close(target));
    page.addEventListener("keydown", (event) => {
      if (event.key === "Escape" && this.#close(null)) event.preventDefault();
    });
  }

  /** Of a conversation that has just begun. @param {Document} newer */
  renew(newer) {
    const [old, fresh] = [this.page, newer].map((page) => page.getElementById("conversation-menu"));
    if (old && fresh) old.replaceWith(this.page.importNode(fresh, true));
  }

  async #submitted(event) {
    const form = event.target.closest("#conversation-menu form[data-action]");
    const id = this.means.id();
    if (!form || !id) return;
    if (form.dataset.action === "delete") {
      this.means.onDelete();
      return;
    }
    event.preventDefault();
    try {
      await this.#rename(id, form.elements.namedItem("title"));
    } catch (error) {
      this.means.announcer.tell(sayProblem(error.problem ?? {}, this.means.texts));
      form.submit();
    }
  }

  async #rename(id, field) {
    const { title } = await this.means.api.rename(id, field.value.trim());
    field.value = title;
    this.means.onRenamed(title);
    this.#close(null);
  }

  /** Every open menu that `target` is not in. @returns {boolean} whether there was one */
  #close(target) {
    let closed = false;
    for (const menu of this.page.querySelectorAll("details.menu[open]")) {
      if (target instanceof Node && menu.contains(target)) continue;
      const hadFocus = menu.contains(this.page.activeElement);
      menu.open = false;
      closed = true;
      if (hadFocus) menu.querySelector("summary").focus();
    }
    return closed;
  }
}
