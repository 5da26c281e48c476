// The board: a scene as a picture that one can walk through, zoom, and choose in.

import { html, useMemo, useRef, useState } from "../vendor/preact.js";
import { targetsOf } from "./grouping.js";
import { Kept } from "./kept.js";
import { cellLayer, countLayer, laidOut, linkLayer, regionLayer, textLayer, tokenLayer } from "./layers.js";
import { bounds, centre } from "./places.js";
import { Sums } from "./sums.js";
import { useZoom } from "./zoom.js";

const FEW = 16; // cells: such a board is large as it is, and buttons would lie on it
const NOTHING = new Set();
const NO_TARGETS = Object.freeze([]);
const WAYS = {
  ArrowLeft: [-1, 0], ArrowRight: [1, 0], ArrowUp: [0, -1], ArrowDown: [0, 1],
};

/**
 * A scene as SVG.
 * @param {object} props
 * @param {object} props.scene whole, as `wholeScene`, `renewed` or `Scenes` give it
 * @param {string} [props.label] what the board is called; the scene's title else
 * @param {Set<string>} [props.marked] cells that just changed
 * @param {Set<string>} [props.fresh] pieces that just changed
 * @param {Set<string>} [props.lit] cells, pieces and links that something beside points at
 * @param {{cell: string, seat: number | null, value: number}[]} [props.sums] what counts where, and for whom
 * @param {Set<string>} [props.chosen] cells and pieces chosen so far
 * @param {{on: string, label: string, decision: object}[]} [props.targets] what a click may choose
 * @param {(target: object, all: object[]) => void} [props.onChoose] called with the first target
 *   of the thing that was clicked, and all of them
 */
export function Board(props) {
  const { scene, targets = NO_TARGETS, onChoose } = props;
  const kept = useMemo(() => new Kept(), []);
  const [at, walk] = useState("");
  const sides = useMemo(() => bounds(scene), [scene.grid, scene.cells]);
  const zoom = useZoom(sides);
  const buttons = useMemo(() => html`<${ZoomButtons} zoom=${zoom} />`, [zoom.near]);
  const full = useMemo(() => reachesCorner(scene, sides), [sides]);
  const byThing = useMemo(() => targetsOf(targets), [targets]);
  const stop = at || (scene.cells.length ? scene.cells[0].id : "");
  const look = {
    marked: props.marked || NOTHING,
    fresh: props.fresh || NOTHING,
    lit: props.lit || NOTHING,
    chosen: props.chosen || NOTHING,
    targets: byThing,
    stop,
  };
  const lying = laidOut(kept, scene);
  const live = useRef(null);
  live.current = { scene, lying, zoom, walk, at: stop, byThing, onChoose };
  const heard = useMemo(() => listeners(live), []);
  return html`<div class=${`board-frame${zoom.near > 1 ? " near" : ""}${full ? " full" : ""}`}>
    <svg ref=${zoom.ref} class=${`scene ${scene.grid}`} viewBox=${zoom.view.box} role="group"
      aria-label=${`${props.label || scene.title}. Use the arrow keys to move between cells.`}
      aria-roledescription="board" ...${heard}>
      ${cellLayer(kept, scene, lying, look)}${regionLayer(kept, scene)}
      ${linkLayer(kept, scene, lying, look)}${textLayer(kept, scene)}
      ${tokenLayer(kept, scene, lying, look)}${countLayer(kept, scene, lying)}
      ${props.sums && props.sums.length ? html`<${Sums} scene=${scene} lying=${lying} sums=${props.sums} />` : null}
    </svg>
    ${scene.cells.length > FEW || zoom.near > 1 ? buttons : null}
  </div>`;
}

/** Tells if cells lie under the buttons that a narrow screen has on the board. */
function reachesCorner({ grid, cells }, [left, top, right, bottom]) {
  const [x, y] = [right - (right - left) / 6, bottom - (bottom - top) / 6];
  return cells.map((cell) => centre(grid, cell)).some(([across, down]) => across > x && down > y);
}

