// Places: where the things of a board stand, in the picture's own units; as replays/drawing/places.py.

/** The side of a square, and the distance of two hexes. */
export const UNIT = 100;
/** Tokens on one cell; more are summed up in the last. */
export const SHOWN_MAX = 12;

const ROOT = Math.sqrt(3);
// The room on a cell for pieces: with a label alone, with a note or offers below, with both.
const HEX_ROOMS = [
  { down: 2, width: 84, height: 72 }, { down: -4, width: 88, height: 56 },
  { down: -8, width: 92, height: 50 },
];
const SQUARE_ROOMS = [
  { down: 0, width: 80, height: 80 }, { down: 1, width: 84, height: 60 },
  { down: -5, width: 84, height: 48 },
];
/** The plate of what a cell offers. */
export const OFFER = { width: 17, height: 12 };
const BEND = 0.1; // of its length, that a link goes aside: two gates between two places are two
// The number of letters of a note that fit into each line of a cell, the upper one first.
const HEX_NOTE = [12, 9];
const SQUARE_NOTE = [18];

/**
 * A coordinate to a tenth, written in one way only; a half goes to the even side, as in Python.
 * @param {number} value
 * @returns {string}
 */
export function number(value) {
  const quarter = Number.isInteger(value * 4) && !Number.isInteger(value * 2);
  const half = quarter && Math.abs(value * 4) % 4 === 1;
  const rounded = half ? Math.trunc(value * 10) / 10 : Number(value.toFixed(1));
  return String(rounded === 0 ? 0 : rounded);
}

/**
 * The middle of a cell.
 * @param {string} grid "hex" or "square"
 * @param {{x: number, y: number}} cell
 * @returns {[number, number]}
 */
export function centre(grid, cell) {
  if (grid === "hex") return [(cell.x + cell.y / 2) * UNIT, (cell.y * UNIT * ROOT) / 2];
  return [cell.x * UNIT, cell.y * UNIT];
}

/**
 * Left, top, right and bottom of all cells.
 * @param {object} scene
 * @returns {[number, number, number, number]}
 */
export function bounds(scene) {
  const across = UNIT / 2 + 4;
  const down = scene.grid === "hex" ? UNIT / ROOT + 4 : across;
  const all = scene.cells.length ? scene.cells : [{ x: 0, y: 0 }];
  let [left, top, right, bottom] = [Infinity, Infinity, -Infinity, -Infinity];
  for (const cell of all) {
    const [x, y] = centre(scene.grid, cell);
    left = Math.min(left, x);
    right = Math.max(right, x);
    top = Math.min(top, y);
    bottom = Math.max(bottom, y);
  }
  return [left - across, top - down, right + across, bottom + down];
}

/**
 * The room on a cell for pieces, measured from its centre.
 * @param {string} grid
 * @param {{note: string, offers: string}} cell
 * @returns {{down: number, width: number, height: number}}
 */
export function room(grid, cell) {
  return (grid === "hex" ? HEX_ROOMS : SQUARE_ROOMS)[(cell.note ? 1 : 0) + (cell.offers ? 1 : 0)];
}

/**
 * The offers of a cell, each with the middle of its plate, in a row at the foot of the cell.
 * @param {string} grid
 * @param {{x: number, y: number, offers: string}} cell
 * @returns {[string, [number, number]][]}
 */
export function offerPlaces(grid, cell) {
  const [x, y] = centre(grid, cell);
  const offers = cell.offers.split(" ").filter(Boolean);
  const down = grid !== "hex" ? 37 : offers.length < 3 ? 40 : 36;
  const across = (at) => (at - (offers.length - 1) / 2) * (OFFER.width + 1);
  return offers.map((offer, at) => [offer, [x + across(at), y + down]]);
}

/**
 * The path of a link: a little bent.
 * @param {[number, number]} one
 * @param {[number, number]} other
 * @returns {string}
 */
