// Scenes: the scene at any event of a replay, from the changes that each event made.
// A scene is never altered: what an event leaves alone is the same object before and after it,
// which is how the drawing knows what it need not draw again.

const PARTS = {
  cells: { label: "", note: "", offers: "", kind: "", region: "", ground: "", marked: false },
  pieces: { form: "", mark: "", seat: null, count: 1, link: "" },
  links: { seat: null },
  cards: { name: "", seat: null, count: 1 },
  tracks: { low: 0, endless: false, seat: null },
  counters: { seat: null },
};
const NAMES = Object.keys(PARTS);
const TEXTS = { title: "", grid: "square", kinds: [], players: [], forms: [], signs: "", legend: "" };
const KEYFRAME = 50; // events
const NONE = new Set();

/** Nothing at all, before the first change. */
export const EMPTY = Object.freeze({
  ...TEXTS,
  ...Object.fromEntries(NAMES.map((name) => [name, []])),
  targets: [],
});

/**
 * A scene with every field that was left out at its default.
 * @param {object} plain as JSON has it
 * @returns {object}
 */
export function wholeScene(plain) {
  const scene = { ...EMPTY, ...plain };
  for (const name of NAMES) scene[name] = scene[name].map((one) => whole(name, one));
  scene.players = scene.players.map((one) => ({ hue: "", ...one }));
  return scene;
}

/**
 * A scene that came anew, with the objects of the one before it wherever they say the same.
 * @param {object | null} before
 * @param {object} plain as JSON has it
 * @returns {object}
 */
export function renewed(before, plain) {
  const now = wholeScene(plain);
  if (!before) return now;
  for (const name of NAMES) {
    const known = new Map(before[name].map((one) => [one.id, one]));
    let same = now[name].length === before[name].length;
    now[name] = now[name].map((one, index) => {
      const was = known.get(one.id);
      const kept = was && alike(was, one) ? was : one;
      same = same && kept === before[name][index];
      return kept;
    });
    if (same) now[name] = before[name];
  }
  for (const name of ["kinds", "players", "forms"]) {
    if (JSON.stringify(now[name]) === JSON.stringify(before[name])) now[name] = before[name];
  }
  return now;
}

/**
 * A scene after a change; what the change leaves alone is taken over as it is.
 * @param {object} scene
 * @param {object} change whole, as `wholeChange` gives it
 * @returns {object}
 */
export function applied(scene, change) {
  const now = { ...scene, ...change.text };
  for (const name of NAMES) {
    const all = change.all[name];
    if (all) {
      const known = new Map(scene[name].map((one) => [one.id, one]));
      now[name] = all.map((one) => (typeof one === "string" ? known.get(one) : one));
      continue;
    }
    const set = change.set[name];
    const gone = change.gone[name];
    if (!set && !gone) continue;
    const left = new Map(set);
    const list = [];
    for (const one of scene[name]) {
      if (gone && gone.has(one.id)) continue;
      const next = left.get(one.id);
      if (next) left.delete(one.id);
      list.push(next || one);
    }
    list.push(...left.values());
    now[name] = list;
  }
  return now;
}

/**
 * A change in a form that is quick to apply, and whose objects stay the same however often it is.
 * @param {object} change as the document has it
 * @returns {object}
 */
export function wholeChange(change) {
  const done = { text: { ...change.text }, set: {}, gone: {}, all: {} };
  if (done.text.players) done.text.players = done.text.players.map((one) => ({ hue: "", ...one }));
  for (const name of NAMES) {
    const [set, gone, all] = [change.set, change.gone, change.all].map((part) => part?.[name]);
    if (set) done.set[name] = new Map(set.map((one) => [one.id, whole(name, one)]));
    if (gone) done.gone[name] = new Set(gone);
    if (all) {
      // A bare id is an object that stays as it is.
      done.all[name] = all.map((one) => (typeof one === "string" ? one : whole(name, one)));
    }
  }
  return done;
}

/** The scenes of a replay: any of them, quickly, in any order. */
export class Scenes {
  /** @param {{n: number, change?: object, parent?: number}[]} events in the order of their numbers */
  constructor(events) {
    this.events = events;
    this.changes = new Map();
    this.frames = new Map(); // keyframes
    this.recent = new Map(); // the last few that were asked for
  }

  /**
   * The scene after an event, or null where there is none yet.
   * @param {number} n
   * @returns {object | null}
   */
  at(n) {
    const path = [];
    let scene = null;
    for (let on = n; on > 0; on = this.parent(on)) {
      const known = this.frames.get(on) || this.recent.get(on);
      if (known) {
        scene = known;
        break;
      }
      path.push(on);
    }
    for (const on of path.reverse()) {
      const change = this.change(on);
      if (change) scene = applied(scene || EMPTY, change);
      if (scene && on % KEYFRAME === 0) this.frames.set(on, scene);
    }
    if (scene) this.keep(n, scene);
    return scene;
  }

  /**
   * The scene that an event found.
   * @param {number} n
   * @returns {object | null}
   */
  before(n) {
    const parent = this.parent(n);
    return parent > 0 ? this.at(parent) : null;
  }

  /**
   * The cells that are to be marked beside those that the scene marks itself: where pieces
   * came, went or changed. None where the game marks what matters.
   * @param {number} n
   * @returns {Set<string>}
   */
  touched(n) {
    const [was, now] = [this.before(n), this.at(n)];
    if (!was || !now || was.pieces === now.pieces || now.cells.some((cell) => cell.marked)) return NONE;
    return touchedCells(was, now);
  }

  /** @param {number} n */
  parent(n) {
    const event = this.events[n - 1];
    return event && event.parent !== undefined ? event.parent : n - 1;
  }

  /** @param {number} n */
  change(n) {
    const event = this.events[n - 1];
    if (!event || !event.change || !Object.keys(event.change).length) return null;
    if (!this.changes.has(n)) this.changes.set(n, wholeChange(event.change));
    return this.changes.get(n);
  }

  /** Keep a scene for a while: one steps back and forth. */
  keep(n, scene) {
    this.recent.delete(n);
    this.recent.set(n, scene);
    if (this.recent.size > KEYFRAME) this.recent.delete(this.recent.keys().next().value);
  }
}

/**
 * The cells whose pieces differ between two scenes.
 * @param {object} was
 * @param {object} now
 * @returns {Set<string>}
 */
export function touchedCells(was, now) {
  const touched = new Set();
  if (was.pieces === now.pieces) return touched;
  const before = new Map(was.pieces.map((piece) => [piece.id, piece]));
  for (const piece of now.pieces) {
    const old = before.get(piece.id);
    before.delete(piece.id);
    if (old === piece) continue;
    const same = old && old.cell === piece.cell && old.sign === piece.sign;
    if (same && old.seat === piece.seat && old.count === piece.count) continue;
    touched.add(piece.cell);
    if (old) touched.add(old.cell);
  }
  for (const old of before.values()) touched.add(old.cell);
  return touched;
}

function whole(name, one) {
  return { ...PARTS[name], ...one };
}

function alike(one, other) {
  const keys = Object.keys(other);
  return keys.length === Object.keys(one).length && keys.every((key) => one[key] === other[key]);
}
