// Conflicts: what each side brought, by whom, and where it stands on the board.

import { html, useEffect, useState } from "../vendor/preact.js";
import { seatClass } from "../board/paints.js";

const NOTHING = Object.freeze([]);

/** Returns the parts that a side had by an event. */
function partsBy(side, at) {
  return side.parts.filter((part) => part.n === undefined || part.n <= at);
}

/** Returns a side's total by an event; null if its parts have no sum. */
function totalBy(conflict, side, at) {
  if (side.total === null) return null;
  if (at >= conflict.to) return side.total;
  return partsBy(side, at).reduce((sum, part) => sum + part.value, 0);
}

/** The cells and pieces of parts, for the board to light up. */
function things(parts) {
  return parts.flatMap((part) => [part.cell, part.piece]).filter(Boolean);
}

/** Everything on the board that counts in a conflict at an event. */
export function litBy(conflict, at) {
  if (!conflict) return NOTHING;
  const parts = conflict.sides.flatMap((side) => partsBy(side, at));
  return [...new Set([...things(parts), ...(conflict.cell ? [conflict.cell] : [])])];
}

/** Returns the values that count in a conflict by an event, by place: `{cell, seat, value}`. */
export function sumsBy(conflict, at) {
  if (!conflict) return NOTHING;
  const found = new Map();
  for (const side of conflict.sides) {
    for (const { cell, value } of partsBy(side, at)) {
      if (!cell) continue;
      const key = `${cell} ${side.seat}`;
      if (!found.has(key)) found.set(key, { cell, seat: side.seat, value: 0 });
      found.get(key).value += value;
    }
  }
  return [...found.values()];
}

/** A conflict in one line: `Green 11 against Purple 9`. */
export function inShort(story, conflict, at) {
  return conflict.sides.map((side) => {
    const total = totalBy(conflict, side, at);
    return `${sideName(story, side)}${total === null ? "" : ` ${total}`}`;
  }).join(" against ");
}

function sideName(story, side) {
  return side.seat === null ? side.name : story.name(side.seat);
}

/**
 * The conflict of the event that is looked at, and the list of all.
 * @param {{story: object, at: number, go: Function, light: (ids: string[] | null) => void}} props
 */
export function Conflicts({ story, at, go, light }) {
  const current = story.conflictAt(at);
  const all = story.doc.conflicts;
  if (!all.length) return html`<p class="aside">This viewpoint has seen no conflict.</p>`;
  return html`<div class="conflicts">
    ${current
      ? html`<${Fought} story=${story} conflict=${current} at=${at} light=${light} />`
      : html`<p class="aside">Event ${at} is not part of a conflict. Choose one to see what each
          side brought.</p>`}
    <h3>All conflicts</h3>
    <ol class="picks">${all.map((one) => html`<li key=${one.from}>
      <button type="button" class="pick" aria-current=${one === current ? "true" : undefined}
        onClick=${() => go(one.to)}>
        <span class="version">${one.from}–${one.to}</span>
        <span class="words"><b>${one.label}</b>
          <span class="aside">${inShort(story, one, one.to)}${one.outcome ? `. ${one.outcome}` : ""}</span></span>
      </button></li>`)}</ol>
  </div>`;
}

/** Tells if the outcome was known by an event. */
function decidedBy(story, conflict, at) {
  if (at >= conflict.to) return true;
  const before = story.events.slice(conflict.from - 1, at);
  return before.some((event) => event.said.includes(conflict.outcome));
}

function Fought({ story, conflict, at, light }) {
  const [only, point] = useState(null);
  useEffect(() => {
    light(only ? things([only]) : null);
    return () => light(null);
  }, [only]);
  const totals = conflict.sides.map((side) => totalBy(conflict, side, at));
  const most = Math.max(1, ...totals.map((total) => total || 0));
  const decided = conflict.outcome && decidedBy(story, conflict, at);
  return html`<section class="fought" aria-label=${conflict.label}>
    <h3>${conflict.label}</h3>
    <div class="sides">${conflict.sides.map((side, number) => html`<div key=${number}
      class=${`fighter ${seatClass(story, side.seat)}`}>
      <p class="fighter-head"><b>${sideName(story, side)}</b>
        ${side.name && side.seat !== null ? html` <span class="aside">${side.name}</span>` : null}
        ${totals[number] === null ? null : html`<span class="total">${totals[number]}</span>`}</p>
      ${totals[number] === null ? null : html`<meter min="0" max=${most} value=${Math.max(0, totals[number])}
        aria-label=${`${sideName(story, side)}: ${totals[number]}`}></meter>`}
      <${Parts} story=${story} side=${side} at=${at} only=${only} point=${point} />
    </div>`)}</div>
    <p class="outcome">${decided ? conflict.outcome : "Not decided yet at this event."}</p>
  </section>`;
}

function Parts({ story, side, at, only, point }) {
  const parts = partsBy(side, at);
  if (!parts.length) return html`<p class="aside">nothing yet</p>`;
  return html`<ul class="parts">${parts.map((part) => {
    const placed = part.cell || part.piece;
    const given = part.seat !== null && part.seat !== undefined && part.seat !== side.seat;
    const from = given ? html` <em>from ${story.name(part.seat)}</em>` : null;
    const words = html`<span class="what">${part.name}${from}</span>
      ${part.rule ? html`<code class="rule">${part.rule}</code>` : null}
      <span class="value">${part.value < 0 ? `−${-part.value}` : `+${part.value}`}</span>`;
    if (!placed) return html`<li><span class="given">${words}</span></li>`;
    return html`<li><button type="button" class="given" aria-pressed=${String(only === part)}
      title="Show on the board" onMouseEnter=${() => point(part)} onMouseLeave=${() => point(null)}
      onFocus=${() => point(part)} onBlur=${() => point(null)}
      onClick=${() => point(part)}>${words}</button></li>`;
  })}</ul>`;
}
