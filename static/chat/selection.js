/**
 * What a person has marked inside an element, as places in its text: kept while its nodes change.
 */

/**
 * @param {HTMLElement} place
 * @returns {() => void} marks the same text again, if the change has lost it
 */
export function keepSelection(place) {
  const selection = document.getSelection();
  const { anchorNode, focusNode, anchorOffset, focusOffset } = selection ?? {};
  if (!selection || selection.isCollapsed || !place.contains(anchorNode)) return () => {};
  if (!place.contains(focusNode)) return () => {};
  const text = selection.toString();
  const ends = [offsetOf(place, anchorNode, anchorOffset), offsetOf(place, focusNode, focusOffset)];
  return () => {
    if (selection.toString() === text) return;
    const [anchor, focus] = ends.map((offset) => placeOf(place, offset));
    if (anchor && focus) selection.setBaseAndExtent(...anchor, ...focus);
  };
}

/** Counted without the line breaks that stand between blocks: renderers differ in them. */
function offsetOf(place, node, offset) {
  const range = document.createRange();
  range.setStart(place, 0);
  range.setEnd(node, offset);
  return lengthOf(range.toString());
}

function placeOf(place, offset) {
  const walker = document.createTreeWalker(place, NodeFilter.SHOW_TEXT);
  let rest = offset;
  for (let node = walker.nextNode(); node; node = walker.nextNode()) {
    for (let at = 0; at <= node.data.length; at += 1) {
      if (rest === 0 && node.data.trim()) return [node, at];
      if (node.data[at] !== "\n") rest -= at < node.data.length ? 1 : 0;
    }
  }
  return null;
}

function lengthOf(text) {
  return text.replaceAll("\n", "").length;
}
