// Sums: what the things on a cell count for a side, written above the cell in that side's colour.

import { html } from "../vendor/preact.js";
import { seatClass } from "./paints.js";
import { centre, number } from "./places.js";

const [WIDE, HIGH] = [28, 16];

/**
 * @param {{scene: object, lying: Map, sums: {cell: string, seat: number | null, value: number}[]}} props
 */
export function Sums({ scene, lying, sums }) {
  const many = new Map(); // on each cell so far
  return html`<g class="sums" aria-hidden="true">${sums.map(({ cell, seat, value }) => {
    const on = lying.get(cell);
    if (!on) return null;
    const row = many.get(cell) || 0;
    many.set(cell, row + 1);
    const [x, y] = centre(scene.grid, on.cell);
    const place = [x + 28, y - 26 + row * (HIGH + 2)];
    return html`<g class=${`sum ${seatClass(scene, seat)}`}>
      <rect x=${number(place[0] - WIDE / 2)} y=${number(place[1] - HIGH / 2)} width=${WIDE} height=${HIGH} rx="8" />
      <text x=${number(place[0])} y=${number(place[1])} dy=".36em" text-anchor="middle" font-size="12"
        font-weight="700">${value < 0 ? `\u2212${-value}` : `+${value}`}</text></g>`;
  })}</g>`;
}
