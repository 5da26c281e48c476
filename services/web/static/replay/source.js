// Sources: where the viewer has its documents from, behind one small interface.
//
//   address              reads and writes the event and the viewpoint in the browser's bar
//   load(as, told, edition)  a promise of the document, as it was played where no edition is named;
//                        `told` hears {done, of} while it is being made
//   changes              whether it may be had under other editions
//   watch(last, heard)   calls `heard(n)` as a running match goes on; gives what ends it
//   links(at, as, edition)  {table, fork, dispute, review, files: [{name, href}]}; null where there is no site

import { HashAddress, PageAddress } from "./address.js";

const PATIENCE = 400; // ms between two questions, at first
const MOST = 3000;
const LIVE_WAIT = 5000;

/** Why there is no document; `again` says whether it is worth asking once more. */
export class Trouble extends Error {
  constructor(words, again = true) {
    super(words);
    this.again = again;
  }
}

/** From a site: asks its API, and waits while the document is being made. */
export class SiteSource {
  /** @param {string} match */
  constructor(match) {
    this.match = match;
    this.api = `/api/v1/matches/${match}`;
    this.address = new PageAddress(match);
    this.changes = true;
  }

  async load(as, told, edition = "") {
    const more = edition ? `&edition=${encodeURIComponent(edition)}` : "";
    let patience = PATIENCE;
    for (;;) {
      const answer = await this.ask(`${this.api}/replay?as=${encodeURIComponent(as)}${more}`);
      if (answer.status !== 202) return this.read(answer);
      const job = await answer.json();
      if (job.state === "failed") throw new Trouble("The replay could not be made.");
      told({ done: job.done || 0, of: job.of || 0 });
      await new Promise((done) => setTimeout(done, patience));
      patience = Math.min(MOST, patience * 1.3);
    }
  }

  async ask(address) {
    try {
      return await fetch(address, { headers: { Accept: "application/json" } });
    } catch {
      throw new Trouble("The site cannot be reached. Are you connected?");
    }
  }

  async read(answer) {
    let said = null;
    try {
      const text = await answer.text();
      performance.mark("replay-data");
      said = JSON.parse(text);
    } catch {
      throw new Trouble("The site's answer cannot be read.");
    }
    if (answer.ok && said && said.format === "hegemon-replay") return said;
    const words = (said && (said.detail || said.title)) || `The site answers ${answer.status}.`;
    throw new Trouble(words, answer.status >= 500 || answer.status === 429);
  }

  watch(last, heard) {
    const stream = new EventSource(`/live/matches/${this.match}?since=${last}`);
    const hear = (event) => {
      const n = Number(event.lastEventId);
      if (n > last) heard(n);
    };
    stream.addEventListener("event", hear);
    let asked = 0;
    stream.onerror = () => {
      // A full house closes the door for good: then ask now and then.
      if (stream.readyState !== EventSource.CLOSED || asked) return;
      asked = setInterval(() => this.newest().then((n) => n > last && heard(n)), LIVE_WAIT);
    };
    return () => {
      stream.close();
      clearInterval(asked);
    };
  }

  async newest() {
    try {
      const answer = await fetch(this.api, { headers: { Accept: "application/json" } });
      const said = answer.ok ? await answer.json() : {};
      return Number(said.version || said.last || 0);
    } catch {
      return 0;
    }
  }

  // A worker may still make a file: then its link leads to a page that waits, which nobody may save.
  links(at, as, edition) {
    const page = `/matches/${this.match}`;
    const seen = `as=${as}`;
    const told = edition ? `${seen}&edition=${encodeURIComponent(edition)}` : seen;
    return {
      table: `${page}/table`,
      fork: `${page}/fork?at=${at}`,
      dispute: `${page}/disputes?from=${at}&to=${at}#new`,
      files: [
        { name: "One page for offline use (HTML)", href: `${page}/replay.html?${seen}` },
        { name: "The bundle: the whole log (HGM)", href: `${page}.hgm` },
        { name: "This moment as a picture (PNG)", href: `${page}/moment.png?at=${at}&${seen}` },
        { name: "The story as text", href: `${this.api}/replay.txt?${told}`, made: true },
        { name: "The account of each seat (CSV)", href: `${this.api}/replay.csv?${told}`, made: true },
        { name: "Line by line, for programs (NDJSON)", href: `${this.api}/replay.ndjson?${told}`, made: true },
        { name: "This event, for programs (JSON)", href: `${page}/replay.json?at=${at}&${seen}`, open: true },
      ],
    };
  }
}

/** From the page itself: one or more documents that were written into it. */
export class EmbeddedSource {
  /** @param {object[]} documents the first is the one to begin with */
  constructor(documents) {
    this.documents = documents;
    this.address = new HashAddress();
    this.changes = false;
  }

  async load(as) {
    const found = this.documents.find((one) => one.as === as);
    if (!found && as) throw new Trouble("This file has no such viewpoint.", false);
    return found || this.documents[0];
  }

  /** The viewpoints that are in the file. */
  has(as) {
    return this.documents.some((one) => one.as === as);
  }

  watch() {
    return () => {};
  }

  links() {
    return null;
  }
}
