/**
 * Make the end of an element equal to new nodes and touch nothing that is equal already: text that
 * only grew is appended to, so a selection in it stays.
 */

/**
 * @param {Node} parent @param {Node} wanted whose children are used up
 * @param {number} [from] children before it are let alone
 */
export function graft(parent, wanted, from = 0) {
  let old = parent.childNodes[from] ?? null;
  for (const fresh of [...wanted.childNodes]) {
    if (old === null) {
      parent.appendChild(fresh);
      continue;
    }
    const next = old.nextSibling;
    if (!grow(old, fresh)) parent.replaceChild(fresh, old);
    old = next;
  }
  while (old !== null) {
    const next = old.nextSibling;
    parent.removeChild(old);
    old = next;
  }
}

/** @returns {boolean} whether `old` could be made what `fresh` is */
function grow(old, fresh) {
  if (old.nodeType !== fresh.nodeType || old.nodeName !== fresh.nodeName) return false;
  if (old.nodeType === Node.TEXT_NODE) return growText(old, fresh.data);
  if (!sameAttributes(old, fresh)) return false;
  graft(old, fresh);
  return true;
}

function growText(old, text) {
  if (old.data === text) return true;
  if (!text.startsWith(old.data)) return false;
  old.appendData(text.slice(old.length));
  return true;
}

function sameAttributes(old, fresh) {
  const names = fresh.getAttributeNames();
  if (old.getAttributeNames().length !== names.length) return false;
  return names.every((name) => old.getAttribute(name) === fresh.getAttribute(name));
}
