// Layers: a scene as SVG, thing by thing; as replays/drawing/picture.py draws it.
// Each thing is kept from one drawing to the next, and each layer of them: where nothing of it has
// changed, it is not drawn again.

import { html } from "../vendor/preact.js";
import { fillNumbers, seatClass, seatShape } from "./paints.js";
import { MARK_SIZES, OUTLINES } from "./forms.js";
import { ground } from "./backgrounds.js";
import { bow, centre, corners, hexEdges, hexOutline, noteLines } from "./places.js";
import { number, OFFER, offerPlaces, standing, UNIT } from "./places.js";
import { cellWords, pieceWords } from "./words.js";

// The six directions of axial coordinates, in the order of a hex's edges from the right one on.
const AROUND = [[1, 0], [0, 1], [-1, 1], [-1, 0], [0, -1], [1, -1]];
const SIGN_SIZES = [1.15, 1.15, 0.85, 0.66]; // of a radius, by the number of letters
const NONE = Object.freeze([]);

/**
 * Lays a scene out: the pieces of each cell, and the place of each piece.
 * @param {Kept} kept
 * @param {object} scene
 * @returns {Map<string, {cell: object, pieces: object[], stand: object}>}
 */
export function laidOut(kept, scene) {
  return kept.value("lying", [scene.grid, scene.cells, scene.pieces], () => {
    const cells = new Map();
    for (const cell of scene.cells) cells.set(cell.id, { cell, pieces: [] });
    for (const piece of scene.pieces) cells.get(piece.cell)?.pieces.push(piece);
    for (const [id, one] of cells) {
      one.pieces = one.pieces.length ? kept.list(id, one.pieces) : NONE;
      one.stand = kept.value(`stand ${id}`, [scene.grid, one.cell, one.pieces], () =>
        standing(scene.grid, one.cell, one.pieces));
    }
    return cells;
  });
}

/**
 * The cells. `look` says of an id how it is shown: {lit, chosen, target, marked, stop}.
 * @param {Kept} kept
 * @param {object} scene
 * @param {Map} lying
 * @param {object} look
 */
export function cellLayer(kept, scene, lying, look) {
  const of = [scene.grid, scene.players, scene.kinds, lying,
    look.marked, look.lit, look.chosen, look.targets, look.stop];
  return kept.layer("cells", of, () => cellNodes(kept, scene, lying, look), group);
}

function group(nodes) {
  return html`<g>${nodes}</g>`;
}

function cellNodes(kept, scene, lying, look) {
  const fills = kept.value("fills", [scene.kinds, scene.cells], () => fillNumbers(scene));
  return scene.cells.map((cell) => {
    const { pieces } = lying.get(cell.id);
    const fill = fills.get(cell.kind);
    const marked = cell.marked || look.marked.has(cell.id);
    const lit = look.lit.has(cell.id);
    const chosen = look.chosen.has(cell.id);
    const target = look.targets.get(cell.id);
    const stop = look.stop === cell.id;
    const of = [scene.grid, scene.players, cell, pieces, fill, marked, lit, chosen, target, stop];
    return kept.node(`cell ${cell.id}`, of, () => {
      const words = cellWords(scene, cell, pieces, { marked, lit });
      const name = target ? `${target[0].label}. ${words}` : words;
      const state = (target ? " target" : "") + (chosen ? " chosen" : "") + (lit ? " lit" : "");
      return html`<g class=${`place${state}`} role=${target ? "button" : "img"}
        aria-label=${name} aria-pressed=${target && chosen ? "true" : undefined}
        tabindex=${stop ? "0" : "-1"} data-on=${cell.id}>
        <title>${name}</title>
        ${outline(scene.grid, cell, `cell fill-${fill}${marked ? " marked" : ""}`)}
        ${ground(cell, centre(scene.grid, cell))}
        ${target || lit || chosen ? outline(scene.grid, cell, "ring", 7) : null}</g>`;
    });
  });
}

function outline(grid, cell, classes, inwards = 0) {
  const [x, y] = centre(grid, cell);
  if (grid === "hex") {
    const edge = hexOutline([x, y]).map(([u, v]) => [
      x + (u - x) * (1 - inwards / UNIT), y + (v - y) * (1 - inwards / UNIT),
    ]);
    return html`<polygon class=${classes} points=${written(edge)} stroke-width="2" />`;
  }
  const side = UNIT - 4 - inwards;
  return html`<rect class=${classes} x=${number(x - side / 2)} y=${number(y - side / 2)}
    width=${number(side)} height=${number(side)} rx="6" stroke-width="2" />`;
}

