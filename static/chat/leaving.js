/**
 * The server will not have this page any more: signed out, right lost, conversation gone.
 */

/** The code with which a socket ends whose session is over. */
export const SIGNED_OUT = 4401;

/**
 * @param {number} code of the socket's end
 * @param {{page: Document, signIn: string, texts: import("./config.js").Texts,
 *   templates: import("./templates.js").Templates,
 *   announcer: import("./announcer.js").Announcer}} means
 */
export function leave(code, { page, signIn, texts, templates, announcer }) {
  if (code === SIGNED_OUT) {
    const next = encodeURIComponent(location.pathname + location.search);
    location.assign(`${signIn}?next=${next}`);
    return;
  }
  const text = texts.say(code === 4404 ? "notFound" : "rightLost");
  const closed = templates.make("closed");
  closed.querySelector("[data-slot=message]").textContent = text;
  page.getElementById("composer")?.replaceWith(closed);
  page.getElementById("connection").hidden = true;
  announcer.tell(text);
}
