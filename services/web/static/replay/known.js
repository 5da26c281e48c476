// Known: what a viewpoint had been told by an event. It is the document of that viewpoint, no more.

import { html } from "../vendor/preact.js";
import { seatClass, seatName } from "../board/paints.js";

const SETTLED = new Set([
  "accepted", "declined", "withdrawn", "expired", "made", "kept", "broken", "cancelled", "countered",
]);

/**
 * @param {{story: object, at: number, scene: object | null, go: Function}} props
 */
export function Known({ story, at, scene, go }) {
  const own = story.doc.viewpoints.find((one) => one.as === story.as);
  const seat = own ? own.seat : null;
  const whose = story.as === "all" ? "Everything is shown here, no matter who knew it."
    : seat === null ? "Everybody at the table could know this."
      : `${story.name(seat)} could know this and nothing else: the cards in its own hand, `
        + "and all that it was shown or offered.";
  const knew = story.as === "all" ? "Everything"
    : seat === null ? "A spectator’s knowledge" : `${story.name(seat)}’s knowledge`;
  return html`<div class="known">
    <h3>${knew} at event ${at}</h3>
    <p class="aside">${whose} It comes from the log as delivered to this viewpoint, up to
      event ${at}.</p>
    ${scene ? html`<${Cards} scene=${scene} own=${seat} />` : html`<p>The match had not started.</p>`}
    <${Offers} story=${story} at=${at} go=${go} />
    <${Untold} story=${story} at=${at} go=${go} />
  </div>`;
}

/** Cards by whose they are: those with a face, and how many lie face down. */
function Cards({ scene, own }) {
  const piles = new Map();
  for (const card of scene.cards) {
    const key = card.seat === null ? "shared" : String(card.seat);
    if (!piles.has(key)) piles.set(key, { seat: card.seat, up: [], down: 0 });
    const pile = piles.get(key);
    if (card.name) pile.up.push(card);
    else pile.down += card.count;
  }
  const sorted = [...piles.values()].sort((one, other) => (other.seat === own) - (one.seat === own));
  if (!piles.size) return html`<p>No cards were visible.</p>`;
  return html`<h4>Cards</h4><ul class="piles">${sorted.map((pile) => html`<li
    class=${pile.seat === null ? "" : seatClass(scene, pile.seat)}>
    <b>${pile.seat === null ? "Shared" : seatName(scene, pile.seat)}
      ${pile.seat === own && own !== null ? " (own)" : ""}</b>
    ${pile.up.length ? html`<ul>${pile.up.map(inOneLine)}</ul>` : null}
    ${pile.down ? html`<p class="aside">${pile.down} face down: not known to this viewpoint</p>`
      : null}</li>`)}</ul>`;
}

function inOneLine(card) {
  return html`<li><span class="aside">${card.place}:</span>${" "}${card.name}
    ${card.count > 1 ? ` × ${card.count}` : ""}</li>`;
}

function Offers({ story, at, go }) {
  const open = story.doc.deals.filter((deal) => {
    const done = deal.steps.filter((step) => step.n <= at);
    return done.length && !done.some((step) => SETTLED.has(step.what));
  });
  if (!story.doc.deals.length) return null;
  return html`<h4>Open offers</h4>
    ${open.length ? html`<ul>${open.map((deal) => html`<li>${deal.label}${" "}
      <button type="button" class="plain" onClick=${() => go(deal.steps[0].n)}>offered at
        ${" "}${deal.steps[0].n}</button></li>`)}</ul>`
      : html`<p class="aside">None.</p>`}`;
}

function Untold({ story, at, go }) {
  const silent = story.events.slice(0, at).filter((event) => event.undisclosed || !event.said.length);
  if (!silent.length) return null;
  const last = silent[silent.length - 1].n;
  return html`<h4>Hidden events</h4><p>For ${silent.length} ${silent.length === 1 ? "event" : "events"} so far, this
    viewpoint learned only that something happened. The last is${" "}
    <button type="button" class="plain" onClick=${() => go(last)}>event ${last}</button>.</p>`;
}
