// Following: what happens in a match, as it happens; and after a lost connection, what was missed.

const POLL_MS = 3_000;
const AGAIN_MS = 15_000; // from one try to be told live to the next, while it is asked for

/**
 * Follows one match for one pair of eyes.
 *
 *     told      is told live by the server
 *     lost      the connection is lost; the browser tries again
 *     asking    there was no place: asks again and again instead
 */
export class Follower {
  /**
   * @param {object} how
   * @param {string} how.match
   * @param {string} how.as
   * @param {() => number} how.last the last event that is known
   * @param {(kind: string, said: object) => void} how.heard an event, a table or talk that changed
   * @param {(state: string) => void} how.became
   * @param {(since: number) => Promise<object[]>} how.ask for the events since
   */
  constructor(how) {
    this.how = how;
    this.state = "";
    this.source = null;
    this.timer = 0;
    this.next = 0;
  }

  /** Begin, or begin anew. */
  start() {
    this.stop();
    const { match, as, last } = this.how;
    const source = new EventSource(`/live/matches/${match}?as=${as}&since=${last()}`);
    this.source = source;
    source.onopen = () => this.become("told");
    source.onerror = () => this.failed(source);
    for (const kind of ["event", "table", "talk", "problem"]) {
      source.addEventListener(kind, (message) => this.hear(kind, message.data));
    }
  }

  /** Listen no more. */
  stop() {
    if (this.source) this.source.close();
    this.source = null;
    clearTimeout(this.timer);
  }

  hear(kind, data) {
    const said = JSON.parse(data);
    if (kind === "problem") return this.poll();
    this.how.heard(kind, said);
  }

  failed(source) {
    if (source !== this.source) return;
    if (source.readyState === EventSource.CLOSED) this.poll();
    else this.become("lost");
  }

  /** There is no place, or the server will not say: ask instead, and try again later. */
  poll() {
    this.stop();
    this.next = Date.now() + AGAIN_MS;
    const again = async () => {
      try {
        for (const one of await this.how.ask(this.how.last())) this.how.heard("event", one);
        this.how.heard("table", {});
        this.how.heard("talk", {});
        this.become("asking");
      } catch {
        this.become("lost");
      }
      if (Date.now() > this.next) this.start();
      else this.timer = setTimeout(again, POLL_MS);
    };
    again();
  }

  become(state) {
    if (state === this.state) return;
    this.state = state;
    this.how.became(state);
  }
}