function ZoomButtons({ zoom }) {
  return html`<div class="zoom" role="group" aria-label="Size of the board">
    <button type="button" class="button" onClick=${zoom.nearer} aria-label="Zoom in"
      title="Zoom in (Ctrl and wheel, or two fingers)">+</button>
    <button type="button" class="button" onClick=${zoom.farther} aria-label="Zoom out"
      title="Zoom out" disabled=${zoom.near <= 1}>−</button>
    <button type="button" class="button" onClick=${zoom.fit} aria-label="Show the whole board"
      title="Show the whole board" disabled=${zoom.near <= 1}>
      <svg viewBox="0 0 24 24" width="20" height="20" aria-hidden="true"><path
        d="M4 9V4h5M20 9V4h-5M4 15v5h5M20 15v5h-5" /></svg></button>
  </div>`;
}

function thing(event) {
  return event.target instanceof Element ? event.target.closest("[data-on]") : null;
}

/** The listeners of the picture, once for all things in it. */
function listeners(live) {
  const choose = (id) => {
    const { byThing, onChoose } = live.current;
    const all = byThing.get(id);
    if (all && onChoose) onChoose(all[0], all);
    return Boolean(all);
  };
  return {
    onClick: (event) => {
      const on = thing(event);
      if (!on || live.current.zoom.view.dragged) return;
      // A thing that lies on a target is part of it, unless it is a target itself.
      if (!choose(on.dataset.on)) choose(cellOf(live.current, on.dataset.on));
    },
    onKeyDown: (event) => {
      if (event.ctrlKey || event.metaKey || event.altKey) return;
      const on = thing(event);
      if (!on) return;
      const done = pressed(event.key, on.dataset.on, live.current, choose, event.currentTarget);
      if (!done) return;
      event.preventDefault();
      event.stopPropagation();
    },
    onFocusIn: (event) => {
      const on = thing(event);
      if (!on) return;
      const { lying, walk, scene, zoom } = live.current;
      const cell = lying.get(cellOf(live.current, on.dataset.on));
      if (lying.has(on.dataset.on)) walk(on.dataset.on);
      if (cell && zoom.near > 1) zoom.view.reveal(centre(scene.grid, cell.cell));
    },
  };
}

function cellOf({ lying, scene }, id) {
  if (lying.has(id)) return id;
  const piece = scene.pieces.find((one) => one.id === id);
  return piece ? piece.cell : "";
}

/** A key on a thing of the board: whether it was for us. */
function pressed(key, id, board, choose, svg) {
  if (key === "Enter" || key === " ") {
    return choose(id) || choose(cellOf(board, id)) || goTo(svg, firstOn(board, id));
  }
  const cell = cellOf(board, id);
  if (key === "Escape") return cell !== id && goTo(svg, cell);
  if (!WAYS[key]) return false;
  if (cell !== id) return goTo(svg, beside(board, cell, id, key)) || true;
  return goTo(svg, neighbour(board, cell, WAYS[key])) || true;
}

function goTo(svg, id) {
  const found = id && svg.querySelector(`[data-on="${CSS.escape(id)}"]`);
  if (found) found.focus({ preventScroll: false });
  return Boolean(found);
}

function firstOn({ lying }, id) {
  const on = lying.get(id);
  return on && on.stand.shown.length ? on.stand.shown[0].piece.id : "";
}

/** The piece beside one on the same cell. */
function beside({ lying }, cell, id, key) {
  const ids = lying.get(cell).stand.shown.map(({ piece }) => piece.id);
  const step = key === "ArrowLeft" || key === "ArrowUp" ? -1 : 1;
  return ids[(ids.indexOf(id) + step + ids.length) % ids.length];
}

/** The nearest cell that lies in a direction. */
function neighbour({ scene, lying }, id, [across, down]) {
  const [x, y] = centre(scene.grid, lying.get(id).cell);
  let [best, least] = ["", Infinity];
  for (const cell of scene.cells) {
    const [u, v] = centre(scene.grid, cell);
    const ahead = (u - x) * across + (v - y) * down;
    const aside = Math.abs((u - x) * down) + Math.abs((v - y) * across);
    if (ahead < 20 || aside > ahead * 1.8) continue;
    const far = ahead + aside * 1.5;
    if (far < least) [best, least] = [cell.id, far];
  }
  return best;
}
