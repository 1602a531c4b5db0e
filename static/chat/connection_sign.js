/**
 * The sign of the connection in the head of the page.
 */

import { fill } from "./templates.js";

export class ConnectionSign {
  /**
   * @param {HTMLElement} element @param {import("./config.js").Texts} texts
   * @param {import("./announcer.js").Announcer} announcer
   */
  constructor(element, texts, announcer) {
    Object.assign(this, { element, texts, announcer });
    this.wasCut = false;
  }

  /** @param {string} state of the connection */
  show(state) {
    const cut = state === "offline";
    this.element.dataset.state = state;
    fill(this.element, "text", this.texts.say(cut && !navigator.onLine ? "noNetwork" : state));
    if (cut && !this.wasCut) this.announcer.say(navigator.onLine ? "offline" : "noNetwork");
    if (state === "online" && this.wasCut) this.announcer.say("reconnected");
    if (state !== "connecting") this.wasCut = cut;
  }
}
