/**
 * Which part of a growing text cannot change any more.
 */

/** A line this short may still turn out to go on with the list before it: `2` and then `. two`. */
const UNDECIDED = 8;

/**
 * How much at the beginning is over: the blocks before the last one that says something.
 * @param {any[]} blocks of `text`, in order @param {string} text
 * @returns {{count: number, length: number}} blocks, and the characters that they are made of
 */
export function firmPart(blocks, text) {
  const said = blocks.flatMap(({ type }, index) => (type === "space" ? [] : [index]));
  const { raw = "" } = blocks[said.at(-1)] ?? {};
  const decided = raw.includes("\n") || raw.length > UNDECIDED;
  const end = said.at(decided ? -1 : -2) ?? 0;
  let length = 0;
  for (let count = 0; count < end; count += 1) {
    // The reader gives some blocks another white space than they have.
    if (!text.startsWith(blocks[count].raw, length)) return { count, length };
    length += blocks[count].raw.length;
  }
  return { count: end, length };
}
