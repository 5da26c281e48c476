// A fight: who attacks whom, with what, what each has so far, and who has said what to it.

import { html } from "../vendor/preact.js";
import { seatClasses, seatShort } from "./names.js";

const NOTHING = new Set();

/**
 * @param {object} props
 * @param {import("./state.js").Table} props.table
 * @param {object | null} props.struggle
 * @param {(cells: Set<string>) => void} props.light points at cells of the board
 */
export function Fight({ table, struggle, light }) {
  if (!struggle) return null;
  const all = new Set([struggle.cell].filter(Boolean));
  const [one, other] = struggle.sides.map((side) => side.total);
  return html`<section class="fight" aria-labelledby="fight-heading">
    <div class="fight-head"><h2 id="fight-heading">${struggle.title}</h2>
      <p class="aside">${struggle.stage}
        ${struggle.cell ? html` <button type="button" class="button small-button"
          onClick=${() => light(all)} onBlur=${() => light(NOTHING)}>Show where</button>` : null}</p></div>
    <div class="sides">${struggle.sides.map((side) => html`<${Side} key=${side.role} table=${table}
      side=${side} light=${light} ahead=${side.total === Math.max(one, other) && one !== other} />`)}</div>
    ${struggle.notes.length ? html`<ul class="fight-notes">${struggle.notes.map((note) =>
      html`<li key=${note}>${note}</li>`)}</ul>` : null}
  </section>`;
}

function Side({ table, side, light, ahead }) {
  const point = (share) => light(share.cell ? new Set([share.cell]) : NOTHING);
  return html`<div class=${`side ${seatClasses(table, side.seat)}${ahead ? " ahead" : ""}`}>
    <p class="role"><span class="dot" aria-hidden="true">${side.seat}</span>
      <b>${seatShort(table, side.seat)}</b> <span class="aside">${side.role}</span></p>
    <p class="total"><span class="unseen">Power so far: </span>${side.total}</p>
    <p class="aside">${side.force}</p>
    ${side.shares.length ? html`<ul class="shares">${side.shares.map((share, at) => html`<li key=${at}
      tabindex=${share.cell ? "0" : undefined} onMouseEnter=${() => point(share)}
      onMouseLeave=${() => light(NOTHING)} onFocus=${() => point(share)} onBlur=${() => light(NOTHING)}>
      <span>${share.name}</span> <b>${share.value > 0 ? "+" : ""}${share.value}</b></li>`)}</ul>`
      : html`<p class="aside">Nothing is counted yet.</p>`}
  </div>`;
}
