/**
 * What was typed but not sent, kept in the browser: texts by conversation, values by form.
 *
 * Nothing here may stop the page: a full or forbidden store keeps nothing. The drafts go when
 * somebody signs out, and after 30 days.
 */

const PREFIX = "steward.draft.";
const KEEP = 30 * 24 * 3600 * 1000;

export class Drafts {
  /** @param {Storage | null} store @param {() => number} [now] */
  constructor(store, now = Date.now) {
    this.store = store;
    this.now = now;
  }

  /** @param {string} key @returns {any} null when there is none */
  read(key) {
    return this.#try((store) => {
      const kept = JSON.parse(store.getItem(PREFIX + key) ?? "null");
      return kept && this.now() - kept.at < KEEP ? kept.value : null;
    });
  }

  /** An empty value is none. @param {string} key @param {any} value */
  write(key, value) {
    if (isEmpty(value)) return this.drop(key);
    return this.#try((store) =>
      store.setItem(PREFIX + key, JSON.stringify({ at: this.now(), value })),
    );
  }

  /** @param {string} key */
  drop(key) {
    this.#try((store) => store.removeItem(PREFIX + key));
  }

  /** Forget what is old, or everything. @param {{all?: boolean}} [what] */
  sweep({ all = false } = {}) {
    this.#try((store) => {
      const keys = Array.from({ length: store.length }, (_, index) => store.key(index));
      for (const key of keys) {
        if (!key?.startsWith(PREFIX)) continue;
        if (all || this.read(key.slice(PREFIX.length)) === null) store.removeItem(key);
      }
    });
  }

  #try(work) {
    try {
      return this.store ? work(this.store) : null;
    } catch {
      return null;
    }
  }
}

/** The browser's store, or none where it is forbidden. @param {() => Storage} open */
export function openStore(open) {
  try {
    return open();
  } catch {
    return null;
  }
}

function isEmpty(value) {
  if (value === null || value === undefined || value === "") return true;
  return typeof value === "object" && Object.keys(value).length === 0;
}
