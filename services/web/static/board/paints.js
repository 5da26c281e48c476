// Paints: the classes by which seats and kinds of cells are told apart; as replays/drawing/paints.py.

const SEATS = 6;
const FILLS = 7;
const HUES = new Set([
  "blue", "green", "orange", "purple", "red", "yellow", "black", "brown", "pink", "teal",
  "grey",
]);
// The token of each seat: corners (none is a circle) and how far the first one is turned.
const SHAPES = [[0, 0], [4, 45], [4, 0], [6, 30], [3, -90], [5, -90]];

/**
 * The classes of what belongs to a seat: its shape, and the colour that it has here.
 * @param {{players: {name: string, hue?: string}[]} | null} scene
 * @param {number | null} seat
 * @returns {string}
 */
export function seatClass(scene, seat) {
  if (seat === null || seat === undefined) return "nobody";
  const hue = scene && scene.players[seat] ? scene.players[seat].hue : "";
  return `seat-${((seat % SEATS) + SEATS) % SEATS}` + (HUES.has(hue) ? ` hue-${hue}` : "");
}

/**
 * The name of a seat in a sentence about the scene.
 * @param {{players: {name: string}[]}} scene
 * @param {number} seat
 * @returns {string}
 */
export function seatName(scene, seat) {
  return scene.players[seat] ? scene.players[seat].name : `seat ${seat}`;
}

/**
 * The shape of a seat's tokens: corners (none is a circle) and degrees of the first.
 * @param {number | null} seat
 * @returns {[number, number]}
 */
export function seatShape(seat) {
  return SHAPES[(seat || 0) % SHAPES.length];
}

/**
 * The number of the fill of each kind of cell.
 * @param {object} scene
 * @returns {Map<string, number>}
 */
export function fillNumbers(scene) {
  const others = new Set(scene.cells.map((cell) => cell.kind));
  for (const kind of scene.kinds) others.delete(kind);
  const kinds = [...scene.kinds, ...[...others].sort()];
  const numbers = new Map();
  kinds.forEach((kind, index) => {
    if (!numbers.has(kind)) numbers.set(kind, index % FILLS);
  });
  return numbers;
}
