// Changes between two scenes: the pieces that came, moved or changed.

/**
 * The ids of pieces that are not as they were.
 * @param {object | null} before
 * @param {object | null} now
 * @returns {Set<string>}
 */
export function freshPieces(before, now) {
  if (!before || !now || before.pieces === now.pieces) return new Set();
  const was = new Map(before.pieces.map((piece) => [piece.id, piece]));
  const same = (piece) => {
    const old = was.get(piece.id);
    return old && old.cell === piece.cell && old.sign === piece.sign && old.count === piece.count;
  };
  return new Set(now.pieces.filter((piece) => !same(piece)).map((piece) => piece.id));
}
