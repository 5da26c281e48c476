// Words: what lies on a board, for those who hear it; as in replays/drawing/picture.py.

import { seatName } from "./paints.js";

/**
 * A piece in words: how many, what, and whose.
 * @param {object} scene
 * @param {object} piece
 * @returns {string}
 */
export function pieceWords(scene, piece) {
  const count = piece.count === 1 ? "" : `${piece.count} `;
  const owner = piece.seat === null ? "" : ` of ${seatName(scene, piece.seat)}`;
  return `${count}${piece.name}${owner}`;
}

/**
 * A cell and all that lies on it.
 * @param {object} scene
 * @param {object} cell
 * @param {object[]} pieces
 * @param {{marked?: boolean, lit?: boolean}} state
 * @returns {string}
 */
export function cellWords(scene, cell, pieces, state) {
  const about = [cell.kind, cell.note, cell.offers].filter(Boolean).join(", ");
  const lying = pieces.map((piece) => pieceWords(scene, piece)).join("; ") || "empty";
  const marks = (state.marked ? " (marked)" : "") + (state.lit ? " (pointed at)" : "");
  return `${cell.label || cell.id}${about ? ` (${about})` : ""}${marks}: ${lying}`;
}

/**
 * Names everything on the board in a sentence.
 * @param {object} scene
 * @returns {string}
 */
export function sceneWords(scene) {
  const names = new Map(scene.cells.map((cell) => [cell.id, cell.label || cell.id]));
  const words = scene.pieces
    .filter((piece) => names.has(piece.cell))
    .map((piece) => `${pieceWords(scene, piece)} on ${names.get(piece.cell)}`);
  for (const link of scene.links) {
    if (!names.has(link.one) || !names.has(link.other)) continue;
    words.push(`${link.name} from ${names.get(link.one)} to ${names.get(link.other)}`);
  }
  const marked = scene.cells.filter((cell) => cell.marked).map((cell) => names.get(cell.id));
  const also = marked.length ? ` Marked: ${marked.join(", ")}.` : "";
  const lying = words.length ? words.join("; ") : "it is empty";
  return `A board of ${scene.cells.length} cells: ${lying}.${also}`;
}
