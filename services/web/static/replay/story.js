// Story: a replay document, and every question that the viewer asks it.

import { Scenes } from "../board/scenes.js";

const NONE = new Set();

/** One match as one viewer may know it. */
export class Story {
  /** @param {object} doc a replay document */
  constructor(doc) {
    this.doc = doc;
    this.as = doc.as;
    this.last = doc.events.length;
    this.events = doc.events;
    this.scenes = new Scenes(doc.events);
    /** The first event to show: of a match that is over its first board, of another its last event. */
    this.begin = ["finished", "abandoned"].includes(doc.state) ? this.firstBoard() : this.last;
    // For the classes of seats where there is no scene yet.
    this.players = doc.seats.map((seat) => ({ name: seat.called || seat.name, hue: seat.hue }));
    this.levels = [...new Set(doc.headings.map((heading) => heading.level))];
    this.starts = new Map();
    this.said = doc.events.map((event) => event.said.join(" "));
    this.lowered = this.said.map((words) => words.toLowerCase());
  }

  /** The first event that leaves a board with places on it; 1 where none does. */
  firstBoard() {
    const found = this.events.find(({ n }) => this.scenes.at(n)?.cells.length);
    return found ? found.n : 1;
  }

  /** @param {number} n @returns {object} an event */
  event(n) {
    return this.events[n - 1];
  }

  /** A number that is an event's. */
  within(n) {
    return Math.min(this.last, Math.max(1, Math.round(n) || 1));
  }

  /** The sentences of an event, joined. */
  sentence(n) {
    return this.said[n - 1] || "No description for this event.";
  }

  /** The name of a seat. */
  name(seat) {
    return this.players[seat] ? this.players[seat].name : `seat ${seat}`;
  }

  /** Names the decider of an event: a seat, the dice, or those who run the match. */
  who(event) {
    if (event.seat === null || event.seat === undefined) return "";
    if (event.seat < 0) return event.by;
    const own = this.doc.seats[event.seat];
    const name = this.name(event.seat);
    return own && own.name && own.name !== name ? `${name} (${own.name})` : name;
  }

  /** The headings that an event stands under, from the highest on. */
  path(n) {
    const found = [];
    let at = this.event(n) ? this.event(n).under : null;
    while (at !== null && at !== undefined) {
      found.unshift(at);
      at = this.doc.headings[at].up;
    }
    return found;
  }

  /** The place of an event, in words: `Round 2, Third action phase`. */
  place(n) {
    const labels = this.path(n).map((at) => this.doc.headings[at].label);
    return labels.slice(0, 2).join(", ");
  }

  /**
   * The events that a kind of step stops at.
   * @param {string} what a level, "conflict", "deal"
   * @returns {number[]}
   */
  stops(what) {
    if (!this.starts.has(what)) this.starts.set(what, this.found(what));
    return this.starts.get(what);
  }

  found(what) {
    const { headings, conflicts, deals } = this.doc;
    const of = {
      conflict: () => conflicts.map((one) => one.from),
      deal: () => deals.flatMap((deal) => deal.steps.map((step) => step.n)),
      rewind: () => this.events.filter((one) => one.tags.includes("rewind")).map((one) => one.n),
    };
    const heads = headings.filter((one) => one.level === what && !one.again);
    const all = of[what] ? of[what]() : heads.map((one) => one.from);
    return [...new Set(all)].sort((one, other) => one - other);
  }

  /**
   * Returns the event that a step leads to; the same event if there is none.
   * @param {number} at
   * @param {string} what "event", a level, "conflict", "deal", "player"
   * @param {1 | -1} way
   * @returns {number}
   */
  step(at, what, way) {
    if (what === "event") return this.within(at + way);
    if (what === "player") return this.samePlayer(at, way);
    const stops = this.stops(what);
    const found = way > 0
      ? stops.find((n) => n > at)
      : stops.filter((n) => n < at).pop();
    return found === undefined ? at : found;
  }

  samePlayer(at, way) {
    const seat = this.event(at).seat;
    for (let n = at + way; n >= 1 && n <= this.last; n += way) {
      const other = this.event(n).seat;
      // From what nobody decided, on to what somebody did.
      const fits = seat === null || seat < 0 ? other !== null && other >= 0 : other === seat;
      if (fits) return n;
    }
    return at;
  }

  /** The conflict that an event is part of, if any. */
  conflictAt(n) {
    return this.doc.conflicts.filter((one) => one.from <= n && n <= one.to).pop() || null;
  }

  /** The value of a series after an event, or null where there is none yet. */
  valueAt(series, n) {
    let [low, high] = [0, series.points.length];
    while (low < high) {
      const middle = (low + high) >> 1;
      if (series.points[middle][0] <= n) low = middle + 1;
      else high = middle;
    }
    return low ? series.points[low - 1][1] : null;
  }

  /** The pieces that an event put somewhere or changed: a set of their ids. */
  fresh(n) {
    const [was, now] = [this.scenes.before(n), this.scenes.at(n)];
    if (!was || !now || was.pieces === now.pieces) return NONE;
    const old = new Map(was.pieces.map((piece) => [piece.id, piece]));
    return new Set(now.pieces.filter((piece) => old.get(piece.id) !== piece).map((piece) => piece.id));
  }

  /** The first event that comes to something else here than in another telling; null where none does. */
  differsFrom(other) {
    const said = ({ said: words, change, refused }) => JSON.stringify([words, change, refused]);
    const first = this.events.find((event, at) => !other.events[at] || said(event) !== said(other.events[at]));
    return first ? first.n : null;
  }

  /** The event that undid one: the first after it that goes on from before it. */
  undoneBy(n) {
    const found = this.events.find(
      (event) => event.n > n && event.parent !== undefined && event.parent < n && !event.undone,
    );
    return found ? found.n : null;
  }

  /** The seats that look, as the document lists them; none where it lists none. */
  get viewpoints() {
    return this.doc.viewpoints;
  }
}
