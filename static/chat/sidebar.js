/**
 * The list of conversations: a drawer where there is no room beside the conversation.
 */

export class Sidebar {
  /** @param {Document} page */
  constructor(page) {
    this.page = page;
    this.element = page.getElementById("sidebar");
    const main = page.getElementById("main");
    // Before it closes: the focus goes back to a button in what would still be inert.
    this.element.addEventListener("beforetoggle", ({ newState }) => (main.inert = newState === "open"));
    this.element.addEventListener("toggle", ({ newState }) => {
      if (newState === "open") this.element.querySelector(".sidebar-close")?.focus();
      else if (page.activeElement === page.body) page.getElementById("sidebar-toggle").focus();
    });
  }

  get isDrawer() {
    return this.element.matches(":popover-open");
  }

  /** As a newer rendering of the page has it. @param {Document} newer */
  renew(newer) {
    const [old, fresh] = [this.page, newer].map((page) => page.querySelector("#sidebar nav"));
    if (old && fresh) old.replaceWith(this.page.importNode(fresh, true));
  }

  /** @param {string} id @param {string} title */
  rename(id, title) {
    const link = this.element.querySelector(`[data-conversation="${CSS.escape(id)}"]`);
    if (!link) return;
    link.textContent = title;
    link.title = title;
  }
}
