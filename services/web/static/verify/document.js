// Holding a replay document against the bundle that it was made from, without any rules.
//
// A bundle proves some of it: the match, its length, seats and winners; of each event its number, time, seat,
// submitter and parent, and if it was undone; and its facts, if the bundle opens them. It does not prove
// sentences, boards, headings and curves: the rules of the game make these of the facts, and the rules are not
// here. So the file also has a seal of each event, which shows changes that were made by accident, or by
// somebody who did not make the seals anew.
import { decode, isMap } from "./canonical.js";
import { sha256Hex } from "./hashing.js";

const FACTS_BYTES_MAX = 16777216;
const SEAL_LETTERS = 16; // of a hash in hex
const SILENT_ROLES = ["seat", "dice", "service"]; // of them a document does not say who handed in

/** The facts of a bundle that a document is checked against; `verifying` reports to it. */
export class Witness {
  constructor() {
    this.bodies = new Map();
    this.facts = new Map(); // decoded, where they are opened
  }

  event(number, body) {
    this.bodies.set(number, body);
  }

  opening(number, path, plain) {
    if (path !== "outcome") return;
    try {
      this.facts.set(number, decode(plain, FACTS_BYTES_MAX));
    } catch {
      this.facts.set(number, null); // what they are is not what §9.4 wants
    }
  }

  get acts() {
    return [...this.bodies.values()].filter((body) => body.kind === "act").map((body) => body.act);
  }

  /** Counts the events whose facts in a document could be compared, and could not. */
  factsOf(replay) {
    const made = [...this.bodies.values()].filter((body) => body.outcome).length;
    const opened = replay.played ? this.facts.size : 0;
    return { opened, closed: made - opened };
  }

  /** The events that a rewind has undone. */
  undone() {
    const line = new Set();
    for (let at = this.bodies.size; at > 0; at = this.bodies.get(at).parent) line.add(at);
    return new Set([...this.bodies.keys()].filter((number) => !line.has(number)));
  }
}

/** JSON in one way only: keys sorted, no spaces. */
export function plainJson(value) {
  if (Array.isArray(value)) return `[${value.map(plainJson).join(",")}]`;
  if (typeof value !== "object" || value === null) return JSON.stringify(value);
  const fields = Object.keys(value).sort();
  return `{${fields.map((name) => `${JSON.stringify(name)}:${plainJson(value[name])}`).join(",")}}`;
}

/** Lists the faults of a document: [{n, why}]; n is null if a fault is about all of it. */
export function against(replay, report, witness) {
  const found = wholeAgainst(replay, report, witness);
  const undone = witness.undone();
  for (let n = 1; n <= Math.max(replay.events.length, report.events); n += 1) {
    const event = replay.events[n - 1];
    const body = witness.bodies.get(n);
    const why = !event ? "the replay lacks it" : !body ? "the bundle lacks it"
      : eventAgainst(event, n, body, undone.has(n)) || factsAgainst(replay, event, witness.facts.get(n));
    if (why) found.push({ n, why });
  }
  return found;
}

function wholeAgainst(replay, report, witness) {
  const created = witness.acts[0] ?? {};
  const names = new Map(witness.acts.filter((act) => act.type === "match.joined")
    .map((act) => [act.seat, act.name]));
  const editions = [created.edition, ...witness.acts
    .filter((act) => act.type === "match.edition-changed").map((act) => act.edition)];
  const seats = replay.seats.every((seat, number) => seat.name === (names.get(number) ?? "free"));
  const checks = [
    ["it is a replay of another match", replay.match === report.match],
    ["it ends with another head", replay.head === report.head && replay.last === report.events],
    ["it names another game", replay.ruleset.name === report.ruleset],
    ["it has another title", !created.title || replay.title === created.title],
    ["it names another edition", !replay.played || editions.includes(replay.edition)],
    ["other players sit there", replay.seats.length === created.seats && seats],
    ["it tells another result",
      !replay.played || replay.result === resultOf(witness, created.seats, names)],
  ];
  return checks.filter(([, right]) => !right).map(([why]) => ({ n: null, why }));
}

/** The result that the last event states, in the words of a document. */
function resultOf(witness, seats, names) {
  const last = witness.bodies.get(witness.bodies.size);
  const result = last.act?.type === "match.closed" ? last.act.result : null;
  if (!result) return "";
  const scores = result.scores.join(" : ");
  if (result.winners.length === seats) return `${result.reason}, ${scores}`;
  const winners = result.winners.map((seat) => names.get(seat) ?? "free").join(" and ") || "nobody";
  return `${winners} won ${scores} (${result.reason})`;
}

function eventAgainst(event, n, body, undone) {
  const { role, name = "" } = body.by;
  const by = SILENT_ROLES.includes(role) ? "" : `${role} ${name}`.trim();
  const checks = [
    ["it has another number", event.n === n],
    ["it is told of another time", event.at === body.at],
    ["it is told of another seat", event.seat === (body.seat ?? null)],
    ["it is said to be handed in by another", event.by === by],
    ["it follows on another event", (event.parent ?? n - 1) === body.parent],
    ["whether it was undone is told wrongly", (event.undone ?? false) === undone],
  ];
  return checks.find(([, right]) => !right)?.[0] ?? "";
}

function factsAgainst(replay, event, facts) {
  if (facts === undefined || !replay.played || event.undisclosed) return "";
  const right = Array.isArray(facts) && facts.length === event.facts.length
    && facts.every((fact, i) => told(event.facts[i], fact));
  return right ? "" : "what is told of it is not what the bundle opens";
}

/** Tells if a value, as a viewer sees it, equals the opened one; hidden parts equal any. */
function told(shown, opened) {
  if (typeof shown !== "object" || shown === null) return shown === opened;
  if ("hidden" in shown && Object.keys(shown).length === 1) return true;
  if (Array.isArray(shown) && Array.isArray(opened)) {
    return shown.length === opened.length && shown.every((item, i) => told(item, opened[i]));
  }
  if (Array.isArray(shown) || opened === null || typeof opened !== "object") return false;
  const names = Object.keys(shown);
  if (!isMap(opened)) { // a record as an array of its fields: the names of these stand in the rules
    const values = names.map((name) => shown[name]);
    return values.length === opened.length && opened.every((item) => values.some((one) => told(one, item)));
  }
  const right = names.length === Object.keys(opened).length;
  return right && names.every((name) => name in opened && told(shown[name], opened[name]));
}

/** The seal of a part of the document. */
export async function sealOf(value) {
  return (await sha256Hex(plainJson(value))).slice(0, SEAL_LETTERS);
}

/** Lists the values that do not fit their seals: [{n, why}]. */
export async function unsealed(replay, seals) {
  const { events, ...rest } = replay;
  const found = [];
  if (await sealOf(rest) !== seals.rest) found.push({ n: null, why: "it was changed after it was made" });
  for (const [place, event] of events.entries()) {
    if (await sealOf(event) === seals.events[place]) continue;
    found.push({ n: place + 1, why: "what is told of it was changed after it was made" });
  }
  return found;
}

/** Findings in the order of events, what is about all of it first; of each event the first. */
export function inOrder(findings) {
  const first = new Map();
  for (const one of findings) if (!first.has(one.n)) first.set(one.n, one);
  return [...first.values()].sort((one, other) => (one.n ?? 0) - (other.n ?? 0));
}

