// The stage: the board at an event, what is said of it, and what can be done from there.

import { html, useEffect, useMemo, useRef, useState } from "../vendor/preact.js";
import { Beside } from "../board/beside.js";
import { Board } from "../board/board.js";
import { Kept } from "../board/kept.js";
import { seatClass } from "../board/paints.js";
import { cellWords } from "../board/words.js";
import { inShort } from "./conflicts.js";
import { GoTo } from "./controls.js";
import { shortcuts, titled } from "./keys.js";

const NONE = new Set();

/**
 * The board with what the event did to it; before the match begins its bare outline.
 * @param {{story: object, at: number, scene: object | null, lit: Set<string>, sums: object[]}} props
 */
export function Pictured({ story, at, scene, lit, sums }) {
  const outline = useMemo(() => outlineOf(story), [story]);
  const marked = useMemo(() => story.scenes.touched(at), [story, at]);
  const fresh = useMemo(() => story.fresh(at), [story, at]);
  const drawn = scene || outline;
  if (!drawn || !drawn.cells.length) {
    return html`<p class="board empty">There is no board to show at this event.</p>`;
  }
  return html`<figure class="board">
    <${Board} scene=${drawn} label=${`${drawn.title}, event ${at}`} lit=${lit}
      marked=${scene ? marked : NONE} fresh=${scene ? fresh : NONE} sums=${sums} />
  </figure>`;
}

function outlineOf(story) {
  const first = story.events.find((event) => story.scenes.change(event.n));
  const scene = first ? story.scenes.at(first.n) : null;
  if (!scene) return null;
  const cells = scene.cells.map((cell) => ({ ...cell, label: "", note: "", kind: "", marked: false }));
  return { ...scene, cells, kinds: [], pieces: [], links: [], cards: [], tracks: [], counters: [] };
}

/**
 * The place in the match, the actor, and the event's sentence.
 * @param {{story: object, at: number, inside: boolean, go: Function, showConflict: Function}} props
 */
export function Sentence({ story, at, inside, go, showConflict }) {
  const event = story.event(at);
  const who = story.who(event);
  const conflict = story.conflictAt(at);
  const place = story.place(at);
  const owner = event.seat !== null && event.seat >= 0 ? seatClass(story, event.seat) : "";
  const said = event.said.length ? event.said : null;
  return html`<div class=${`event${event.undone ? " undone" : ""}`} id="event">
    <div class="counted"><${GoTo} at=${at} last=${story.last} go=${go} />
      ${place ? html`<span class="place-name">${place}</span>` : null}
      ${who ? html`<span class=${`who ${owner}`}>${who}</span>` : null}
      ${event.undone ? html`<strong class="state undone">undone later</strong>` : null}</div>
    <div class="sentences" tabindex="0" role="group" aria-label="What happened">${said ? said.map((one) => html`<p class="said">${one}${" "}</p>`)
      : html`<p class="said none">No description for this event.</p>`}</div>
    ${conflict && !inside ? html`<p class="strip"><span class="state">conflict</span>
      <b>${inShort(story, conflict, at)}</b>
      <button type="button" class="plain" onClick=${showConflict}>Show the details</button></p>` : null}
  </div>`;
}

/**
 * The things to take away from an event: its link, a copy to play on, files.
 * @param {{at: number, as: string, links: object | null, href: string, copied: boolean, act: Function}} props
 */
export function Doings({ at, links, href, copied, act }) {
  return html`<div class="doings">
    <button type="button" class="button" id="copy" aria-keyshortcuts=${shortcuts("copy")}
      title=${titled("Copy the link to this event", "copy")} onClick=${() => act("copy")}>
      ${copied ? "Copied" : "Copy link"}</button>
    <a class="button" id="review" href=${href} target="_blank" rel="noopener"
      title="Open this event in a new window">Review from here</a>
    ${links ? html`<a class="button" id="fork" href=${links.fork}
      title="Start a new match from this event">Fork from here</a>
      <a class="button" id="dispute" href=${links.dispute}
        title="Report that something is wrong with this event">Open a dispute here</a>
      <${Downloads} files=${links.files} at=${at} />` : null}
  </div>`;
}

function Downloads({ files }) {
  const menu = useRef(null);
  const kept = useMemo(() => new Kept(), []);
  useEffect(() => {
    const shut = (event) => {
      if (menu.current && !menu.current.contains(event.target)) menu.current.open = false;
    };
    document.addEventListener("pointerdown", shut);
    return () => document.removeEventListener("pointerdown", shut);
  }, []);
  const left = (event) => {
    if (event.key !== "Escape" || !menu.current.open) return;
    event.stopPropagation();
    menu.current.open = false;
    menu.current.querySelector("summary").focus();
  };
  return html`<details class="menu" id="downloads" ref=${menu} onKeyDown=${left}>
    <summary class="button">Download</summary>
    <ul>${files.map((file) => kept.node(file.name, [file.href], () => html`<li><a href=${file.href}
      download=${file.open || file.made ? undefined : ""} target=${file.made ? "_blank" : undefined}>${file.name}</a></li>`))}</ul>
  </details>`;
}

/**
 * The possessions of each player, and the small print.
 * @param {{story: object, at: number, scene: object | null}} props
 */
export function Around({ story, at, scene }) {
  const before = story.scenes.before(at);
  return html`<div class="around">
    ${scene ? html`<${Beside} scene=${scene} before=${before} />` : null}
    ${scene ? html`<${InWords} scene=${scene} />` : null}
    <${About} story=${story} at=${at} />
  </div>`;
}

function InWords({ scene }) {
  const [open, toggle] = useState(false);
  return html`<details class="small" onToggle=${(event) => toggle(event.currentTarget.open)}>
    <summary>The board in words</summary>
    ${open ? html`<ul class="in-words">${lines(scene).map((line) => html`<li>${line}</li>`)}</ul>` : null}
  </details>`;
}

function lines(scene) {
  const lying = new Map(scene.cells.map((cell) => [cell.id, []]));
  for (const piece of scene.pieces) lying.get(piece.cell)?.push(piece);
  const names = new Map(scene.cells.map((cell) => [cell.id, cell.label || cell.id]));
  const cells = scene.cells.map((cell) => cellWords(scene, cell, lying.get(cell.id), cell));
  const links = scene.links.map((link) => `${link.name}: ${names.get(link.one)} to ${names.get(link.other)}`);
  return [...cells, ...links];
}

const WHEN = new Intl.DateTimeFormat("en-GB", { dateStyle: "long", timeStyle: "medium", timeZone: "UTC" });

function About({ story, at }) {
  const [open, toggle] = useState(false);
  return html`<details class="small" onToggle=${(event) => toggle(event.currentTarget.open)}>
    <summary>About this event</summary>
    ${open ? html`<${Details} story=${story} event=${story.event(at)} />` : null}
  </details>`;
}

function Details({ story, event }) {
  return html`<dl class="facts">
    <div><dt>Handed in by</dt><dd>${event.by}</dd></div>
    <div><dt>At</dt><dd>${event.at ? `${WHEN.format(new Date(event.at))} UTC` : "unknown"}</dd></div>
    <div><dt>Facts</dt><dd>${event.facts.map((fact) => fact.type).join(", ") || "none"}</dd></div>
    ${event.tags.length ? html`<div><dt>Kind</dt><dd>${event.tags.join(", ")}</dd></div>` : null}
    <div><dt>Edition</dt><dd>${story.doc.edition}</dd></div>
    <div><dt>Head of the log</dt><dd><code>${story.doc.head}</code></dd></div>
  </dl>`;
}
