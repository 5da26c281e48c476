// Curves: a figure of each seat through the match, beside where one is in it.

import { html, useMemo, useRef, useState } from "../vendor/preact.js";
import { seatClass, seatShape } from "../board/paints.js";
import { corners } from "../board/places.js";

const [WIDE, HIGH] = [480, 270];
const FEW = 4; // more are chosen from a list
const [LEFT, RIGHT, TOP, BOTTOM] = [30, 10, 10, 22];

/**
 * @param {{story: object, at: number, go: Function}} props
 */
export function Curves({ story, at, go }) {
  const [id, choose] = useState("");
  const curves = story.doc.curves;
  if (!curves.length) return html`<p class="aside">This game has no figures to chart.</p>`;
  const curve = curves.find((one) => one.id === id) || curves[0];
  return html`<div class="curves">
    <${Choice} curves=${curves} curve=${curve} choose=${choose} />
    <${Chart} story=${story} curve=${curve} at=${at} go=${go} />
    <ul class="values">${curve.series.map((series) => {
      const value = story.valueAt(series, at);
      return html`<li class=${seatClass(story, series.seat)}><${Sign} seat=${series.seat} />
        <span>${story.name(series.seat)}</span> <b>${value === null ? "–" : value}</b></li>`;
    })}</ul>
    <${Twin} story=${story} curve=${curve} go=${go} />
  </div>`;
}

function Choice({ curves, curve, choose }) {
  if (curves.length > FEW) {
    return html`<p class="figure"><label for="figure">Figure</label>
      <select id="figure" value=${curve.id} onChange=${(event) => choose(event.currentTarget.value)}>
      ${curves.map((one) => html`<option value=${one.id}>${one.name}</option>`)}</select></p>`;
  }
  return html`<div class="chips" role="group" aria-label="Figure">${curves.map((one) =>
    html`<button type="button" class="chip" key=${one.id} aria-pressed=${String(one === curve)}
      onClick=${() => choose(one.id)}>${one.name}</button>`)}</div>`;
}

function scaleOf(story, curve) {
  const values = curve.series.flatMap((series) => series.points.map((point) => point[1]));
  const [low, high] = [Math.min(0, ...values), Math.max(1, ...values)];
  const across = (n) => LEFT + ((n - 1) / Math.max(1, story.last - 1)) * (WIDE - LEFT - RIGHT);
  const down = (value) => TOP + ((high - value) / (high - low)) * (HIGH - TOP - BOTTOM);
  return { low, high, across, down };
}

function Chart({ story, curve, at, go }) {
  const svg = useRef(null);
  const scale = useMemo(() => scaleOf(story, curve), [story, curve]);
  const drawn = useMemo(() => html`<${Lines} story=${story} curve=${curve} scale=${scale} />`, [story, curve]);
  const pointed = (event) => {
    const box = svg.current.getBoundingClientRect();
    const x = ((event.clientX - box.left) / box.width) * WIDE;
    go(story.within(1 + ((x - LEFT) / (WIDE - LEFT - RIGHT)) * (story.last - 1)));
  };
  const dragged = (event) => event.buttons === 1 && pointed(event);
  const x = scale.across(at).toFixed(1);
  const said = curve.series.map((series) => `${story.name(series.seat)} ${story.valueAt(series, at) ?? "none"}`);
  return html`<svg ref=${svg} class="chart" viewBox=${`0 0 ${WIDE} ${HIGH}`} role="img"
    aria-label=${`${curve.name} at event ${at}: ${said.join(", ")}`}
    onPointerDown=${pointed} onPointerMove=${dragged}>
    ${drawn}
    <line class="now" x1=${x} x2=${x} y1=${TOP} y2=${HIGH - BOTTOM} />
    ${curve.series.map((series) => {
      const value = story.valueAt(series, at);
      return value === null ? null : html`<g class=${seatClass(story, series.seat)}>
        <${Token} seat=${series.seat} x=${Number(x)} y=${scale.down(value)} /></g>`;
    })}
  </svg>`;
}

