/**
 * Requests to the API in the name of the person who is signed in.
 */

export class Api {
  /** @param {string} base of conversations @param {string} csrfToken */
  constructor(base, csrfToken) {
    this.base = base;
    this.csrfToken = csrfToken;
  }

  /** @param {string} agent its code */
  create(agent) {
    return this.#ask("POST", "", { agent });
  }

  /** @param {string} id */
  read(id) {
    return this.#ask("GET", `${id}/`);
  }

  /** @param {string} id @param {number} after a message id */
  messages(id, after) {
    return this.#ask("GET", `${id}/messages/?cursor=${after}`);
  }

  /** @param {string} id @param {string} title */
  rename(id, title) {
    return this.#ask("PATCH", `${id}/`, { title });
  }

  /**
   * @returns {Promise<any>} the answer; rejects with a `RefusedError`, or a TypeError when nothing
   *   could be reached
   */
  async #ask(method, path, body) {
    const headers = { Accept: "application/json", "X-CSRFToken": this.csrfToken };
    if (body !== undefined) headers["Content-Type"] = "application/json";
    const response = await fetch(this.base + path, {
      method,
      headers,
      body: body === undefined ? undefined : JSON.stringify(body),
    });
    if (!response.ok) throw new RefusedError(response.status, await problemOf(response));
    return response.status === 204 ? null : response.json();
  }
}

/** The server has answered, and the answer is no. */
export class RefusedError extends Error {
  /** @param {number} status @param {Record<string, any>} problem as problem+json */
  constructor(status, problem) {
    super(problem.code ?? String(status));
    this.status = status;
    this.problem = problem;
  }
}

async function problemOf(response) {
  const wait = Number(response.headers.get("Retry-After"));
  const said = await response.json().catch(() => ({}));
  const problem = { status: response.status, ...said };
  return wait ? { ...problem, retry_after: wait } : problem;
}
