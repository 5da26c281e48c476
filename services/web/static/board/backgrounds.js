// Backgrounds: what lies beneath the pieces of a cell; as in replays/drawing/backgrounds.py.

import { number } from "./places.js";
import { html } from "../vendor/preact.js";

const WORLD = 34; // the radius of a world
const SHINE = "M28.1 -19.1A34 34 0 1 0 -19.1 28.1A34 34 0 0 1 28.1 -19.1Z"; // light falls on it
const GLOW = [40, 30, 20]; // the radii of a star and of what shines around it
const DOTS = [1.4, 1, 0.8]; // the radii of stars far away
const REACH = 36; // how far from the middle of a cell they may be
const UP = 3; // the ground's middle lies so far above the cell's

/** Some stars as seen from a cell's middle, and how large each is; not by chance. */
function stars(cell) {
  const first = 37 * cell.x + 61 * cell.y;
  const within = (value) => (((value % (2 * REACH)) + 2 * REACH) % (2 * REACH)) - REACH;
  return DOTS.map((radius, at) => [
    within(first * (3 + at) + 29 * at), within(first * (7 - at) + 17 * at), radius,
  ]);
}

const DRAWN = {
  world: () => html`<circle class="haze" r=${WORLD} /><path class="shine" d=${SHINE} />`,
  star: () => GLOW.map((radius) => html`<circle class="glow" r=${radius} />`),
  stars: (cell) => stars(cell).map(([x, y, radius]) =>
    html`<circle class="far" cx=${x} cy=${y} r=${radius} />`),
};

/**
 * Draws the ground of a cell, below everything that stands there.
 * @param {{ground: string, x: number, y: number}} cell
 * @param {[number, number]} middle
 */
export function ground(cell, [x, y]) {
  const draw = DRAWN[cell.ground];
  if (!draw) return null;
  return html`<g class="ground" transform=${`translate(${number(x)} ${number(y - UP)})`}
    aria-hidden="true">${draw(cell)}</g>`;
}
