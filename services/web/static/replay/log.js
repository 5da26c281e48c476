// The log: every event in its sentence, under headings that open and close, filtered and searched.

import { html, useEffect, useLayoutEffect, useMemo, useRef, useState } from "../vendor/preact.js";
import { Kept } from "../board/kept.js";
import { seatClass } from "../board/paints.js";
import { ALL, filtering, KINDS, neighbour, shown } from "./filters.js";
import { shortcuts } from "./keys.js";

const SHORT = 80; // events: a log of no more is open from the beginning

/**
 * @param {{story: object, at: number, go: Function, href: Function, links: object | null,
 *   act: Function}} props
 */
export function Log({ story, at, go, href, links, act }) {
  const [filter, choose] = useState(ALL);
  const [toggled, toggle] = useState(() => new Map());
  const list = useRef(null);
  const found = useMemo(() => shown(story, filter), [story, filter]);
  const tree = useMemo(() => treeOf(story), [story]);
  const kept = useMemo(() => new Kept(), [story, href]);
  const opened = useRef(new Set());
  useMemo(() => opened.current.clear(), [story]);
  const [top] = story.path(at);
  if (top !== undefined) opened.current.add(top); // what stands under it is open with it
  const isOpen = (heading) => {
    if (found) return true;
    if (toggled.has(heading)) return toggled.get(heading);
    return story.last <= SHORT || story.doc.headings[heading].up !== null || opened.current.has(heading);
  };
  useEffect(() => openPath(story, at, toggled, toggle), [story, at]);
  useScrolled(list, story, at, found);
  const topmost = useTopmost(list, story);
  const openBy = [found, toggled, opened.current.size]; // what `isOpen` goes by
  const draw = drawing({ story, at, found, isOpen, openBy, kept, href, links, act });
  const lines = draw.part(tree);
  const clicked = (event) => onClick(event, go, (heading) =>
    toggle((was) => new Map(was).set(heading, !isOpen(heading))));
  const closeAll = () => {
    opened.current.clear();
    toggle(all(story, false));
  };
  const sieve = useMemo(() => html`<${Filters} story=${story} filter=${filter} choose=${choose}
    found=${found} at=${at} go=${go} />`, [story, filter, found, found ? at : 0]);
  return html`<div class="log-panel">
    ${sieve}
    <div class="log-bar"><span class="topmost" aria-hidden="true">${topmost}</span>
      ${found ? null : html`
        <button type="button" class="plain" onClick=${() => toggle(all(story, true))}>Open all</button>
        <button type="button" class="plain" onClick=${closeAll}>Close all</button>`}</div>
    <ol class="log" id="log" ref=${list} onClick=${clicked} tabindex="0" aria-label="The log">${lines}</ol>
    ${found && !found.size ? html`<p class="aside nothing">No events match.
      <button type="button" class="plain" onClick=${() => choose(ALL)}>Show all</button></p>` : null}
  </div>`;
}

/** Opens the closed headings above the current event. */
function openPath(story, at, toggled, toggle) {
  const shut = story.path(at).filter((heading) => toggled.get(heading) === false);
  if (!shut.length) return;
  toggle((was) => {
    const now = new Map(was);
    for (const heading of shut) now.delete(heading);
    return now;
  });
}

function all(story, open) {
  return new Map(story.doc.headings.map((_, heading) => [heading, open]));
}

/** The current line is in sight: the log scrolls by itself, the page does not. */
function useScrolled(list, story, at, found) {
  const shownOf = useRef(null);
  useLayoutEffect(() => {
    const asked = requestAnimationFrame(() => {
      if (!list.current) return;
      const line = list.current.querySelector("[aria-current]") || nearest(list.current, at);
      if (!line) return;
      const box = list.current.getBoundingClientRect();
      const own = line.getBoundingClientRect();
      const top = box.top + list.current.clientTop;
      const bottom = lowest(box);
      if (shownOf.current === story && own.top >= top && own.bottom <= bottom - 8) return;
      shownOf.current = story;
      scrollTo(list.current, line, top, bottom);
    });
    return () => cancelAnimationFrame(asked);
  }, [story, at, found]);
}

/** Returns the highest heading over the first visible lines. */
function useTopmost(list, story) {
  const [topmost, tell] = useState(-1);
  useEffect(() => {
    const log = list.current;
    const look = () => {
      const { top } = log.getBoundingClientRect();
      const above = [...log.children].filter((one) => one.getBoundingClientRect().top <= top + 8).pop();
      const button = above && above.querySelector("[data-heading]");
      tell(button ? Number(button.dataset.heading) : -1);
    };
    look();
    log.addEventListener("scroll", look, { passive: true });
    return () => log.removeEventListener("scroll", look);
  }, []);
  return story.doc.headings[topmost]?.label || "";
}

