// The page: what stands where, and what the title and the icon say.

import { Beside } from "../board/beside.js";
import { Board } from "../board/board.js";
import { html, useCallback, useEffect, useMemo, useReducer, useState } from "../vendor/preact.js";
import { renewed } from "../board/scenes.js";
import { Decide } from "./decide.js";
import { Head, Notices } from "./head.js";
import { WaitingRoom } from "./room.js";
import { Seats } from "./seats.js";
import { Fight } from "./fight.js";
import { freshPieces } from "./fresh.js";
import { Tabs } from "./tabs.js";
import { Tray } from "./tray.js";
import { useKeys } from "./keys.js";

const NOTHING = new Set();
const SAID_ABOVE = 40; // letters: what is longer stands beside the board
const DOT = "data:image/svg+xml," + encodeURIComponent(
  "<svg xmlns='http://www.w3.org/2000/svg' viewBox='0 0 32 32'>" +
  "<circle cx='16' cy='16' r='15' fill='#1f6348'/><circle cx='16' cy='16' r='7' fill='#ffe49a'/></svg>");

/**
 * All of the page.
 * @param {object} props
 * @param {import("./state.js").Table} props.table
 */
export function App({ table }) {
  const [, draw] = useReducer((count) => count + 1, 0);
  useEffect(() => table.listen(() => draw()), [table]);
  useEffect(() => sayWhoseTurn(table));
  useKeys(table);
  if (!table.match) {
    return html`<${Head} table=${table} /><${Notices} table=${table} />
      <p class="aside" role="status">Loading the table …</p>`;
  }
  const open = table.match.state === "open";
  return html`<${Head} table=${table} /><${Notices} table=${table} />
    ${open ? html`<${WaitingRoom} table=${table} />` : html`<${Play} table=${table} />`}
    <p class="unseen" role="status" aria-live="polite">${table.said}</p>`;
}

function Play({ table }) {
  const [picked, pick] = useState(null);
  const [lit, light] = useState(NOTHING);
  const { plan } = table;
  const trial = plan && plan.steps.length && plan.trial && plan.trial.told ? plan.trial : null;
  const tried = useMemo(
    () => (trial && trial.scene ? renewed(table.scene, trial.scene) : null), [trial, table.scene],
  );
  const scene = tried || table.scene;
  const position = trial || table.position;
  const fresh = useMemo(
    () => freshPieces(tried ? table.scene : table.before, scene), [table.before, scene],
  );
  const asked = plan && !plan.open ? null : position.asked;
  const targets = useMemo(() => targetsOf(asked), [asked]);
  const chosen = useMemo(
    () => new Set(plan ? plan.steps.map((step) => step.on).filter(Boolean) : []), [plan && plan.steps],
  );
  const choose = useCallback((choice, question) => {
    pick(null);
    return plan.add({ question, decision: choice.decision, label: choice.label, on: choice.on });
  }, [plan]);
  const clicked = (target, all) => {
    if (all.length === 1) choose(target, target.question).then(() => focusOn(".tray .send"));
    else {
      pick({ on: target.on, name: nameOf(scene, target.on) });
      focusOn(".decide .picked button");
    }
  };
  const { struggle } = position;
  const [where, beside] = useMemo(() => shared(scene, struggle), [scene, struggle]);
  const here = picked && targets.some((one) => one.on === picked.on) ? picked : null;
  return html`<div class="table-page-grid" data-version=${table.version}>
    <section class="table-board" aria-label="The board">
      ${where.length ? html`<dl class="where" aria-label="State of the match">${where.map((one) =>
        html`<div key=${one.id}><dt>${one.name}</dt><dd>${one.value}</dd></div>`)}</dl>` : null}
      <${Fight} table=${table} struggle=${struggle} light=${light} />
      ${scene && scene.cells.length
        ? html`<figure class="board"><${Board} scene=${scene} marked=${table.touched || NOTHING}
            fresh=${fresh} lit=${lit} chosen=${chosen} targets=${targets} onChoose=${clicked} /></figure>`
        : html`<p class="board empty">There is no board to show yet.</p>`}
    </section>
    <aside class="table-side" aria-label="Seats and decisions">
      <${Seats} table=${table} waits=${table.position.waits} />
      <${Decide} table=${table} position=${position} asked=${asked} picked=${here}
        unpick=${() => pick(null)} choose=${choose} />
      <${Tray} table=${table} />
      <${Tabs} table=${table} />
    </aside>
    ${scene ? html`<section class=${`table-beside mine-${table.seat}`} aria-label="Beside the board">
      <${Beside} scene=${beside} before=${tried ? table.scene : table.before} /></section>` : null}
  </div>`;
}

/** Splits a scene: the counters above the board, and the scene without them. */
function shared(scene, struggle) {
  if (!scene) return [[], scene];
  const counters = scene.counters.filter((one) => !struggle || !struggle.counters.includes(one.id));
  const above = (one) => one.seat === null && String(one.value).length <= SAID_ABOVE;
  const rest = counters.filter((one) => !above(one));
  return [counters.filter(above), { ...scene, counters: rest }];
}

function targetsOf(asked) {
  if (!asked) return [];
  return asked.kinds.flatMap((kind) => kind.choices
    .filter((choice) => choice.on)
    .map((choice) => ({ ...choice, question: asked.question })));
}

function nameOf(scene, id) {
  const cell = scene.cells.find((one) => one.id === id);
  const piece = scene.pieces.find((one) => one.id === id);
  return cell ? cell.label || cell.id : piece ? piece.name : id;
}

function focusOn(selector) {
  requestAnimationFrame(() => document.querySelector(selector)?.focus());
}

/** Title and icon say whether it is for us to decide. */
function sayWhoseTurn(table) {
  const yours = table.mine;
  const title = `${yours ? "● Your turn: " : ""}${table.config.title} - Hegemon`;
  if (document.title !== title) document.title = title;
  const icon = document.querySelector('link[rel="icon"]');
  const wanted = yours ? DOT : table.config.mark;
  if (icon && icon.getAttribute("href") !== wanted) icon.setAttribute("href", wanted);
}
