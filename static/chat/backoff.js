/**
 * How long to wait before the next attempt to connect: from half a second to half a minute, each
 * time up to twice as long, and never the same for two pages.
 */

const FIRST = 500;
const LONGEST = 30_000;

/** @param {number} attempt 0 for the first @param {() => number} [random] @returns {number} ms */
export function delayOf(attempt, random = Math.random) {
  const whole = Math.min(LONGEST, FIRST * 2 ** Math.min(attempt, 10));
  return Math.round(whole / 2 + (whole / 2) * random());
}
