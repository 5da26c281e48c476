// Banners: what one has to know of the moment that one looks at, before anything else.

import { html, useMemo } from "../vendor/preact.js";

/**
 * @param {{story: object, played: object | undefined, at: number, newest: number, links: object | null, go: Function,
 *   act: Function}} props
 */
export function Banners({ story, played, at, newest, links, go, act }) {
  const event = story.event(at);
  const table = links && !story.doc.finished ? html`<a href=${links.table}>Go to the table</a>` : null;
  return html`<div class="banners">
    ${story.doc.played ? null : html`<${Tried} story=${story} played=${played} go=${go} />`}
    ${story.as === "all" ? html`<p class="notice" role="note">All seats at once: no player could see
      everything that is shown here.</p>` : null}
    ${story.doc.finished ? null : html`<${Running} story=${story} at=${at} newest=${newest}
      table=${table} go=${go} act=${act} />`}
    ${event.undone ? html`<${Undone} after=${story.undoneBy(at)} go=${go} />` : null}
  </div>`;
}

/** The same decisions under other rules; and where they first come to something else. */
function Tried({ story, played, go }) {
  const stopped = story.events.find((event) => event.refused);
  const first = useMemo(() => (played ? story.differsFrom(played) : undefined), [story, played]);
  return html`<p class="notice" role="note" id="tried">These are the same decisions under edition
    ${" "}${story.doc.edition}, not the match as played.${" "}
    ${stopped ? html`It stops at <button type="button" class="plain" id="stopped"
        onClick=${() => go(stopped.n)}>event ${stopped.n}</button>, which is refused:
        ${" "}${stopped.refused.message || stopped.refused.code}${" "}` : null}
    ${first === null ? "Nothing differs."
      : first && !(stopped && stopped.n === first) ? html`It first differs at <button type="button" class="plain" id="differs"
        onClick=${() => go(first)}>event ${first}</button>.` : null}</p>`;
}

/** A match that runs: whether it has moved on meanwhile, or one looks at its past. */
function Running({ story, at, newest, table, go, act }) {
  const since = newest - story.last;
  if (since > 0) {
    return html`<p class="notice" role="status" id="moved-on">The match has moved on:
      ${" "}${since} ${since === 1 ? "event" : "events"} since.${" "}
      <button type="button" class="plain" onClick=${() => act("renew")}>Show
        ${since === 1 ? " it" : " them"}</button>${" "}${table}</p>`;
  }
  if (at < story.last) {
    return html`<p class="notice" role="note" id="past">You are viewing the past of a running match.
      ${" "}<button type="button" class="plain" onClick=${() => go(story.last)}>Go to the newest
        event</button>${" "}${table}</p>`;
  }
  return table ? html`<p class="notice quiet">This match is running. ${table}</p>` : null;
}

function Undone({ after, go }) {
  return html`<p class="notice" role="note" id="undone">This was undone later and is not part of
    the match any more.${" "}
    ${after === null ? null : html`<button type="button" class="plain" onClick=${() => go(after)}>Go to
      event ${after}, where play continues without it</button>`}</p>`;
}

/**
 * A document that is on its way, or did not come.
 * @param {{loading: {done: number, of: number} | null, trouble: Error | null, again: Function}} props
 */
export function Waiting({ loading, trouble, again }) {
  if (trouble) {
    return html`<div class="notice waiting" role="alert"><p>${trouble.message}</p>
      ${trouble.again ? html`<button type="button" class="button" onClick=${again}>Try again</button>` : null}</div>`;
  }
  if (!loading) return null;
  const { done, of } = loading;
  return html`<div class="waiting" role="status">
    <label for="making">${of ? `Preparing the replay: ${done} of ${of} events` : "Loading the replay"}</label>
    ${of ? html`<progress id="making" max=${of} value=${done}></progress>` : html`<progress id="making"></progress>`}
  </div>`;
}
