// Verifying a bundle, written from docs/format.md alone; "§" points into it. It shares no code with
// the rest of the project, and knows the rules of no game: it folds nothing, and cannot tell whether a
// decision was legal. Of §5, §6 and §8 it checks what the rest relies on: kinds, numbers, parents, nonces.
//
// It does not make SHA-256 itself: a generator yields the bytes to its driver, and the driver hands
// back their hash. docs/verify.mjs does so with Node's, hashing.js with the browser's.
import { EMPTY, decode, framed, hexOf, isMap, join, refuse, same, unsigned } from "./canonical.js";

const HEAD_BYTES = 32;

/** The hash of some parts. */
export function* sha256(...parts) {
  return yield join(...parts);
}

/** §4 The head of an event. */
export function* headOf(match, version, before, body) {
  return yield* headOver(match, version, before, yield* sha256(body));
}

function* headOver(match, version, before, hash) {
  return yield* sha256("hegemon/head/1", framed(1, match), unsigned(8, version), before, hash);
}

/** §9 What is committed to. */
export function* commitmentOf(match, version, path, salt, plain) {
  const hash = yield* sha256(plain);
  const place = [framed(1, match), unsigned(8, version), framed(1, path)];
  return yield* sha256("hegemon/commitment/1", ...place, salt, hash);
}

/** §10 The commitment to a seat's nonce. */
export function* nonceCommitmentOf(seat, nonce) {
  return yield* sha256("hegemon/nonce/1", unsigned(2, seat), nonce);
}

/** §10 The commitment to the seed of a domain. */
export function* seedCommitmentOf(domain, seed) {
  return yield* sha256("hegemon/seed/1", framed(2, domain), seed);
}

// §5, §11 The fields of maps, in the order of canonical bytes; what has its default is left out.
const FIELDS = {
  act: /^act,at,by,(clock,)?kind,(opens,)?(outcome,)?parent$/,
  answer: /^at,by,(clock,)?decision,kind,(opens,)?(outcome,)?parent,(private,)?question,seat$/,
  sealed: /^at,by,(clock,)?commitment,kind,(opens,)?(outcome,)?parent,question,seat$/,
  bundle: /^edition,format,match,ruleset,seeds,source,supersedes,viewer$/,
  end: /^events,head,openings,result,sha256$/,
};
const MATCH = /^[a-z0-9][a-z0-9-]{0,63}$/;
const isDefault = (x) => x === null || x.length === 0 || same(x, EMPTY);

/** The body of an event, or Refused. */
export function readBody(stored) {
  const body = decode(stored);
  const known = ["act", "answer", "sealed"].includes(body?.kind);
  if (!known || !FIELDS[body.kind].test(Object.keys(body))) refuse("no body of §5");
  for (const name of ["clock", "opens", "outcome", "private"]) {
    if (name in body && isDefault(body[name])) refuse(`the default of ${name} is written out`);
  }
  return body;
}

const shape = (x) => (x instanceof Uint8Array ? "bytes" : isMap(x) ? "map" : typeof x);
const RECORDS = { // §11.1
  bundle: "map", overlay: "bytes", event: "number,bytes,bytes", withheld: "number,bytes,bytes",
  opening: "number,string,bytes,bytes", end: "map",
};

/** The kind of a record, its items, and where the next one begins; or Refused. */
export function readRecord(file, at) {
  const length = file.subarray(at, at + 4);
  const size = length.length < 4 ? Infinity : length.reduce((sum, byte) => sum * 256 + byte, 0);
  if (size > file.length - at - 4) refuse("the file ends early");
  const record = decode(file.subarray(at + 4, at + 4 + size), 16778240);
  const [kind, ...items] = Array.isArray(record) ? record : [];
  const right = Object.hasOwn(RECORDS, kind) && items.map(shape).join() === RECORDS[kind];
  const [first, second, third] = items;
  const named = !right || !FIELDS[kind] || FIELDS[kind].test(Object.keys(first));
  if (!right || !named) refuse("no record of §11");
  if (["event", "withheld"].includes(kind) && second.length !== HEAD_BYTES) refuse("a head has 32 bytes");
  if (kind === "withheld" && third.length !== HEAD_BYTES) refuse("a hash has 32 bytes");
  if (kind === "opening" && third.length !== HEAD_BYTES) refuse("a salt has 32 bytes");
  if (kind === "opening" && join(second).length > 255) refuse("a path has at most 255 bytes");
  if (kind === "bundle" && (![1, 2].includes(first.format) || !MATCH.test(first.match))) refuse("no header");
  return [kind, items, at + 4 + size];
}

