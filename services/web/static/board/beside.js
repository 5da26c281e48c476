// Beside the board: what all share and what each player has, with what an event did to it.

import { html, useMemo } from "../vendor/preact.js";
import { OUTLINES } from "./forms.js";
import { groups, targetsOf } from "./grouping.js";
import { Kept } from "./kept.js";
import { seatClass } from "./paints.js";

const NONE = Object.freeze([]);

/**
 * Panels of counters, tracks and cards.
 * @param {object} props
 * @param {object} props.scene whole
 * @param {object | null} [props.before] the scene before: what differs from it is shown
 * @param {{on: string, label: string, decision: object}[]} [props.targets]
 * @param {(target: object, all: object[]) => void} [props.onChoose]
 * @param {number | null} [props.toMove] the seat whose panel says that it is awaited
 */
export function Beside({ scene, before = null, targets = NONE, onChoose, toMove = null }) {
  const kept = useMemo(() => new Kept(), []);
  const deltas = useMemo(() => changes(before, scene), [before, scene]);
  const byThing = useMemo(() => targetsOf(targets), [targets]);
  const legend = useMemo(() => html`<${Legend} scene=${scene} />`, [scene.legend, scene.forms]);
  const { counters, tracks, cards, players } = scene;
  const grouped = useMemo(() => groups(scene), [counters, tracks, cards, players]);
  const panels = grouped.map((group) => {
    const things = [...group.counters, ...group.tracks, ...group.lots.flatMap((lot) => lot.cards)];
    const player = group.seat === null ? null : scene.players[group.seat];
    const mine = things.map((one) => byThing.get(one.id));
    const differs = things.map((one) => deltas.get(one));
    const awaited = toMove !== null && toMove === group.seat;
    const of = [player, awaited, onChoose, scene.players, ...things, ...mine, ...differs];
    return kept.node(`group ${group.seat}`, of, () =>
      html`<${Panel} ...${{ kept, scene, group, deltas, byThing, onChoose, awaited }} />`);
  });
  return html`<div class="beside">
    ${legend}${panels}</div>`;
}

/** The signs of the board, each with its meaning. */
function Legend({ scene }) {
  if (!scene.legend && !scene.forms.length) return null;
  return html`<p class="aside legend">${scene.forms.map(({ form, name }) => html`<span class="meaning">
    <svg viewBox="-12 -12 24 24" width="18" height="18" aria-hidden="true"><path
      d=${OUTLINES[form].path} /></svg>${name}</span>${" "}`)}${scene.legend}</p>`;
}

function Panel({ kept, scene, group, deltas, byThing, onChoose, awaited }) {
  const { seat, name, counters, tracks, lots } = group;
  if (seat === null && !counters.length && !tracks.length && !lots.length) return null;
  const mine = seat !== null;
  const label = mine ? name : scene.players.length ? "Shared" : undefined;
  const classes = `group${mine ? ` player ${seatClass(scene, seat)}` : ""}`;
  const drawn = (Kind, one) => {
    const [delta, chosen] = [deltas.get(one), byThing.get(one.id)];
    return kept.node(`${kindOf(one)} ${one.id}`, [scene.players, one, delta, chosen, onChoose], () =>
      html`<${Kind} one=${one} mine=${mine} owner=${owner(scene, one)} delta=${delta}
        act=${actions(chosen, onChoose)} />`);
  };
  return html`<section class=${classes} aria-label=${label}>
    ${mine ? html`<h2><span class="dot" aria-hidden="true">${seat}</span> <span>${name}</span>
      ${awaited ? html`<em class="state running">to move</em>` : null}</h2>` : null}
    ${counters.length ? html`<dl class="counters">${counters.map((one) => drawn(Counter, one))}</dl>` : null}
    ${tracks.length ? html`<div class="tracks">${tracks.map((one) => drawn(Track, one))}</div>` : null}
    ${lots.length ? html`<ul class="cards">${lots.flatMap((lot) => lot.cards.map((one) =>
      drawn(Card, one)))}</ul>` : null}
  </section>`;
}

function Counter({ one, mine, owner, delta, act }) {
  const wordy = typeof one.value === "string" ? " wordy" : "";
  const classes = `${mine ? "" : owner}${wordy}${delta ? " changed" : ""}`.trim();
  return html`<div class=${classes}><dt>${one.name}</dt>
    <dd>${one.value}${said(delta)}${act}</dd></div>`;
}

function Track({ one, delta, act }) {
  const reach = one.low ? ` (${one.low} to ${one.high})` : one.endless ? "" : ` of ${one.high}`;
  return html`<div class=${`track${delta ? " changed" : ""}`}>
    <span>${one.name}: ${one.value}${reach}${said(delta)}${act}</span>
    <meter min=${one.low} max=${one.high} value=${one.value}
      aria-label=${`${one.name}: ${one.value}${reach}`}></meter></div>`;
}

function Card({ one, mine, owner, delta, act }) {
  const whose = one.seat !== null && !mine ? ` of seat ${one.seat}` : "";
  const classes = `${one.name ? "up" : "down"} ${owner}${delta ? " changed" : ""}`;
  return html`<li class=${classes}><span class="place">${one.place}${whose}</span>${" "}
    <span class="face">${one.name || "face down"}${one.count === 1 ? "" : ` × ${one.count}`}</span>
    ${said(delta)}${act}</li>`;
}

function owner(scene, one) {
  return one.seat === null ? "" : seatClass(scene, one.seat);
}

function said(delta) {
  return delta ? html`${" "}<span class="delta">${delta}</span>` : null;
}

function actions(targets, onChoose) {
  if (!targets || !onChoose) return null;
  return targets.map((target) => html`${" "}<button type="button" class="button small-button"
    onClick=${() => onChoose(target, targets)}>${target.label}</button>`);
}

/** Returns the changes since the scene before, by thing, without the things that stayed the same. */
function changes(before, scene) {
  const found = new Map();
  for (const name of ["counters", "tracks", "cards"]) {
    if (!before || before[name] === scene[name]) continue;
    const known = new Map(before[name].map((one) => [one.id, one]));
    for (const one of scene[name]) {
      const old = known.get(one.id);
      if (old !== one) found.set(one, change(old, one));
    }
  }
  return found;
}

/** Returns the change of a thing as a sign or a word; nothing if it stayed the same. */
function change(old, one) {
  if (!old) return "new";
  if (typeof one.value === "number" && typeof old.value === "number") return signed(one.value, old.value);
  if (one.value !== old.value) return "changed";
  if (one.count !== old.count) return signed(one.count, old.count);
  if (one.name === old.name && one.place === old.place) return "";
  return old.name ? "changed" : "turned up";
}

function kindOf(one) {
  return "place" in one ? "card" : "high" in one ? "track" : "counter";
}

function signed(now, then) {
  if (now === then) return "";
  return now > then ? `+${now - then}` : `−${then - now}`;
}
