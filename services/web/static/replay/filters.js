// Filters: which lines of the log are shown.

/** The filters of the log; each is a tag of the document. */
export const KINDS = [
  { tag: "conflict", name: "Conflicts" },
  { tag: "deal", name: "Deals" },
  { tag: "transfer", name: "Transfers" },
  { tag: "scoring", name: "Scoring" },
];

/** Everything is shown. */
export const ALL = Object.freeze({ tags: [], seat: null, hidePasses: false, text: "" });

/** Tells if a filter hides anything. */
export function filtering(filter) {
  return Boolean(filter.tags.length || filter.seat !== null || filter.hidePasses || filter.text.trim());
}

/**
 * The numbers of the events that pass, or null where all do.
 * @param {import("./story.js").Story} story
 * @param {typeof ALL} filter
 * @returns {Set<number> | null}
 */
export function shown(story, filter) {
  if (!filtering(filter)) return null;
  const words = filter.text.trim().toLowerCase().split(/\s+/).filter(Boolean);
  const found = new Set();
  for (const event of story.events) {
    if (filter.hidePasses && event.tags.includes("pass")) continue;
    if (filter.seat !== null && !concerns(story, event, filter.seat)) continue;
    if (filter.tags.length && !filter.tags.some((tag) => event.tags.includes(tag))) continue;
    const said = story.lowered[event.n - 1];
    if (words.every((word) => said.includes(word))) found.add(event.n);
  }
  return found;
}

/** Tells if a seat decided an event, or is named in it. */
function concerns(story, event, seat) {
  if (event.seat === seat) return true;
  return story.lowered[event.n - 1].includes(story.name(seat).toLowerCase());
}

/**
 * The event that passes before or after one.
 * @param {Set<number>} found
 * @param {number} at
 * @param {1 | -1} way
 * @returns {number | null}
 */
export function neighbour(found, at, way) {
  let best = null;
  for (const n of found) {
    if (way > 0 ? n <= at : n >= at) continue;
    if (best === null || (way > 0 ? n < best : n > best)) best = n;
  }
  return best;
}