/** Returns the lower edge of the visible log: its end may lie under the controls. */
function lowest(box) {
  const dock = document.querySelector(".viewer .bar");
  const end = dock ? dock.getBoundingClientRect().top : box.bottom;
  return end > box.top + box.height / 2 ? Math.min(end, box.bottom) : box.bottom;
}

/** A third of the log is above the line, and the first of these lines is whole. */
function scrollTo(list, line, top, bottom) {
  list.style.paddingBottom = "";
  const { scrollTop, scrollHeight, clientHeight } = list;
  const most = scrollHeight - clientHeight;
  const own = line.getBoundingClientRect();
  if (most <= 0 && own.bottom <= bottom) return;
  const room = bottom - top - own.height;
  const atMost = own.top - top - (most - scrollTop); // above the line, where it goes no further
  const above = Math.min(Math.max(room / 3, atMost), room - 8);
  const wanted = scrollTop + firstFrom(list, line, own.top - above) - top;
  if (wanted > most) list.style.paddingBottom = `${wanted - most}px`;
  list.scrollTop = wanted;
}

/** Returns the top of the first line that does not begin above a place. */
function firstFrom(list, line, place) {
  const lines = [...list.querySelectorAll("[data-n], .heading .heading > button")];
  let first = line.getBoundingClientRect().top;
  for (const before of lines.slice(0, lines.indexOf(line)).reverse()) {
    const begins = before.getBoundingClientRect().top;
    if (begins < place - 0.5) break;
    first = begins;
  }
  return first;
}

/** Returns the first line after an event, for an event that a filter hides; else the last line. */
function nearest(list, at) {
  const lines = [...list.querySelectorAll("[data-n]")];
  return lines.find((line) => Number(line.dataset.n) > at) || lines[lines.length - 1];
}

function onClick(event, go, toggle) {
  if (event.ctrlKey || event.metaKey || event.shiftKey || event.button) return;
  const within = event.target instanceof Element ? event.target : null;
  const target = within && within.closest("[data-n], [data-heading]");
  if (!target) return;
  event.preventDefault();
  if (target.dataset.n) go(Number(target.dataset.n));
  else toggle(Number(target.dataset.heading));
}

/**
 * Headings and events as they stand in each other. An event in the middle of which a heading begins
 * is told in parts: what comes before it, and what stands under it.
 */
function treeOf(story) {
  const { headings } = story.doc;
  const root = [];
  const parts = headings.map((told, heading) => ({ heading, key: [told.from, told.line || 0, 0], parts: [] }));
  const begun = new Map();
  headings.forEach((told, index) => {
    (told.up === null ? root : parts[told.up].parts).push(parts[index]);
    if (!begun.has(told.from)) begun.set(told.from, []);
    begun.get(told.from).push([told.line || 0, index]);
  });
  const put = (under, n, from, to) =>
    (under === null || under === undefined ? root : parts[under].parts).push({ n, from, to, key: [n, from, 1] });
  for (const { n, said, under } of story.events) {
    let [at, above, told] = [0, under, false];
    for (const [line, heading] of begun.get(n) || []) {
      if (line > at) {
        put(above, n, at, line);
        [at, told] = [line, true];
      }
      above = heading;
    }
    if (!told || at < said.length) put(told ? above : under ?? above, n, at, said.length);
  }
  const sorted = (list) => {
    list.sort((one, other) => compared(one.key, other.key));
    for (const one of list) if (one.parts) Object.assign(one, reach(sorted(one.parts)));
    return list;
  };
  return sorted(root);
}

/** The first and the last event of what stands under a heading. */
function reach(parts) {
  const all = parts.flatMap((one) => (one.parts ? [one.first, one.last] : [one.n]));
  return { first: Math.min(...all), last: Math.max(...all) };
}

function compared(one, other) {
  for (let at = 0; at < one.length; at += 1) {
    if (one[at] !== other[at]) return one[at] - other[at];
  }
  return 0;
}

function drawing({ story, at, found, isOpen, openBy, kept, href, links, act }) {
  const matching = (parts, into = new Set()) => {
    for (const one of parts) {
      if (one.parts) matching(one.parts, into);
      else if (found.has(one.n)) into.add(one.n);
    }
    return into;
  };
  const part = (parts) => parts.map((one) => (one.parts ? heading(one) : line(one))).filter(Boolean);
  // A heading under which the current line neither is nor was is as it was.
  const heading = (one) => {
    const inside = one.first <= at && at <= one.last ? at : 0;
    return kept.value(`under ${one.heading}`, [...openBy, inside], () => headed(one));
  };
  const headed = (one) => {
    const open = isOpen(one.heading);
    const matches = found ? matching(one.parts).size : -1;
    if (!matches) return null;
    const inner = open ? part(one.parts) : [];
    const told = story.doc.headings[one.heading];
    const owner = told.seat === null || told.seat === undefined ? "" : seatClass(story, told.seat);
    const button = kept.node(`b${one.heading}`, [open, matches], () =>
      html`<button type="button" aria-expanded=${String(open)} data-heading=${one.heading}>
        <span class="label">${told.label}</span>
        <span class="range">${matches > 0 ? `${matches} found` : range(told)}</span></button>`);
    return kept.node(`h${one.heading}`, [open, matches, ...inner], () =>
      html`<li key=${`h${one.heading}`} class=${`heading level-${told.level} ${owner}`}>
        ${button}${open ? html`<ol>${inner}</ol>` : null}</li>`);
  };
  const line = ({ n, from, to }) => {
    if (found && !found.has(n)) return null;
    const key = `e${n}.${from}`;
    return kept.node(key, [n === at], () =>
      html`<${Line} key=${key} ...${{ story, n, from, to, current: n === at, href, links, act }} />`);
  };
  return { part };
}

