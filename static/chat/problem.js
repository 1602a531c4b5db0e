/**
 * A refusal (problem+json) in words: what happened, and when to try again.
 */

/** @param {Record<string, any>} problem @param {import("./config.js").Texts} texts */
export function sayProblem(problem, texts) {
  const errors = Object.values(problem.errors ?? {}).flat();
  const said = problem.detail || errors.join(" ") || problem.title || texts.say("unknownError");
  const wait = problem.retry_after ?? problem.retryAfter;
  return wait ? `${said} ${texts.say("tryAgainIn", { seconds: wait })}` : said;
}
