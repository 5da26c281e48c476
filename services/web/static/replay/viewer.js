// The viewer: one match, event by event, through one pair of eyes at a time.

import { html, useCallback, useEffect, useLayoutEffect } from "../vendor/preact.js";
import { useMemo, useRef, useState } from "../vendor/preact.js";
import { seatClass } from "../board/paints.js";
import { Banners, Waiting } from "./banners.js";
import { litBy, sumsBy } from "./conflicts.js";
import { MoreSteps, SPEEDS, Steps } from "./controls.js";
import { copied } from "./copying.js";
import { Help } from "./help.js";
import { asked, shortcuts, titled } from "./keys.js";
import { useAddress, usePlaying, useSaid } from "./playing.js";
import { Scrubber } from "./scrubber.js";
import { Side } from "./side.js";
import { Around, Doings, Pictured, Sentence } from "./stage.js";
import { Story } from "./story.js";

const ROOMY = "(min-width: 90rem)"; // the longer steps stand beside the others then

/**
 * @param {{source: object, doc: object, place: {at: number | null, as: string}}} props the document
 *   that was loaded first, and where to begin in it
 */
export function Viewer({ source, doc, place }) {
  const seen = useDocuments(source, doc, place);
  const { story, at, edition, go } = seen;
  const [playing, play] = useState(false);
  const [speed, hurry] = useState(1);
  const [tab, choose] = useState("log");
  const [open, unfold] = useState(() => matchMedia(ROOMY).matches);
  const [help, explain] = useState(false);
  const [pointed, light] = useState(null);
  const [done, tell] = useState("");
  const ready = useDrawn();
  const newest = useNewest(source, story);
  const words = `Event ${at}: ${story.sentence(at)}`;
  const [said, say] = useSaid(words, playing);
  usePlaying(playing, at, story.last, speed, go, () => play(false));
  const scene = story.scenes.at(at);
  const conflict = tab === "conflicts" ? story.conflictAt(at) : null;
  const fought = conflict ? at : 0; // without a conflict each event is like any other
  const sums = useMemo(() => sumsBy(conflict, at), [conflict, fought]);
  const lit = useMemo(() => new Set(pointed || litBy(conflict, at)), [pointed, conflict, fought]);
  const href = useCallback((n) => source.address.href(n, story.as, edition), [story, edition]);
  const act = useActs(acting({ ...seen, source, playing, play, speed, hurry, choose, unfold, explain, tell, say }));
  useKeys(act, help);
  useTitle(story, at);
  const links = source.links(at, story.as, edition);
  const [atFirst, atLast] = [at === 1, at === story.last];
  // Parts that no step changes are not drawn again at each step.
  const header = useMemo(() => html`<${Header} seen=${seen} />`, [story, seen.played]);
  const steps = useMemo(() => html`<${Steps} atFirst=${atFirst} atLast=${atLast} playing=${playing}
    open=${open} act=${act} toggle=${() => unfold(!open)} />`, [atFirst, atLast, playing, open]);
  const keys = useMemo(() => html`<${Help} open=${help} close=${() => explain(false)}
    story=${story} />`, [help, story]);
  return html`<div class="viewer">
    ${header}
    <${Viewpoints} seen=${seen} />
    <${Waiting} loading=${seen.loading} trouble=${seen.trouble} again=${seen.again} />
    <${Banners} story=${story} played=${seen.played} at=${at} newest=${newest} links=${links} go=${go}
      act=${act} />
    <div class="views">
      <section class="stage" aria-label="The board and its event">
        <${Pictured} story=${story} at=${at} scene=${scene} lit=${lit} sums=${sums} />
        <${Sentence} story=${story} at=${at} inside=${tab === "conflicts"} go=${go}
          showConflict=${() => choose("conflicts")} />
        <div class=${`bar${open ? " open" : ""}`}>
          <${Scrubber} story=${story} at=${at} go=${go} />
          ${steps}
          <${MoreSteps} story=${story} at=${at} speed=${speed} act=${act} />
        </div>
        <${Doings} at=${at} links=${links} href=${href(at)} copied=${done === words} act=${act} />
      </section>
      ${ready ? html`<${Side} story=${story} at=${at} scene=${scene} tab=${tab} choose=${choose} go=${go}
        href=${href} links=${links} act=${act} light=${light} />` : html`<section class="side"></section>`}
      ${ready ? html`<${Around} story=${story} at=${at} scene=${scene} />` : null}
    </div>
    <p class="out-of-sight" id="said-aloud" aria-live="polite" aria-atomic="true">${said}</p>
    ${keys}
  </div>`;
}