// §12 The checks; of those that are not made here, what can be seen fails.
const CHECKS = ["frame", "chain", "life", "openings", "edition", "legality", "chance", "outcome",
  "result", "anchor"];
const MADE = ["frame", "chain", "openings", "anchor"];

class Reader {
  constructor(file, anchors, watch) {
    const status = (name) => (MADE.includes(name) ? "ok" : "not checked");
    this.checks = Object.fromEntries(CHECKS.map((name) =>
      [name, { name, status: status(name), detail: "", version: null, rule: "" }]));
    [this.file, this.anchors, this.watch] = [file, anchors, watch];
    [this.header, this.overlay, this.created, this.closed] = [null, null, null, null];
    [this.version, this.openings, this.last] = [0, 0, new Uint8Array(HEAD_BYTES)];
    this.gap = false; // an event was withheld
    this.committed = new Map(); // of the last event, by path
    this.nonces = new Map();
    this.due = new Set(); // what the policy opens and is not here yet
  }

  fail(name, detail, version = null) { // the first failure is the one that is told
    const check = this.checks[name];
    if (check.status !== "failed") Object.assign(check, { status: "failed", detail, version });
    return false;
  }

  promises(...policies) {
    return policies.some((policy) => this.created.discloses.includes(policy));
  }

  // The handler of each kind of record; false: stop.

  * bundle(header) {
    this.header = header;
    return true;
  }

  * overlaid(bytes) {
    this.overlay = bytes;
    return true;
  }

  * link(number, stored, hash) { // §4 number and head
    if (this.version === 1) yield* this.hold(this.created);
    if (number !== this.version + 1) return this.fail("chain", "an event out of order", number);
    const right = yield* headOver(this.header.match, number, this.last, hash);
    if (!same(right, stored)) this.fail("chain", "its head is another", number);
    [this.version, this.last] = [number, stored];
    this.committed = new Map();
    return true;
  }

  anchored(number, stored) {
    const anchor = this.anchors.get(number);
    if (anchor && anchor !== hexOf(stored)) this.fail("anchor", "another head is known", number);
    return true;
  }

  * withheld(number, stored, hash) { // §11.5
    if (this.header.format < 2) refuse("format 1 withholds nothing");
    if (number === 1) return this.fail("life", "event 1 is withheld", 1);
    this.gap = true;
    return (yield* this.link(number, stored, hash)) && this.anchored(number, stored);
  }

  * event(number, stored, packed) {
    if (!(yield* this.link(number, stored, yield* sha256(packed)))) return false;
    const body = readBody(packed);
    const parent = body.act?.type === "match.rewound" ? body.act.to : number - 1; // §7
    const before = parent < number && (parent > 0 || number === 1);
    if (body.parent !== parent || !before) return this.fail("chain", "its parent is another", number);
    if (body.kind === "act") yield* this.act(body.act);
    if (!this.created) return this.fail("life", "event 1 is not match.created", number);
    this.anchored(number, stored);
    this.commits(body);
    this.watch.event?.(number, body, stored);
    return true;
  }

  commits(body) {
    const each = Object.entries(body.private ?? {});
    this.committed = new Map(each.map(([name, hash]) => [`private/${name}`, hash]));
    if (body.kind === "sealed") this.committed.set("decision", body.commitment);
    if (body.outcome) this.committed.set("outcome", body.outcome);
    for (const path of this.committed.keys()) {
      const policy = path === "outcome" ? "outcomes" : "decisions";
      if (this.promises(policy)) this.due.add(`${this.version} ${path}`);
    }
  }

  * opening(number, path, salt, plain) {
    this.openings += 1;
    const value = yield* commitmentOf(this.header.match, number, path, salt, plain);
    const right = number === this.version && same(value, this.committed.get(path));
    if (!right) this.fail("openings", `${path}: not what is committed here`, number);
    this.committed.delete(path); // it is opened once
    this.due.delete(`${number} ${path}`);
    if (right) this.watch.opening?.(number, path, plain);
    return true;
  }

