// Deals: each from its first offer on, along the line of the match.

import { html } from "../vendor/preact.js";
import { seatClass } from "../board/paints.js";

const OVER = new Set(["declined", "withdrawn", "expired", "kept", "broken"]);

/**
 * @param {{story: object, at: number, go: Function}} props
 */
export function Deals({ story, at, go }) {
  const deals = story.doc.deals;
  if (!deals.length) return html`<p class="aside">This viewpoint has seen no deal.</p>`;
  const begun = deals.filter((deal) => deal.steps[0].n <= at).length;
  return html`<div class="deals">
    <p class="aside">${begun} of ${deals.length} deals had been offered by event ${at}.</p>
    <ol class="deal-list">${deals.map((deal) =>
      html`<${Deal} key=${deal.id} story=${story} deal=${deal} at=${at} go=${go} />`)}</ol>
  </div>`;
}

function Deal({ story, deal, at, go }) {
  const done = deal.steps.filter((step) => step.n <= at);
  const now = done.length ? done[done.length - 1].what : "not yet offered";
  const across = (n) => `${story.last > 1 ? (((n - 1) / (story.last - 1)) * 100).toFixed(2) : 0}%`;
  const [first, last] = [deal.steps[0].n, deal.steps[deal.steps.length - 1].n];
  return html`<li class=${`deal${done.length ? "" : " to-come"}`}>
    <p class="deal-head">${deal.seats.map((seat) => html`<span class=${`party ${seatClass(story, seat)}`}>
      <span class="dot" aria-hidden="true">${seat}</span> ${story.name(seat)}</span>`)}
      <span class=${`state${OVER.has(now) ? "" : " running"}`}>${now}</span></p>
    <p class="deal-label">${deal.label}</p>
    <svg class="deal-line" aria-hidden="true" width="100%" height="16">
      <line class="axis" x1="0" x2="100%" y1="8" y2="8" />
      <line class="span" x1=${across(first)} x2=${across(last)} y1="8" y2="8" />
      <line class="now" x1=${across(at)} x2=${across(at)} y1="0" y2="16" />
      ${deal.steps.map((step) => html`<circle class=${step.n <= at ? "past" : ""}
        cx=${across(step.n)} cy="8" r="4" />`)}
    </svg>
    <ol class="deal-steps">${byEvent(deal.steps).map(({ n, whats, said }) => html`<li>
      <button type="button" class="chip" aria-current=${n === at ? "step" : undefined}
        title=${said} onClick=${() => go(n)}><span class="version">${n}</span>
        ${" "}${whats.join(", ")}</button></li>`)}</ol>
  </li>`;
}

/** Groups the steps of a deal by event. */
function byEvent(steps) {
  const found = new Map();
  for (const { n, what, said } of steps) {
    if (!found.has(n)) found.set(n, { n, whats: [], said });
    found.get(n).whats.push(what);
  }
  return [...found.values()];
}