export function bow([x, y], [u, v]) {
  const [across, down] = [(x + u) / 2 - (v - y) * BEND, (y + v) / 2 + (u - x) * BEND];
  return `M${number(x)} ${number(y)}Q${number(across)} ${number(down)} ${number(u)} ${number(v)}`;
}

/**
 * Places for so many pieces side by side, and how far apart they are.
 * @param {[number, number]} middle
 * @param {{down: number, width: number, height: number}} free
 * @param {number} many
 * @returns {{places: [number, number][], step: number}}
 */
export function slots(middle, free, many) {
  const shown = Math.min(many, SHOWN_MAX);
  let [step, columns] = [-1, 1];
  for (let tried = 1; tried <= shown; tried += 1) {
    const reached = Math.min(free.width / tried, free.height / Math.ceil(shown / tried));
    if (reached > step) [step, columns] = [reached, tried];
  }
  const rows = Math.ceil(shown / columns);
  const places = [];
  for (let slot = 0; slot < shown; slot += 1) {
    const row = Math.floor(slot / columns);
    const inRow = Math.min(columns, shown - row * columns);
    const across = (slot % columns) - (inRow - 1) / 2;
    const down = row - (rows - 1) / 2;
    places.push([middle[0] + across * step, middle[1] + free.down + down * step]);
  }
  return { places, step };
}

/**
 * A note in lines that fit, broken between words; the last line takes all that is left.
 * @param {string} grid
 * @param {string} note
 * @returns {string[]}
 */
export function noteLines(grid, note) {
  const fitting = grid === "hex" ? HEX_NOTE : SQUARE_NOTE;
  const lines = [""];
  for (const word of note.split(/\s+/).filter(Boolean)) {
    const last = lines[lines.length - 1];
    const longer = `${last} ${word}`.trim();
    if (last && longer.length > fitting[lines.length - 1] && lines.length < fitting.length) {
      lines.push(word);
    } else {
      lines[lines.length - 1] = longer;
    }
  }
  return lines;
}

/**
 * The corners of a regular polygon.
 * @param {[number, number]} middle
 * @param {number} radius
 * @param {number} many
 * @param {number} turned degrees of the first corner
 * @returns {[number, number][]}
 */
export function corners(middle, radius, many, turned) {
  const found = [];
  for (let corner = 0; corner < many; corner += 1) {
    const angle = ((turned + (360 * corner) / many) * Math.PI) / 180;
    found.push([middle[0] + radius * Math.cos(angle), middle[1] + radius * Math.sin(angle)]);
  }
  return found;
}

/**
 * The pieces of one cell that are shown, each with its place and radius; and what sums up the rest.
 * @param {string} grid
 * @param {object} cell
 * @param {object[]} pieces those that lie on it
 * @returns {{shown: {piece: object, place: [number, number], radius: number}[],
 *   more: {said: string, place: [number, number], size: number} | null}}
 */
export function standing(grid, cell, pieces) {
  const { places, step } = slots(centre(grid, cell), room(grid, cell), pieces.length);
  const radius = step * (places.length === 1 ? 0.4125 : 0.45);
  const seen = pieces.length <= SHOWN_MAX ? pieces : pieces.slice(0, SHOWN_MAX - 1);
  const shown = seen.map((piece, index) => ({ piece, place: places[index], radius }));
  if (seen.length === pieces.length) return { shown, more: null };
  const said = `+${pieces.length - seen.length}`;
  return { shown, more: { said, place: places[places.length - 1], size: radius * 0.9 } };
}

/**
 * The outline of a cell: the corners of a hex.
 * @param {[number, number]} middle
 * @returns {[number, number][]}
 */
export function hexOutline(middle) {
  return corners(middle, UNIT / ROOT - 2, 6, 30);
}

/**
 * The corners at which the edges of a hex begin, from the right edge on.
 * @param {[number, number]} middle
 * @returns {[number, number][]}
 */
export function hexEdges(middle) {
  return corners(middle, UNIT / ROOT, 6, -30);
}