/** The outline of every region: the edges of hexes that lead out of it. */
export function regionLayer(kept, scene) {
  if (scene.grid !== "hex") return null;
  const places = kept.value("places", [scene.cells], () =>
    scene.cells.flatMap(({ x, y, region }) => [x, y, region]));
  return kept.node("regions", places, () => {
    const region = new Map(scene.cells.map((cell) => [`${cell.x} ${cell.y}`, cell.region]));
    const lines = [];
    for (const cell of scene.cells) {
      if (!cell.region) continue;
      const edge = hexEdges(centre(scene.grid, cell));
      AROUND.forEach(([across, down], side) => {
        if (region.get(`${cell.x + across} ${cell.y + down}`) === cell.region) return;
        lines.push(html`<line class="edge" ...${ends(edge[side], edge[(side + 1) % 6])}
          stroke-width="3.5" stroke-linecap="round" />`);
      });
    }
    return html`<g class="edges">${lines}</g>`;
  });
}

/** A line from piece to piece, or from cell to cell, in the colour of the seat. */
export function linkLayer(kept, scene, lying, look) {
  if (!scene.links.length) return null;
  const of = [scene.grid, scene.players, scene.links, lying, look.lit, look.targets];
  return kept.layer("links", of, () => linkNodes(kept, scene, lying, look), group);
}

function linkNodes(kept, scene, lying, look) {
  const at = new Map();
  for (const { stand } of lying.values()) {
    for (const { piece, place } of stand.shown) {
      if (piece.link) at.set(`${piece.link} ${piece.cell}`, place);
    }
  }
  const joined = scene.links.filter((link) => lying.has(link.one) && lying.has(link.other));
  return joined.map((link) => {
    const end = (id) => at.get(`${link.id} ${id}`) || centre(scene.grid, lying.get(id).cell);
    const [one, other] = [end(link.one), end(link.other)];
    const lit = look.lit.has(link.id);
    const target = look.targets.get(link.id);
    const of = [scene.players, link, ...one, ...other, lit, target];
    return kept.node(`link ${link.id}`, of, () => {
      const state = (target ? " target" : "") + (lit ? " lit" : "");
      const line = bow(one, other);
      return html`<g class=${`link ${seatClass(scene, link.seat)}${state}`}
        role=${target ? "button" : undefined} tabindex=${target ? "0" : undefined}
        aria-label=${target ? `${target[0].label}. ${link.name}` : undefined}
        data-on=${link.id}><title>${link.name}</title>
        <path class="casing" d=${line} stroke-width="7" stroke-linecap="round" />
        <path class="dots" d=${line} stroke-width="3.5" stroke-dasharray="1 7"
          stroke-linecap="round" /></g>`;
    });
  });
}

/** Labels and notes of the cells. */
export function textLayer(kept, scene) {
  const nodes = () => scene.cells.map((cell) =>
    kept.node(`text ${cell.id}`, [scene.grid, cell], () => {
      if (!cell.label && !cell.note && !cell.offers) return null;
      return html`<g>${labelOf(scene.grid, cell)}${noteOf(scene.grid, cell)}
        ${offersOf(scene.grid, cell)}</g>`;
    }),
  );
  return kept.layer("texts", [scene.grid, scene.cells], nodes, (all) =>
    html`<g class="texts" aria-hidden="true">${all}</g>`);
}

function labelOf(grid, cell) {
  if (!cell.label) return null;
  const [x, y] = centre(grid, cell);
  if (grid === "hex") {
    return html`<text class="label" x=${number(x)} y=${number(y - 38)} text-anchor="middle"
      font-size="12">${cell.label}</text>`;
  }
  return html`<text class="label" x=${number(x - 41)} y=${number(y - 31)}
    font-size="12">${cell.label}</text>`;
}

function noteOf(grid, cell) {
  if (!cell.note) return null;
  const [x, y] = centre(grid, cell);
  const lines = cell.offers ? [cell.note] : noteLines(grid, cell.note);
  const first = cell.offers ? 28 : lines.length > 1 ? 35 : grid === "hex" ? 38 : 41;
  return lines.map((line, at) => html`<text class="label note" x=${number(x)}
    y=${number(y + first + 11 * at)} text-anchor="middle" font-size="10">${line}</text>`);
}

function offersOf(grid, cell) {
  return offerPlaces(grid, cell).map(([offer, place]) => html`<rect class="plate" rx="3.5"
    x=${number(place[0] - OFFER.width / 2)} y=${number(place[1] - OFFER.height / 2)}
    width=${number(OFFER.width)} height=${number(OFFER.height)} />${text(offer, place, 9, "offer")}`);
}

/** The pieces of each cell. */
export function tokenLayer(kept, scene, lying, look) {
  const of = [scene.players, lying, look.fresh, look.lit, look.chosen, look.targets, look.stop];
  return kept.layer("tokens", of, () => tokenNodes(kept, scene, lying, look), group);
}

