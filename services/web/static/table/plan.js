// A plan: decisions that are composed one after another, tried, taken back, and then sent.
// Nothing is sent before one says so. What was sent and not answered is sent again under the same
// key until it is: it is done once. It outlasts a lost connection and a page that is loaded anew.

import { Lost, newKey, Refusal } from "./wire.js";

const PAUSES_MS = [500, 1_000, 2_000, 4_000, 8_000];
const SOON_CODES = new Set(["outcome_unknown", "unavailable"]);

/** The decisions that a seat composes. */
export class Plan {
  /**
   * @param {object} how
   * @param {import("./wire.js").Wire} how.wire
   * @param {string} how.match
   * @param {number} how.seat
   * @param {(said: object) => void} how.changed
   * @param {(words: string, more?: object) => void} how.says
   * @param {(version: number) => Promise<void>} how.done a decision was written, and its last event
   */
  constructor(how) {
    this.how = how;
    this.steps = []; // {question, decision, label}
    this.trial = null; // what would come of them
    this.version = 0; // at which they were composed
    this.sending = null; // {at, waits} while decisions are under way
    this.trying = null; // those that are being tried
    this.trouble = ""; // why they do not fit
    this.refusal = ""; // why the last one was not added
    this.wake = null;
    this.turn = 0; // a later trial makes an earlier one void
  }

  get store() {
    return `hegemon table ${this.how.match} ${this.how.seat}`;
  }

  /** True if more can be added: the result of the last one hides nothing. */
  get open() {
    return !this.steps.length || Boolean(this.trial && this.trial.told);
  }

  /** Add a decision, and see what would come of it; one that is refused is not added. */
  async add(step) {
    if (!this.open || this.sending) return false;
    const done = await this.tryAll([...(this.trying || this.steps), step]);
    if (done === false) await this.notAdded();
    return Boolean(done);
  }

  /** Say why the last one was not added; those before it are tried again. */
  async notAdded() {
    this.refusal = this.trouble;
    this.how.says(this.refusal);
    this.trouble = "";
    await this.again();
  }

  /** Take the last one back. */
  async back() {
    if (this.sending) return;
    await this.tryAll(this.steps.slice(0, -1));
  }

  /** Take all of them back. */
  clear() {
    this.turn += 1;
    this.steps = [];
    this.version = 0; // what is composed next is composed at what is looked at then
    this.trying = this.trial = null;
    this.trouble = "";
    this.keep(null);
    this.how.changed(this);
  }

  /**
   * Try them again: the match has gone on. They stay composed at the version that was looked at,
   * so that whoever sends them is told if that matters.
   */
  async again() {
    const { trying } = this;
    const steps = trying || this.steps;
    if (!steps.length || this.sending) return;
    const done = await this.tryAll(steps, this.version);
    // It was being added, and the match has overtaken it: nobody else will say so.
    if (done === false && trying) await this.notAdded();
  }

  async tryAll(steps, at = 0) {
    if (!steps.length) {
      this.clear();
      return true;
    }
    this.turn += 1;
    this.trying = steps;
    const turn = this.turn;
    const { wire, match, seat } = this.how;
    const decisions = steps.map(({ question, decision }) => ({ question, decision }));
    try {
      const trial = await wire.ask("POST", `/matches/${match}/choices`, { seat, decisions });
      if (turn !== this.turn) return null; // they were tried anew meanwhile
      this.steps = trial.tried.map((one, number) => ({ ...steps[number], label: one.label }));
      this.trial = trial;
      this.version = at || trial.version;
      this.trouble = "";
    } catch (why) {
      if (turn !== this.turn) return null;
      this.trouble = why instanceof Lost ? "The connection is lost; try again." : why.message;
    }
    this.trying = null;
    this.how.changed(this);
    return !this.trouble;
  }

  // --- sending ----------------------------------------------------------------------------------

  /** Send all of them. */
  async send() {
    if (!this.steps.length || this.sending || this.trouble) return;
    const steps = this.steps.map((one) => ({ ...one, key: newKey() }));
    await this.carryOn({ steps, at: this.version });
  }

  /** Go on with what was under way when the page was left, if anything was. */
  async resume() {
    let kept = null;
    try {
      kept = JSON.parse(sessionStorage.getItem(this.store) || "null");
    } catch {
      this.keep(null);
    }
    if (kept && kept.steps && kept.steps.length) await this.carryOn(kept);
  }

  async carryOn(kept) {
    this.turn += 1; // what is being tried is tried no more
    this.trying = null;
    this.steps = kept.steps;
    this.sending = { waits: false };
    this.trouble = "";
    this.keep(kept);
    this.how.changed(this);
    while (kept.steps.length) {
      const answer = await this.sendOne(kept);
      if (!answer) return;
      kept = { steps: kept.steps.slice(1), at: answer.version };
      this.keep(kept.steps.length ? kept : null);
      this.how.done(answer.version);
    }
    await this.how.done(kept.at); // what may be chosen next is known before this one goes
    this.sending = null;
    this.clear();
  }

  /** Send the first; null where it was refused. Asks as often as it takes. */
  async sendOne(kept) {
    const [{ question, decision, key }] = kept.steps;
    const { wire, match, seat } = this.how;
    const headers = { "If-Match": `"${kept.at}"`, "Idempotency-Key": key };
    for (let tries = 0; ; tries += 1) {
      try {
        const said = { seat, question: question || null, decision };
        return await wire.ask("POST", `/matches/${match}/decisions`, said, headers);
      } catch (why) {
        const again = why instanceof Lost || (why instanceof Refusal && why.passing);
        if (!again) return this.refused(kept, why);
        this.sending = { waits: true };
        this.how.changed(this);
        const soon = why instanceof Refusal && SOON_CODES.has(why.code);
        await this.pause(soon ? PAUSES_MS[1] : PAUSES_MS[Math.min(tries, PAUSES_MS.length - 1)]);
      }
    }
  }

  /** The match has gone on, or the rules say no: nothing of the rest was done. */
  async refused(kept, why) {
    this.sending = null;
    this.keep(null);
    const steps = kept.steps.map(({ question, decision, label }) => ({ question, decision, label }));
    if (why.status !== 412) {
      this.steps = [];
      this.trial = null;
      this.how.says(why.message || String(why), { grave: true });
      this.how.changed(this);
      this.how.done(0);
      return null;
    }
    this.steps = steps;
    this.version = why.said.version || this.version; // of which one is told now
    this.how.done(this.version);
    const fits = await this.tryAll(steps);
    this.how.says(fits === false
      ? `The match has changed, and what you composed no longer fits: ${this.trouble}`
      : "The match has changed. Check what happened, and send again if you still want to.",
    { grave: true, since: kept.at });
    return null;
  }

  pause(milliseconds) {
    return new Promise((done) => {
      const timer = setTimeout(done, milliseconds);
      this.wake = () => {
        clearTimeout(timer);
        done();
      };
    });
  }

  /** The connection is back: send at once what waits. */
  awake() {
    if (this.wake) this.wake();
    this.wake = null;
  }

  keep(kept) {
    try {
      if (kept) sessionStorage.setItem(this.store, JSON.stringify(kept));
      else sessionStorage.removeItem(this.store);
    } catch {
      // Without it a page that is loaded anew knows nothing of what was under way; play goes on.
    }
  }
}
