// Seats: who sits there, who is to decide, who has chosen, and how much time is left.

import { html, useEffect, useReducer } from "../vendor/preact.js";
import { leftWords, seatClasses, seatShort } from "./names.js";

const LOW_MS = 60_000;

/**
 * @param {object} props
 * @param {import("./state.js").Table} props.table
 * @param {object | null} props.waits what is being asked, and of whom
 */
export function Seats({ table, waits }) {
  const asked = new Set(waits ? waits.seats : []);
  const clocks = new Map(table.match.clocks.map((one) => [one.seat, one]));
  return html`<section class="seats" aria-label="Seats"><ul>
    ${table.match.seats.map((one) => html`<${Seat} key=${one.seat} table=${table} one=${one}
      asked=${asked.has(one.seat)} waits=${waits} clock=${clocks.get(one.seat)} />`)}</ul></section>`;
}

function Seat({ table, one, asked, waits, clock }) {
  const short = seatShort(table, one.seat);
  const who = one.who === "bot" ? "a bot" : one.name && one.name !== short ? one.name : "";
  const mine = one.seat === table.seat;
  return html`<li class=${`${seatClasses(table, one.seat)}${asked ? " asked" : ""}`}
    aria-current=${asked ? "true" : undefined}>
    <span class="dot" aria-hidden="true">${one.seat}</span>
    <span class="seat-name"><b>${short}</b>${mine ? html` <em>you</em>` : null}
      ${who ? html`<small>${who}</small>` : null}</span>
    ${mark(asked, waits, table.match.state)}
    ${clock ? html`<${Clock} clock=${clock} at=${table.matchAt} />` : null}</li>`;
}

function mark(asked, waits, state) {
  if (state !== "running" || !waits) return null;
  if (asked) {
    return html`<span class="thinks"><span class="dots" aria-hidden="true"><i></i><i></i><i></i></span>
      <span class="unseen">thinking</span></span>`;
  }
  if (!waits.sealed) return null;
  return html`<span class="chosen-mark"><span aria-hidden="true">✓</span>
    <span class="unseen">has chosen, or has nothing to choose</span></span>`;
}

function Clock({ clock, at }) {
  const [, tick] = useReducer((count) => count + 1, 0);
  useEffect(() => {
    if (!clock.running) return undefined;
    const timer = setInterval(tick, 500);
    return () => clearInterval(timer);
  }, [clock.running]);
  const left = clock.running ? clock.left - (Date.now() - at) : clock.left;
  const until = clock.running ? `until ${new Date(Date.now() + left).toLocaleTimeString()}` : "stopped";
  const classes = `clock${clock.running ? " running" : ""}${left < LOW_MS ? " low" : ""}`;
  return html`<span class=${classes} role="timer" aria-live="off" title=${until}
    aria-label=${`${leftWords(left)} left`}>${leftWords(left)}</span>`;
}
