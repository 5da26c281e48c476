// The scrubber: the whole match on a line, with marks for what one looks for in it.

import { html, useMemo } from "../vendor/preact.js";

/**
 * @param {{story: object, at: number, go: (n: number) => void}} props
 */
export function Scrubber({ story, at, go }) {
  const marks = useMemo(() => html`<${Marks} story=${story} />`, [story]);
  const place = story.place(at);
  return html`<div class="scrubber">
    ${marks}
    <input type="range" id="scrubber" min="1" max=${story.last} step="1" value=${at}
      aria-label="Event" aria-valuetext=${`Event ${at} of ${story.last}${place ? `, ${place}` : ""}`}
      onInput=${(event) => go(Number(event.currentTarget.value))} />
  </div>`;
}

function Marks({ story }) {
  const last = story.last;
  const across = (n) => `${last > 1 ? (((n - 1) / (last - 1)) * 100).toFixed(2) : 0}%`;
  const width = (from, to) => {
    const until = Math.min(last, to + 1);
    return `${last > 1 ? ((Math.max(0, until - from) / (last - 1)) * 100).toFixed(2) : 100}%`;
  };
  const top = story.doc.headings.filter((one) => one.level === story.levels[0] && !one.again);
  const undone = runs(story.events.filter((one) => one.undone).map((one) => one.n));
  return html`<svg class="line-marks" aria-hidden="true" width="100%" height="30">
    ${top.map((one, index) => html`<g>
      <rect class=${`band ${index % 2 ? "odd" : ""}`} x=${across(one.from)} y="0" height="30"
        width=${width(one.from, one.to)} />
      <text class="round" x=${across((one.from + one.to) / 2)} y="9" text-anchor="middle"
        font-size="9">${short(one, last)}</text>
      <line class="round" x1=${across(one.from)} x2=${across(one.from)} y1="0" y2="30" /></g>`)}
    ${undone.map(([from, to]) => html`<rect class="undone" x=${across(from)} y="25" height="4"
      width=${width(from, to)} />`)}
    ${story.doc.conflicts.map((one) => html`<rect class="conflict" x=${across(one.from)} y="12"
      width="3" height="9" rx="1" />`)}
    ${story.stops("deal").map((n) => html`<circle class="deal" cx=${across(n)} cy="25.5" r="2.2" />`)}
    ${story.stops("rewind").map((n) => html`<text class="rewind" x=${across(n)} y="22"
      text-anchor="middle" font-size="13">↺</text>`)}
  </svg>`;
}

/** `Round 3` is 3 where there is little room; what has no number is left out then. */
function short({ label, from, to }, last) {
  if (label.length * 0.014 < (to - from) / last) return label;
  const found = label.match(/\d+/);
  return found ? found[0] : "";
}

function runs(numbers) {
  const found = [];
  for (const n of numbers) {
    const last = found[found.length - 1];
    if (last && last[1] === n - 1) last[1] = n;
    else found.push([n, n]);
  }
  return found;
}
