// The head of the page: which match, how it stands, whether we are told live; and what is to be read.

import { html } from "../vendor/preact.js";
import { listed, seatShort, seatWords, stateWords } from "./names.js";

const LINKS = {
  told: "", asking: "updates every few seconds", lost: "connection lost, trying again …", "": "connecting …",
};

/** @param {{table: import("./state.js").Table}} props */
export function Head({ table }) {
  const { config, match } = table;
  const state = match ? match.state : "";
  const link = LINKS[table.link];
  return html`<header class="table-head">
    <div><h1>${config.title}</h1>
      <p class="aside">${config.game}
        ${state ? html` <span class=${`state ${state}`}>${stateWords(state)}</span>` : null}
        ${table.seat === null && match ? html` <span class="state">watching</span>` : null}
        ${link ? html` <span class=${`state link-${table.link || "none"}`}>${link}</span>` : null}
      </p></div>
    ${match && state !== "open" ? html`<p class="now">${whoseTurn(table)}</p>` : null}
    <nav class="table-links" aria-label="This match">
      ${document.getElementById("primer") ? html`<a class="button" href="#primer" onClick=${primer}>
        How to play</a>` : null}
      ${match && state !== "open" ? html`<a class="button" href=${replayOf(table, table.version)}>
        Replay<span class="unseen"> from event ${table.version}</span></a>` : null}
    </nav>
  </header>`;
}

/** Opens the primer of the game, below the table, and moves the focus to it. */
function primer() {
  const found = document.getElementById("primer");
  found.open = true;
  found.querySelector("summary").focus();
}

/**
 * Returns the address of the replay at an event, for the same viewpoint.
 * @param {import("./state.js").Table} table
 * @param {number} version
 */
export function replayOf(table, version) {
  return `/matches/${table.config.match}/replay?at=${version}&as=${table.config.as}`;
}

function whoseTurn(table) {
  const { match, position } = table;
  if (match.result) {
    const names = match.result.winners.map((seat) => seatWords(table, seat));
    const who = names.length ? `${listed(names)} ${names.length > 1 ? "share the win" : "wins"}` : "Nobody wins";
    return html`<strong>${who}</strong>`;
  }
  if (match.state !== "running") return `The match is ${stateWords(match.state)}.`;
  if (table.mine) return html`<strong class="yours">Your move</strong>`;
  const seats = position && position.waits ? position.waits.seats : match.asked;
  if (!seats.length) return "Rolling dice and drawing cards …";
  return `Waiting for ${listed(seats.map((seat) => seatShort(table, seat)))}`;
}

/** The notices, each until it is closed. */
export function Notices({ table }) {
  return html`<div class="notices" role="alert">${table.notices.map((one) => html`<p key=${one.id}
    class=${`notice${one.grave ? " grave" : ""}`}><span>${one.words}
      ${one.since ? since(table, one.since) : null}</span>
    <button type="button" class="button small-button" onClick=${() => table.putAway(one.id)}>
      OK<span class="unseen">: dismiss this message</span></button></p>`)}</div>`;
}

/** Tells what happened since a decision was composed. */
function since(table, version) {
  const told = table.log.filter((one) => one.version > version && one.sentences.length);
  if (!told.length) return null;
  return html`<span class="since">${told.slice(-6).map((one) =>
    html`<span key=${one.version}><b>${one.version}</b> ${one.sentences.join(" ")}</span>`)}</span>`;
}
