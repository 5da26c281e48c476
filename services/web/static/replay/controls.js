// Controls: stepping by event, turn, phase and round; playing; going to a number.

import { html, useMemo, useState } from "../vendor/preact.js";
import { Kept } from "../board/kept.js";
import { shortcuts, titled } from "./keys.js";

const PATHS = {
  first: "M6 5v14M19 5 9 12l10 7z",
  "event-back": "M16 5 6 12l10 7z",
  "event-on": "M8 5l10 7-10 7z",
  last: "M18 5v14M5 5l10 7-10 7z",
  play: "M8 4l12 8-12 8z",
  pause: "M7 5h4v14H7zM14 5h4v14h-4z",
  back: "M15 6l-6 6 6 6",
  on: "M9 6l6 6-6 6",
  more: "M6 15l6-6 6 6",
  less: "M6 9l6 6 6-6",
};
/** Events in the time of one, and how that is said. */
export const SPEEDS = [0.5, 1, 2, 4, 8];

function Icon({ of, thin }) {
  return html`<svg viewBox="0 0 24 24" width="24" height="24" aria-hidden="true"
    class=${thin ? "thin" : ""}><path d=${PATHS[of]} /></svg>`;
}

function Step({ does, name, act, off = false, of = does, thin = false, id = does, children }) {
  return html`<button type="button" id=${id} class="button step" aria-label=${name}
    title=${titled(name, does)} aria-keyshortcuts=${shortcuts(does)}
    aria-disabled=${off ? "true" : undefined}
    onClick=${() => off || act(does)}><${Icon} of=${of} thin=${thin} />${children}</button>`;
}

/**
 * The row that is always there.
 * @param {{atFirst: boolean, atLast: boolean, playing: boolean, open: boolean, act: Function, toggle: Function}} props
 */
export function Steps({ atFirst, atLast, playing, open, act, toggle }) {
  return html`<div class="steps" role="group" aria-label="Steps">
    <${Step} does="first" name="First event" act=${act} off=${atFirst} />
    <${Step} does="event-back" id="previous" name="Previous event" act=${act} off=${atFirst} />
    <button type="button" id="play" class="button step primary" aria-label=${playing ? "Pause" : "Play"}
      title=${titled(playing ? "Pause" : "Play", "play")} aria-keyshortcuts=${shortcuts("play")}
      onClick=${() => act("play")}><${Icon} of=${playing ? "pause" : "play"} /></button>
    <${Step} does="event-on" id="next" name="Next event" act=${act} off=${atLast} />
    <${Step} does="last" name="Last event" act=${act} off=${atLast} />
    <button type="button" id="more" class="button step unfold" aria-expanded=${String(open)}
      aria-controls="more-steps" onClick=${toggle}><span class="wide-only">More steps</span>
      <span class="narrow-only out-of-sight">More steps</span>
      <${Icon} of=${open ? "less" : "more"} thin /></button>
    <button type="button" id="help" class="button step" aria-label="Help: keys" aria-keyshortcuts="?"
      title="Help: keys (?)" onClick=${() => act("help")}>?</button>
  </div>`;
}

const PAIRS = [
  ["turn", "Turn"], ["phase", "Phase"], ["round", "Round"],
  ["conflict", "Conflict"], ["deal", "Deal"], ["player", "Player"],
];

function words(what) {
  return what === "player" ? "event of the same player" : what;
}

/**
 * Longer steps, and speed.
 * @param {{story: object, at: number, speed: number, act: Function}} props
 */
export function MoreSteps({ story, at, speed, act }) {
  const kept = useMemo(() => new Kept(), [story]);
  const there = PAIRS.filter(([what]) => what === "player" || story.stops(what).length);
  const ends = (what, way) => story.step(at, what, way) === at;
  return html`<div class="more-steps" id="more-steps">
    ${there.map(([what, name]) => kept.node(what, [ends(what, -1), ends(what, 1)], () =>
      html`<${TwoWays} what=${what} name=${name} act=${act} atFirst=${ends(what, -1)} atLast=${ends(what, 1)} />`))}
    ${kept.node("speed", [speed], () => html`<div class="two-ways" role="group" aria-label="Speed">
      <${Step} does="slower" of="back" thin name="Slower" act=${act} off=${speed === SPEEDS[0]} />
      <span aria-label=${`Speed: ${speed} times`} role="img">${speed}×</span>
      <${Step} does="faster" of="on" thin name="Faster" act=${act} off=${speed === SPEEDS[SPEEDS.length - 1]} />
    </div>`)}
  </div>`;
}

function TwoWays({ what, name, act, atFirst, atLast }) {
  return html`<div class="two-ways" role="group" aria-label=${what === "player" ? "Same player" : name}>
    <${Step} does=${`${what}-back`} of="back" thin name=${`Previous ${words(what)}`} act=${act} off=${atFirst} />
    <span aria-hidden="true">${name}</span>
    <${Step} does=${`${what}-on`} of="on" thin name=${`Next ${words(what)}`} act=${act} off=${atLast} />
  </div>`;
}

/**
 * The number of the event, which can be typed over.
 * @param {{at: number, last: number, go: Function}} props
 */
export function GoTo({ at, last, go }) {
  const [typed, type] = useState(null);
  const sent = (event) => {
    event.preventDefault();
    const field = event.currentTarget.querySelector("input");
    const n = Number(field.value);
    type(null);
    field.blur();
    if (n >= 1 && n <= last) go(n);
  };
  return html`<form class="go" onSubmit=${sent}>
    <label for="at">Event</label>
    <input id="at" name="at" type="number" min="1" max=${last} required inputmode="numeric"
      value=${typed === null ? at : typed} aria-keyshortcuts=${shortcuts("go")}
      title=${titled("Go to an event", "go")}
      onInput=${(event) => type(event.currentTarget.value)} onBlur=${() => type(null)} />
    <span class="of">of ${last}</span>
    ${typed === null ? null : html`<button class="button" aria-label="Go to the event">Go</button>`}
  </form>`;
}