function Lines({ story, curve, scale }) {
  const rounds = story.doc.headings.filter((one) => one.level === story.levels[0] && !one.again);
  const steps = ticks(scale.low, scale.high);
  return html`<g>
    ${steps.map((value) => html`<g class="grid-line"><line x1=${LEFT} x2=${WIDE - RIGHT}
      y1=${scale.down(value).toFixed(1)} y2=${scale.down(value).toFixed(1)} />
      <text x=${LEFT - 6} y=${(scale.down(value) + 4).toFixed(1)} text-anchor="end"
        font-size="12">${value}</text></g>`)}
    ${rounds.map((one) => html`<g class="grid-line"><line class="round" x1=${scale.across(one.from).toFixed(1)}
      x2=${scale.across(one.from).toFixed(1)} y1=${TOP} y2=${HIGH - BOTTOM} />
      <text x=${(scale.across(one.from) + 3).toFixed(1)} y=${HIGH - 6}
        font-size="12">${fitting(one, scale)}</text></g>`)}
    ${curve.series.map((series) => html`<path class=${`curve ${seatClass(story, series.seat)}`}
      d=${path(story, series, scale)} />`)}
  </g>`;
}

/** The label of a part of the match, or its number where that is all that fits. */
function fitting(heading, scale) {
  const free = scale.across(heading.to) - scale.across(heading.from);
  if (heading.label.length * 7.2 < free) return heading.label;
  const found = heading.label.match(/\d+/);
  return found ? found[0] : "";
}

/** Stairs: a figure stays what it is until an event changes it. */
function path(story, series, scale) {
  let drawn = "";
  for (const [n, value] of series.points) {
    const [x, y] = [scale.across(n).toFixed(1), scale.down(value).toFixed(1)];
    drawn += drawn ? `H${x}V${y}` : `M${x},${y}`;
  }
  return drawn && `${drawn}H${scale.across(story.last).toFixed(1)}`;
}

function ticks(low, high) {
  const rough = (high - low) / 5;
  const power = 10 ** Math.floor(Math.log10(Math.max(1, rough)));
  const step = [1, 2, 5, 10].map((one) => one * power).find((one) => one >= rough) || power * 10;
  const found = [];
  for (let value = Math.ceil(low / step) * step; value <= high; value += step) found.push(value);
  return found;
}

function Token({ seat, x, y }) {
  const [many, turned] = seatShape(seat);
  if (!many) return html`<circle class="token" cx=${x} cy=${y.toFixed(1)} r="6" />`;
  const points = corners([x, y], many === 3 ? 8 : 7, many, turned)
    .map((point) => point.map((one) => one.toFixed(1)).join(","));
  return html`<polygon class="token" points=${points.join(" ")} />`;
}

function Sign({ seat }) {
  return html`<svg viewBox="0 0 18 18" width="18" height="18" aria-hidden="true">
    <${Token} seat=${seat} x=${9} y=${9} /></svg>`;
}

/** The same as a table: at the end of each part of the match. */
function Twin({ story, curve, go }) {
  const rounds = story.doc.headings.filter((one) => one.level === story.levels[0] && !one.again);
  const rows = rounds.length ? rounds.map((one) => [one.label, one.to]) : [["The end", story.last]];
  return html`<details class="twin"><summary>${curve.name} as a table</summary>
    <div class="scrolls" tabindex="0" role="region" aria-label=${`${curve.name} as a table`}><table>
      <caption class="out-of-sight">${curve.name} after each part of the match</caption>
      <thead><tr><th scope="col">After</th>${curve.series.map((series) =>
        html`<th scope="col">${story.name(series.seat)}</th>`)}</tr></thead>
      <tbody>${rows.map(([label, n]) => html`<tr><th scope="row">
        <button type="button" class="plain" onClick=${() => go(n)}>${label}</button></th>
        ${curve.series.map((series) => html`<td>${story.valueAt(series, n) ?? "–"}</td>`)}</tr>`)}</tbody>
    </table></div></details>`;
}