function tokenNodes(kept, scene, lying, look) {
  return drawnCells(lying).flatMap(({ cell, stand }) =>
    stand.shown.map(({ piece, place, radius }) => {
      const lit = look.lit.has(piece.id);
      const fresh = look.fresh.has(piece.id);
      const chosen = look.chosen.has(piece.id);
      const target = look.targets.get(piece.id);
      const stop = look.stop === piece.id || Boolean(target);
      const of = [
        scene.players, piece, cell.label, ...place, radius, lit, fresh, chosen, target, stop];
      return kept.node(`token ${piece.id}`, of, () => {
        const words = `${pieceWords(scene, piece)} on ${cell.label || cell.id}`;
        const name = target ? `${target[0].label}. ${words}` : words;
        const state = [lit && "lit", fresh && "fresh", chosen && "chosen", target && "target"];
        const classes = ["piece", seatClass(scene, piece.seat), ...state].filter(Boolean);
        return html`<g class=${classes.join(" ")} aria-label=${name}
          role=${target ? "button" : "img"} tabindex=${stop ? "0" : "-1"} data-on=${piece.id}
          aria-pressed=${target && chosen ? "true" : undefined}><title>${words}</title>
          ${lit || fresh || chosen || target
            ? html`<circle class="halo" cx=${number(place[0])} cy=${number(place[1])}
                r=${number(radius * 1.3)} />` : null}
          ${piece.form ? formed(piece, place, radius) : html`
            ${shape(piece.seat, place, radius, "token")}
            ${text(piece.sign, place, radius * size(piece.sign), "sign")}`}</g>`;
      });
    }),
  );
}

/** A piece in its form, like one of wood: with a side below its face, and a letter on it. */
function formed(piece, [x, y], radius) {
  const outline = OUTLINES[piece.form];
  const scale = radius / 10;
  const at = (down) => `translate(${number(x)} ${number(y + (down - 0.4) * scale)}) scale(${scale.toFixed(4)})`;
  const letters = Math.min([...piece.mark].length, MARK_SIZES.length - 1);
  const place = [x, y + (outline.down - 0.4) * scale];
  return html`<path class="under" d=${outline.path} transform=${at(1.4)} />
    <path class="face" d=${outline.path} transform=${at(0)} />
    ${piece.mark && outline.hollow ? shape(null, [x, y - 0.4 * scale], 6 * scale, "hole") : null}
    ${piece.mark && text(piece.mark, place, outline.size * MARK_SIZES[letters] * scale,
      outline.hollow ? "sign hollow" : "sign")}`;
}

/** Numbers on the pieces that stand for several, above all tokens; and what sums up many. */
export function countLayer(kept, scene, lying) {
  const nodes = () => drawnCells(lying).map(({ cell, stand }) =>
    kept.node(`count ${cell.id}`, [scene.players, stand], () => {
      const numbers = stand.shown.filter(({ piece }) => piece.count !== 1);
      if (!numbers.length && !stand.more) return null;
      return html`<g class="numbers">
        ${numbers.map((one) => badge(scene, one))}
        ${stand.more && text(stand.more.said, stand.more.place, stand.more.size, "more")}</g>`;
    }),
  );
  return kept.layer("counts", [scene.players, lying], nodes, (all) =>
    html`<g class="counts" aria-hidden="true">${all}</g>`);
}

function badge(scene, { piece, place, radius }) {
  const corner = [place[0] + radius * 0.78, place[1] - radius * 0.62];
  return html`<g class=${`number ${seatClass(scene, piece.seat)}`}>
    ${shape(null, corner, radius * 0.48, "badge")}
    ${text(String(piece.count), corner, radius * (piece.count < 10 ? 0.75 : 0.55), "count")}</g>`;
}

function drawnCells(lying) {
  return [...lying.values()].filter(({ pieces }) => pieces.length);
}

function size(sign) {
  return SIGN_SIZES[Math.min([...sign].length, SIGN_SIZES.length - 1)];
}

function shape(seat, place, radius, classes) {
  const [many, turned] = seatShape(seat);
  const [x, y] = place;
  if (!many) {
    return html`<circle class=${classes} cx=${number(x)} cy=${number(y)} r=${number(radius)} />`;
  }
  const reach = radius * (many === 3 ? 1.2 : 1.1); // as much area as the circle, or nearly
  const down = many === 3 ? radius * 0.15 : 0; // a triangle is wider below
  const points = written(corners([x, y + down], reach, many, turned));
  return html`<polygon class=${classes} points=${points} stroke-linejoin="round"
    stroke-width=${number(radius / 5)} />`;
}

function text(said, [x, y], height, classes) {
  return html`<text class=${classes} x=${number(x)} y=${number(y)} dy=".36em"
    text-anchor="middle" font-size=${number(height)} font-weight="700">${said}</text>`;
}

function written(points) {
  return points.map(([x, y]) => `${number(x)},${number(y)}`).join(" ");
}

function ends([x, y], [u, v]) {
  return { x1: number(x), y1: number(y), x2: number(u), y2: number(v) };
}
