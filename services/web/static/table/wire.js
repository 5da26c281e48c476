// The wire: the API as this page asks it, and what to think of its answers.

const PATIENCE_MS = 20_000;

/** No answer came: whether it was done, nobody here knows. */
export class Lost extends Error {}

/** An answer that is no success: a stable code, and words for people. */
export class Refusal extends Error {
  /**
   * @param {number} status
   * @param {object} said the problem
   */
  constructor(status, said) {
    super(said.detail || said.title || `The server answered ${status}.`);
    this.status = status;
    this.code = said.code || "";
    this.said = said;
  }

  /** True if the same request may be sent again: nothing was done, or its outcome is unknown. */
  get passing() {
    return this.status >= 502 || this.status === 429 || this.code === "outcome_unknown";
  }
}

/** Asks the API for one page: with the session's cookie, and the word of our pages. */
export class Wire {
  /** @param {string} csrf */
  constructor(csrf) {
    this.csrf = csrf;
  }

  /**
   * Ask; what is answered, which is a success.
   * @param {string} method
   * @param {string} path after /api/v1
   * @param {any} [said]
   * @param {Record<string, string>} [headers]
   * @returns {Promise<any>}
   */
  async ask(method, path, said, headers = {}) {
    const given = { Accept: "application/json", ...headers };
    if (method !== "GET" && this.csrf) given["X-CSRF-Token"] = this.csrf;
    if (said !== undefined) given["Content-Type"] = "application/json";
    const body = said === undefined ? undefined : JSON.stringify(said);
    let answer;
    try {
      const signal = AbortSignal.timeout(PATIENCE_MS);
      answer = await fetch(`/api/v1${path}`, { method, body, signal, headers: given });
    } catch (why) {
      throw new Lost(String(why));
    }
    if (answer.status === 204) return null;
    const found = await read(answer);
    if (answer.ok) return found;
    throw new Refusal(answer.status, found);
  }

  /** @param {string} path */
  get(path) {
    return this.ask("GET", path);
  }
}

async function read(answer) {
  let text;
  try {
    text = await answer.text();
  } catch (why) {
    throw new Lost(String(why));
  }
  try {
    return JSON.parse(text);
  } catch {
    if (answer.ok) throw new Lost("the answer is no JSON");
    return {};
  }
}

/**
 * A key of one's own for something that is to be done once.
 * @returns {string}
 */
export function newKey() {
  const bytes = crypto.getRandomValues(new Uint8Array(12));
  return `table-${[...bytes].map((one) => one.toString(16).padStart(2, "0")).join("")}`;
}
