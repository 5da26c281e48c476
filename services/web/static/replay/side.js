// The side: the log, conflicts, deals, curves and what was known, one of them at a time.

import { html, useMemo } from "../vendor/preact.js";
import { Conflicts } from "./conflicts.js";
import { Curves } from "./curves.js";
import { Deals } from "./deals.js";
import { Known } from "./known.js";
import { Log } from "./log.js";

const TABS = [
  { id: "log", name: "Log" },
  { id: "conflicts", name: "Conflicts", needs: (story) => story.doc.conflicts.length },
  { id: "deals", name: "Deals", needs: (story) => story.doc.deals.length },
  { id: "curves", name: "Curves", needs: (story) => story.doc.curves.length },
  { id: "known", name: "Known" },
];

/**
 * @param {{story: object, at: number, scene: object | null, tab: string, choose: Function, go: Function,
 *   href: Function, links: object | null, act: Function, light: Function}} props
 */
export function Side({ story, at, scene, tab, choose, go, href, links, act, light }) {
  const there = TABS.filter((one) => !one.needs || one.needs(story));
  const open = there.some((one) => one.id === tab) ? tab : "log";
  const inside = story.conflictAt(at) !== null;
  const tabs = useMemo(() => html`<${Tabs} there=${there} open=${open} inside=${inside}
    choose=${choose} />`, [story, open, inside]);
  return html`<section class="side" aria-label="About the match">
    ${tabs}
    <div class=${`panel panel-${open}`} id="panel" role="tabpanel" aria-labelledby=${`tab-${open}`}>
      ${open === "log" ? html`<${Log} story=${story} at=${at} go=${go} href=${href} links=${links}
        act=${act} />` : null}
      ${open === "conflicts" ? html`<${Conflicts} story=${story} at=${at} go=${go} light=${light} />` : null}
      ${open === "deals" ? html`<${Deals} story=${story} at=${at} go=${go} />` : null}
      ${open === "curves" ? html`<${Curves} story=${story} at=${at} go=${go} />` : null}
      ${open === "known" ? html`<${Known} story=${story} at=${at} scene=${scene} go=${go} />` : null}
    </div>
  </section>`;
}

function Tabs({ there, open, inside, choose }) {
  const moved = (event) => {
    const step = { ArrowLeft: -1, ArrowRight: 1 }[event.key];
    if (!step || event.shiftKey || event.ctrlKey || event.altKey || event.metaKey) return;
    event.preventDefault();
    event.stopPropagation();
    const next = there[(there.findIndex((one) => one.id === open) + step + there.length) % there.length];
    choose(next.id);
    document.getElementById(`tab-${next.id}`).focus();
  };
  return html`<div class="tabs" role="tablist" aria-label="About the match" onKeyDown=${moved}>
    ${there.map((one) => html`<button type="button" role="tab" id=${`tab-${one.id}`} key=${one.id}
      aria-selected=${String(one.id === open)} aria-controls="panel"
      tabindex=${one.id === open ? "0" : "-1"} onClick=${() => choose(one.id)}>${one.name}
      ${one.id === "conflicts" && inside ? html`<span class="here" title="at this event"><span
        class="out-of-sight">(at this event)</span></span>` : null}</button>`)}</div>`;
}