/** The documents, one for each viewpoint, and the event that is looked at. */
function useDocuments(source, doc, place) {
  const known = useMemo(() => new Map([[keyOf(doc.as, place.edition), new Story(doc)]]), []);
  const [{ as, edition }, look] = useState({ as: doc.as, edition: place.edition });
  const story = known.get(keyOf(as, edition));
  const [at, setAt] = useState(() => (place.at === null ? story.begin : story.within(place.at)));
  const [loading, wait] = useState(null);
  const [trouble, regret] = useState(null);
  const [, compare] = useState(0);
  const wanted = useRef(null);
  const now = useRef(null);
  now.current = { at, as, edition, story };
  const go = useCallback((n) => setAt(now.current.story.within(n)), []);
  const settle = useAddress(source.address, at, as, (said) => {
    const word = said.as || doc.as;
    const same = word === now.current.as && said.edition === now.current.edition;
    if (!same) through(word, false, { to: said.at, under: said.edition });
    else if (said.at !== null) go(said.at);
  });
  async function through(word, anew, { to = null, fresh = false, under = now.current.edition } = {}) {
    const key = keyOf(word, under);
    wanted.current = key;
    regret(null);
    try {
      if (fresh || !known.has(key)) {
        wait({ done: 0, of: 0 });
        known.set(key, new Story(await source.load(word, wait, under)));
      }
    } catch (reason) {
      if (wanted.current === key) regret(Object.assign(reason, { word, more: { to, fresh, under } }));
      return;
    } finally {
      if (wanted.current === key) wait(null);
    }
    if (wanted.current !== key) return; // somebody has chosen otherwise meanwhile
    const event = known.get(key).within(to === null ? now.current.at : to);
    settle();
    if (anew) {
      const { at: left, as: eyes, edition: rules } = now.current; // going back leads there
      source.address.write(left, eyes, false, rules);
      source.address.write(event, word, true, under);
    }
    look({ as: word, edition: under });
    setAt(event);
  }
  useEffect(() => {
    if (!edition || known.has(keyOf(as, ""))) return;
    source.load(as, () => {}, "").then((found) => {
      known.set(keyOf(as, ""), new Story(found));
      compare((was) => was + 1);
    }, () => {}); // then it cannot be compared
  }, [as, edition]);
  const again = () => through(trouble.word, !trouble.more.fresh, trouble.more);
  const renew = () => through(as, false, { to: Infinity, fresh: true });
  const played = known.get(keyOf(as, ""));
  return { story, at, as, edition, played, go, through, loading, trouble, again, renew, source };
}

/** One document of a match: through whose eyes, and under which rules. */
function keyOf(as, edition) {
  return `${as} ${edition}`;
}

function Header({ seen }) {
  const { doc } = seen.story;
  const free = seen.source.changes && doc.editions.length > 1;
  return html`<header class="match">
    <h1>${doc.title || `Match ${doc.match}`}</h1>
    <p class="aside">${doc.ruleset.title}, ${free ? html`<${Rules} seen=${seen} />` : `edition ${doc.edition}`}
      ${" "}<span class=${`state ${doc.state}`}>${doc.state}</span>
      ${doc.result ? html`${" "}<span>${doc.played ? "" : "as played: "}${doc.result}</span>` : null}</p>
  </header>`;
}

function Viewpoints({ seen }) {
  const { story, at, as, edition, through, source } = seen;
  const there = story.viewpoints.filter((one) => !source.has || source.has(one.as));
  const next = there[(there.findIndex((one) => one.as === as) + 1) % there.length];
  const chosen = (event, word) => {
    if (event.ctrlKey || event.metaKey || event.shiftKey || event.button) return;
    event.preventDefault();
    if (word !== as) through(word, true);
  };
  return html`<nav id="viewpoints" class="viewpoints" aria-label="Viewpoint">
    <span class="through" aria-hidden="true">Seen by</span>
    ${there.map((one) => html`<a id=${`as-${one.as}`} key=${one.as} href=${source.address.href(at, one.as, edition)}
      class=${one.seat === null ? "" : seatClass(story, one.seat)}
      aria-keyshortcuts=${one === next ? shortcuts("viewpoint") : undefined}
      aria-current=${one.as === as ? "true" : undefined}
      onClick=${(event) => chosen(event, one.as)}>
      ${one.seat === null ? null : html`<span class="dot" aria-hidden="true">${one.seat}</span>`} ${one.name}</a>`)}
    ${story.doc.why_not ? html`<p class="aside">${story.doc.why_not}</p>` : null}
  </nav>`;
}

