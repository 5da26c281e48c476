// Tabs: the log, the talk, and what is to be done about the table itself.

import { html, useEffect, useRef, useState } from "../vendor/preact.js";
import { replayOf } from "./head.js";
import { Manage } from "./manage.js";
import { seatClasses } from "./names.js";
import { Talk } from "./talk.js";

const NAMES = { log: "Log", talk: "Talk", manage: "Table" };

/** @param {{table: import("./state.js").Table}} props */
export function Tabs({ table }) {
  const [open, show] = useState("log");
  const shown = { log: Log, talk: Talk, manage: Manage };
  const counts = { talk: table.talk.unread, manage: table.undos.length };
  const walked = (event) => {
    const names = Object.keys(NAMES);
    const step = { ArrowRight: 1, ArrowLeft: -1 }[event.key];
    if (!step) return;
    const next = names[(names.indexOf(open) + step + names.length) % names.length];
    show(next);
    document.getElementById(`tab-${next}`)?.focus();
    event.preventDefault();
  };
  return html`<section class="tabs" aria-label="Log, talk and table">
    <div role="tablist" aria-label="Log, talk and table" onKeyDown=${walked}>
      ${Object.entries(NAMES).map(([name, label]) => html`<button type="button" role="tab" key=${name}
        id=${`tab-${name}`} aria-selected=${name === open} aria-controls="tab-panel"
        tabindex=${name === open ? "0" : "-1"} onClick=${() => show(name)}>${label}
        ${counts[name] ? html` <span class="count">${counts[name]}<span class="unseen"> new</span></span>`
          : null}</button>`)}</div>
    <div role="tabpanel" id="tab-panel" aria-labelledby=${`tab-${open}`}>
      <${shown[open]} table=${table} /></div>
  </section>`;
}

/** Sentences with the numbers of their events. */
function Log({ table }) {
  const list = useRef(null);
  const atEnd = useRef(true);
  const told = table.log.filter((one) => one.sentences.length);
  const last = told.length ? told[told.length - 1].version : 0;
  useEffect(() => {
    if (list.current && atEnd.current) list.current.scrollTop = list.current.scrollHeight;
  }, [last]);
  const scrolled = ({ currentTarget: one }) => {
    atEnd.current = one.scrollTop + one.clientHeight > one.scrollHeight - 30;
  };
  const first = table.log.length ? table.log[0].version : 1;
  return html`<${Digest} table=${table} />
    ${first > 1 ? html`<button type="button" class="button small-button"
      onClick=${() => table.readEarlier()}>Earlier</button>` : null}
    <ol class="log" ref=${list} onScroll=${scrolled} tabindex="0" aria-label="The log">
    ${told.map((one) => html`<li key=${one.version}
      class=${`${one.undone ? "undone" : ""}${one.fresh ? " fresh" : ""} ${seatClasses(table, one.seat)}`}>
      <a href=${replayOf(table, one.version)}><span class="version">${one.version}</span>
        <span class="words">${one.sentences.join(" ")}
          ${one.undone ? html` <em>(undone)</em>` : null}</span></a></li>`)}</ol>`;
}

/** The events since the person's last turn, shown on their return. */
function Digest({ table }) {
  const { digest } = table;
  if (!digest) return null;
  const away = () => {
    table.digest = null;
    table.tell();
  };
  const told = digest.events.filter((one) => one.sentences.length && !one.undone);
  return html`<section class="digest" aria-labelledby="digest-heading">
    <h3 id="digest-heading">Since your last decision</h3>
    <ul>${told.slice(-12).map((one) => html`<li key=${one.version}><b>${one.version}</b>
      ${" "}${one.sentences.join(" ")}</li>`)}</ul>
    ${told.length > 12 ? html`<p class="aside">and ${told.length - 12} earlier ones</p>` : null}
    <button type="button" class="button small-button" onClick=${away}>Dismiss</button></section>`;
}