function range(heading) {
  return heading.from === heading.to ? `${heading.from}` : `${heading.from}–${heading.to}`;
}

function Line({ story, n, from, to, current, href, links, act }) {
  const event = story.event(n);
  const decided = event.seat !== null && event.seat >= 0;
  const said = event.said.slice(from, to).join(" ");
  const classes = [event.undone && "undone", event.tags.includes("pass") && "pass", current && "current"];
  return html`<li class=${classes.filter(Boolean).join(" ")}>
    <a href=${href(n)} data-n=${n} aria-current=${current && !from ? "step" : undefined}
      class=${decided ? seatClass(story, event.seat) : ""}>
      <span class="version">${n}</span>
      <span class="words">${said || "…"}${event.undone ? html` <em>(undone)</em>` : null}</span>
    </a>${current && to >= event.said.length ? html`<${Acts} ...${{ href: href(n), links, act }} />` : null}</li>`;
}

/** The buttons and links at the line of the current event. */
function Acts({ href, links, act }) {
  return html`<div class="line-acts">
    <button type="button" class="plain" onClick=${() => act("copy")}>Copy link</button>
    <a href=${href} target="_blank" rel="noopener">Review from here</a>
    ${links ? html`<a href=${links.fork}>Fork from here</a>` : null}
    ${links && links.dispute ? html`<a href=${links.dispute}>Open dispute here</a>` : null}
  </div>`;
}

function seatIn(text) {
  return text === "" ? null : Number(text);
}

function Filters({ story, filter, choose, found, at, go }) {
  const set = (part) => choose({ ...filter, ...part });
  const tags = useMemo(() => new Set(story.events.flatMap((one) => one.tags)), [story]);
  const there = KINDS.filter(({ tag }) => tags.has(tag));
  const flip = (tag) => set({
    tags: filter.tags.includes(tag) ? filter.tags.filter((one) => one !== tag) : [...filter.tags, tag],
  });
  const step = (way) => {
    const n = neighbour(found, at, way);
    if (n !== null) go(n);
  };
  const entered = (event) => {
    if (event.key !== "Enter" || !found) return;
    event.preventDefault();
    step(event.shiftKey ? -1 : 1);
  };
  return html`<div class="sieve" role="search" aria-label="The log">
    <label class="out-of-sight" for="search">Search the log</label>
    <input id="search" type="search" placeholder="Search the log" value=${filter.text} autocomplete="off"
      aria-keyshortcuts=${shortcuts("search")}
      onInput=${(event) => set({ text: event.currentTarget.value })}
      onKeyDown=${entered} />
    <div class="chips" role="group" aria-label="Show only">
      ${there.map(({ tag, name }) => html`<button type="button" class="chip" key=${tag}
        aria-pressed=${String(filter.tags.includes(tag))} onClick=${() => flip(tag)}>${name}</button>`)}
      <label class="chip only"><span class="out-of-sight">Only one seat</span>
        <select id="only-seat" value=${filter.seat === null ? "" : String(filter.seat)}
          onChange=${(event) => set({ seat: seatIn(event.currentTarget.value) })}>
          <option value="">Every seat</option>
          ${story.players.map((player, seat) => html`<option value=${String(seat)}>${player.name}</option>`)}
        </select></label>
      ${tags.has("pass") ? html`<button type="button" class="chip" aria-pressed=${String(filter.hidePasses)}
        onClick=${() => set({ hidePasses: !filter.hidePasses })}>Hide passes</button>` : null}
    </div>
    ${filtering(filter) ? html`<div class="matches-found">
      <span role="status">${found.size} of ${story.last} events</span>
      <button type="button" class="button" onClick=${() => step(-1)} aria-label="Previous result">‹</button>
      <button type="button" class="button" onClick=${() => step(1)} aria-label="Next result">›</button>
      <button type="button" class="plain" onClick=${() => choose(ALL)}>Show all</button></div>` : null}
  </div>`;
}