/** Under which rules: those of the match as it was played, or any edition tried on its decisions. */
function Rules({ seen }) {
  const { story, as, edition, through, played } = seen;
  const { editions } = story.doc;
  const chosen = (event) => through(as, true, { under: event.currentTarget.value });
  return html`<select id="edition" class="rules" aria-label="Rules" value=${edition} onChange=${chosen}
    aria-keyshortcuts=${shortcuts("edition")} title=${titled("Switch between the rules as played and today's rules", "edition")}>
    <option value="">as played${played ? `: ${played.doc.edition}` : ""}</option>
    ${[...editions].reverse().map((one, at) => html`<option value=${one}>${at
      ? `under ${one}` : `today's rules: ${one}`}</option>`)}
  </select>`;
}

/** Returns the newest event of a running match. */
function useNewest(source, story) {
  const [newest, told] = useState(0);
  useEffect(() => {
    if (story.doc.finished) return undefined;
    return source.watch(story.last, (n) => told((was) => Math.max(was, n)));
  }, [story]);
  return newest;
}

/** Sets the page's title, with its event: several open pages differ by it. */
function useTitle({ doc, last }, at) {
  useEffect(() => {
    const waiting = setTimeout(() => {
      document.title = `Event ${at} of ${last}: ${doc.title || `Match ${doc.match}`} - Hegemon`;
    }, 100);
    return () => clearTimeout(waiting);
  }, [doc, at]);
}

/** The board is drawn first, everything else once it is seen. */
function useDrawn() {
  const [ready, drawn] = useState(false);
  useLayoutEffect(() => {
    let waiting = 0;
    const asked = requestAnimationFrame(() => {
      waiting = setTimeout(() => {
        performance.mark("replay-board");
        drawn(true);
      });
    });
    return () => {
      cancelAnimationFrame(asked);
      clearTimeout(waiting);
    };
  }, []);
  return ready;
}

/** The actions by name; keys and buttons call them. */
function acting(now) {
  const { story, at, go, source } = now;
  const speedBy = (way) => now.hurry(SPEEDS[SPEEDS.indexOf(now.speed) + way] || now.speed);
  const others = {
    first: () => go(1),
    last: () => go(story.last),
    play: () => {
      if (!now.playing && at === story.last) go(1);
      now.play(!now.playing);
    },
    slower: () => speedBy(-1),
    faster: () => speedBy(1),
    help: () => now.explain((was) => !was),
    renew: now.renew,
    go: beginNumber,
    search: () => {
      const there = () => document.getElementById("search")?.focus();
      there(); // at once, where the log is shown: what is typed next is for it
      now.choose("log");
      setTimeout(there);
    },
    viewpoint: () => {
      const all = story.viewpoints.map((one) => one.as);
      const words = all.filter((one) => !source.has || source.has(one));
      const next = words[(words.indexOf(story.as) + 1) % words.length];
      if (next !== undefined && next !== story.as) now.through(next, true);
    },
    edition: () => {
      const { editions } = story.doc;
      const under = now.edition ? "" : editions[editions.length - 1];
      if (source.changes && editions.length > 1) now.through(now.as, true, { under });
    },
    copy: async () => {
      const done = await copied(source.address.full(at, story.as));
      now.say(done ? "Link copied." : "The link could not be copied.");
      if (done) now.tell(`Event ${at}: ${story.sentence(at)}`);
    },
  };
  return (does, more) => {
    if (others[does]) return others[does](more);
    const [, what, way] = /^(.*)-(back|on)$/.exec(does);
    // A game that has no turns is walked through by its phases.
    const by = what === "turn" && !story.stops("turn").length ? "phase" : what;
    return go(story.step(at, by, way === "on" ? 1 : -1));
  };
}

/** Returns one function that stays the same and does an action by name. */
function useActs(acts) {
  const live = useRef(acts);
  live.current = acts;
  return useCallback((does, more) => live.current(does, more), []);
}

/** The field for a number, with its first digit if that was what called for it. */
function beginNumber(digit) {
  const field = document.getElementById("at");
  field.focus();
  if (digit === undefined) {
    field.select();
    return;
  }
  field.value = digit;
  field.dispatchEvent(new Event("input", { bubbles: true }));
}

function useKeys(act, help) {
  useEffect(() => {
    const pressed = (event) => {
      const does = asked(event);
      if (!does || (help && does !== "help")) return;
      // The scrubber has these keys by itself.
      if (event.target.id === "scrubber" && /^(Arrow|Home|End)/.test(event.key)) return;
      event.preventDefault();
      if (does === "digit") act("go", event.key);
      else act(does);
    };
    document.addEventListener("keydown", pressed);
    return () => document.removeEventListener("keydown", pressed);
  }, [act, help]);
}