  * end(stated, at, next) {
    if (this.version === 1) yield* this.hold(this.created);
    const counted = stated.events === this.version && stated.openings === this.openings;
    const hash = yield* sha256(this.file.subarray(0, at));
    const right = this.version && counted && same(hash, stated.sha256);
    if (!right || next < this.file.length) return this.fail("frame", "wrong counts or hash");
    if ((this.header.format === 2) !== this.gap) return this.fail("frame", "another format");
    if (!same(this.last, stated.head)) this.fail("frame", "the end names another head");
    if (this.gap) return this.redacted(stated);
    const { seeds, result, discloses } = this.closed ?? { seeds: EMPTY, result: null };
    if (!same(stated.result, result)) this.fail("result", "the end and the closing event differ");
    if (!same(this.header.seeds, seeds)) this.fail("chance", "the header and the closing event differ");
    if (!this.closed) return true;
    const isDue = (domain) => this.promises("chance", `chance:${domain}`);
    const promised = Object.keys(this.created.domains).filter(isDue);
    if (!same(Object.keys(seeds), promised)) this.fail("chance", "not the seeds of the policy");
    const policy = same(discloses, this.created.discloses);
    if (!policy) this.fail("result", "another policy than event 1 set");
    const { openings } = this.checks;
    if (this.due.size && openings.status === "ok") openings.status = "withheld";
    return true;
  }

  redacted(stated) { // §11.5 header and end say nothing of the close
    if (stated.result !== null) this.fail("result", "a redacted copy states a result");
    if (!same(this.header.seeds, EMPTY)) this.fail("chance", "a redacted copy gives seeds");
    return true;
  }

  * act(doing) {
    if (doing.type === "match.created" && this.version === 1) this.created = doing;
    if (doing.type === "match.joined") this.nonces.set(doing.seat, doing.nonce);
    if (doing.type === "match.started" && !this.gap) {
      let opens = doing.nonces.length === this.created.seats;
      for (const [seat, nonce] of doing.nonces.entries()) {
        opens &&= same(yield* nonceCommitmentOf(seat, nonce), this.nonces.get(seat));
      }
      if (!opens) this.fail("life", "not the nonces that were committed", this.version);
    }
    if (doing.type === "match.closed") this.closed = doing;
    if (doing.type === "match.ruled" && doing.remedy) this.closed = null; // open again, closed anew
  }

  * hold(doing) { // the header against event 1
    const { header, overlay } = this;
    if (doing.match !== header.match) this.fail("life", "another match than the header names", 1);
    const differs = (name) => doing[name] !== header[name];
    const other = ["ruleset", "edition", "source"].some(differs);
    if (other) this.fail("edition", "the header differs", 1);
    const hash = overlay && (yield* sha256(overlay));
    if (!same(hash, doing.overlay ?? null)) this.fail("edition", "another overlay", 1);
    for (const [domain, seed] of Object.entries(header.seeds)) {
      const right = same(yield* seedCommitmentOf(domain, seed), doing.domains[domain]);
      if (!right) this.fail("chance", `${domain}: another seed was committed`, 1);
    }
  }

  * read() { // from the first byte to the last; false: stopped
    if (!same(this.file.subarray(0, 8), join("HEGEMON1"))) return this.fail("frame", "no bundle");
    for (let at = 8, number = 1, kind = ""; kind !== "end"; number += 1) {
      try {
        kind = "";
        const [is, items, next] = readRecord(this.file, at);
        const misplaced = (is === "bundle") !== (number === 1) || (is === "overlay" && number > 2);
        kind = misplaced ? refuse("a record out of place") : is;
        if (!(yield* this[kind === "overlay" ? "overlaid" : kind](...items, at, next))) return false;
        at = next;
      } catch (error) { // refused, or a value of another type than it must have
        if (kind === "event") return this.fail("chain", error.message, this.version || null);
        return this.fail("frame", error.message);
      }
    }
    return true;
  }

  report() {
    const { checks, anchors } = this;
    for (const number of anchors.keys()) {
      if (number < 1 || number > this.version) this.fail("anchor", "there is no such event", number);
    }
    const anchored = anchors.has(this.version);
    if (checks.anchor.status === "ok" && !anchored) checks.anchor.status = "not checked";
    const failed = CHECKS.filter((name) => checks[name].status === "failed");
    let verdict = failed.length ? "INVALID" : "CHAIN VALID, NOT FOLDED";
    if (same(failed, ["anchor"])) verdict = "DIVERGED";
    const { match = "", ruleset = "" } = this.header ?? {};
    const [origin, said] = [this.created?.origin?.kind ?? "", Object.values(checks)];
    const head = hexOf(this.last);
    return { match, ruleset, events: this.version, head, origin, checks: said, verdict };
  }
}

/** §12 A report on the bytes of a file, never an exception.
 *
 * `anchors`: the heads known from elsewhere, number -> hex. `watch` is told each event that was read
 * (`event(number, body, head)`) and each opening that is right (`opening(number, path, plain)`). */
export function* verifying(file, anchors = new Map(), watch = {}) {
  const reader = new Reader(file, anchors, watch);
  if (!(yield* reader.read())) {
    for (const name of MADE) {
      if (reader.checks[name].status === "ok") reader.checks[name].status = "not checked";
    }
  }
  return reader.report();
}
