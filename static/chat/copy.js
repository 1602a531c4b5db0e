/**
 * Copying: a button says that it has done it.
 */

const SHOWN = 1600;

export class Copier {
  /**
   * @param {import("./templates.js").Templates} templates
   * @param {import("./announcer.js").Announcer} announcer
   */
  constructor(templates, announcer) {
    this.templates = templates;
    this.announcer = announcer;
  }

  /** @param {HTMLElement} button @param {string} text */
  async copy(button, text) {
    try {
      await navigator.clipboard.writeText(text);
    } catch {
      if (!copyByHand(text)) {
        this.announcer.say("copyFailed");
        return;
      }
    }
    this.announcer.say("copied");
    this.#mark(button);
  }

  #mark(button) {
    const icon = button.querySelector("svg");
    if (!icon || button.dataset.copied !== undefined) return;
    const check = this.templates.make("icon-check");
    button.dataset.copied = "";
    icon.replaceWith(check);
    setTimeout(() => {
      check.replaceWith(icon);
      delete button.dataset.copied;
    }, SHOWN);
  }
}

/** Where there is no clipboard: a page that was not loaded over TLS. */
function copyByHand(text) {
  const focused = document.activeElement;
  const field = document.createElement("textarea");
  field.value = text;
  field.className = "visually-hidden";
  document.body.append(field);
  field.select();
  const copied = document.execCommand("copy");
  field.remove();
  focused?.focus();
  return copied;
}
