// Deciding: what may be chosen, by kind and in words; what stands open at any time; forms.

import { html, useMemo, useState } from "../vendor/preact.js";
import { Filling } from "./filling.js";
import { listed, movesWords, seatShort } from "./names.js";
import { Offers } from "./offers.js";
import { partsOf } from "./parts.js";

const SEARCHED = 12; // choices: from here on one can search them
const SHOWN = 10; // of a kind, before one asks for all
const SHORT = 24; // letters: so short that two stand side by side
const TINY = 8; // ... and many

/**
 * @param {object} props
 * @param {import("./state.js").Table} props.table
 * @param {object} props.position as things are, or as they would be
 * @param {object | null} props.asked the question that is open to us
 * @param {{on: string, name: string} | null} props.picked a thing of the board that was clicked
 * @param {() => void} props.unpick
 * @param {(choice: object, question: string) => Promise<boolean>} props.choose
 */
export function Decide({ table, position, asked, picked, unpick, choose }) {
  if (table.seat === null) return null;
  const { plan } = table;
  return html`<section class="decide" aria-labelledby="decide-heading">
    <h2 id="decide-heading" tabindex="-1">${headline(table, asked)}</h2>
    ${asked
      ? html`<p class="aside asked">${asked.text}${asked.sealed
          ? " The others see only that you have chosen." : ""}</p>
          <${Question} key=${asked.question} table=${table} asked=${asked} picked=${picked}
            unpick=${unpick} choose=${choose} />`
      : html`<p class="aside">${waiting(table)}</p>`}
    ${plan.steps.length && !plan.open ? null
      : html`<${Standing} table=${table} position=${position} choose=${choose} />`}
  </section>`;
}

function headline(table, asked) {
  if (table.plan.steps.length && !table.plan.open) return "Ready to send";
  if (asked) return table.plan.steps.length ? "Your next decision" : "Your decision";
  return table.match.result ? "The match is over" : "Nothing to decide";
}

function waiting(table) {
  const { waits } = table.position;
  if (table.plan.steps.length) return "You will see the outcome after you send.";
  if (table.match.state === "paused") return "The match is paused; decisions wait.";
  if (!waits) return ended(table);
  if (!waits.seats.length) return "Rolling dice and drawing cards.";
  const names = waits.seats.map((seat) => seatShort(table, seat));
  return `${listed(names)} ${names.length > 1 ? "think" : "thinks"}. ${waits.text}`;
}

/** A match that has come to its end is closed by its host; until then its secrets stay secret. */
function ended(table) {
  const { match, config } = table;
  if (!match.result || match.state === "finished" || match.state === "abandoned") return "The match has ended.";
  if (!config.host) return "The match has ended. Its host has yet to approve the result.";
  return html`The match has ended. Approve the result to close it. Then it can be replayed
    from its full log, and played on in a fork.
    <button type="button" class="button primary approve" onClick=${() => table.act("POST", "/close")}>
      Approve the result</button>`;
}

function Question({ table, asked, picked, unpick, choose }) {
  const [wanted, search] = useState("");
  const many = asked.kinds.reduce((sum, kind) => sum + kind.choices.length, 0);
  const kinds = useMemo(() => sifted(asked.kinds, wanted, picked), [asked, wanted, picked]);
  const few = kinds.filter((kind) => kind.choices.length === 1);
  const rest = kinds.filter((kind) => kind.choices.length > 1);
  const chosen = (choice) => choose(choice, asked.question).then((done) => {
    if (done) requestAnimationFrame(() => document.querySelector(".tray .send")?.focus());
  });
  return html`<div class="question" onKeyDown=${walked}>
    ${picked ? html`<p class="picked"><span>At ${picked.name}</span>
      <button type="button" class="button small-button" onClick=${unpick}>Show all</button></p>` : null}
    ${many >= SEARCHED && !picked ? html`<label class="search"><span>Find</span>
      <input type="search" value=${wanted} placeholder=${`among ${many} choices`}
        onInput=${(event) => search(event.currentTarget.value)} /></label>` : null}
    ${rest.map((kind) => html`<${Kind} key=${kind.type} kind=${kind} chosen=${chosen}
      all=${Boolean(wanted || picked)} />`)}
    ${few.length ? html`<div class="choices" role="group" aria-label=${rest.length ? "Or" : "Choices"}>
      ${few.map((kind) => html`<${Choice} key=${kind.type} choice=${kind.choices[0]}
        chosen=${chosen} />`)}</div>` : null}
    ${kinds.length ? null : html`<p class="aside">No choice has that name.</p>`}
  </div>`;
}

/** Arrow keys go from choice to choice; Tab does as well. */
function walked(event) {
  const step = { ArrowDown: 1, ArrowUp: -1 }[event.key];
  if (!step || !event.target.matches(".choice")) return;
  const all = [...event.currentTarget.querySelectorAll(".choice")];
  const next = all[all.indexOf(event.target) + step];
  if (next) next.focus();
  event.preventDefault();
}

function sifted(kinds, wanted, picked) {
  const words = wanted.toLowerCase().split(/\s+/).filter(Boolean);
  const fits = (choice) => {
    const label = choice.label.toLowerCase();
    return (!picked || choice.on === picked.on) && words.every((word) => label.includes(word));
  };
  return kinds
    .map((kind) => ({ ...kind, choices: kind.choices.filter(fits) }))
    .filter((kind) => kind.choices.length);
}

function Kind({ kind, chosen, all }) {
  const [open, show] = useState(false); // all of them
  const [part, narrow] = useState("");
  const parts = useMemo(() => (kind.choices.length > SHOWN ? partsOf(kind.choices) : []), [kind]);
  const within = parts.find((one) => one.words === part);
  const choices = within ? within.choices : kind.choices;
  const first = parts.length ? 0 : SHOWN; // where there are parts, one begins with them
  const shown = all || open || within ? choices : choices.slice(0, first);
  const left = choices.length - shown.length;
  const cut = within ? within.words.length : 0; // what all of a part begin with is said once
  const longest = Math.max(...choices.map((choice) => lengthOf(choice) - cut));
  const size = longest <= TINY ? " short tiny" : longest <= SHORT ? " short" : "";
  return html`<div class="kind"><h3>${kind.title}</h3>
    ${parts.length ? html`<div class="parts-of" role="group" aria-label="Narrow the choices">
      ${parts.map((one) => html`<button type="button" class="button small-button" key=${one.words}
        aria-pressed=${one === within} onClick=${() => narrow(one === within ? "" : one.words)}>
        ${one.words} … <span class="count">${one.choices.length}</span></button>`)}</div>` : null}
    <div class=${`choices${size}`} role="group" aria-label=${kind.title}>
      ${shown.map((choice) => html`<${Choice} key=${choice.label} choice=${choice} chosen=${chosen}
        cut=${cut} />`)}
      ${left ? html`<button type="button" class="button choice more-choices"
        onClick=${() => show(true)}>Show ${first ? `${left} more` : `all ${left}`}</button>` : null}
    </div></div>`;
}

/** The width of a choice in letters; one with a note takes the whole width. */
function lengthOf(choice) {
  return choice.label.length + movesWords(choice.moves).length + (choice.note ? SHORT + 1 : 0);
}

function Choice({ choice, chosen, cut = 0 }) {
  const moves = movesWords(choice.moves);
  const begins = cut ? html`<span class="unseen">${choice.label.slice(0, cut)}</span>…${" "}` : null;
  return html`<button type="button" class="button choice" onClick=${() => chosen(choice)}>
    <span>${begins}${choice.label.slice(cut).trim()}
      ${choice.note ? html` <small class="note">${choice.note}</small>` : null}</span>
    ${moves ? html`<span class="moves">${moves}</span>` : null}</button>`;
}

/** The decisions that are open at any time, and their forms. */
function Standing({ table, position, choose }) {
  const [form, fill] = useState(null);
  const { offers } = position;
  const standing = withoutAnswers(position.standing, offers);
  const forms = position.forms.filter((one) => !one.offer);
  if (!standing.length && !position.forms.length && !offers.length) return null;
  const many = standing.reduce((sum, one) => sum + one.kinds.length, 0);
  const questionOf = (type) => {
    const all = [position.asked, ...position.standing].filter(Boolean);
    const found = all.find((one) => one.takes.includes(type));
    return found ? found.question : "";
  };
  const add = async (decision) => {
    const done = await table.plan.add({ question: questionOf(decision.type), decision, label: form.label });
    if (done) fill(null);
    if (done) requestAnimationFrame(() => document.querySelector(".tray .send")?.focus());
    return done ? "" : table.plan.refusal;
  };
  const chosen = (choice, question) => choose(choice, question).then((done) => {
    if (done) requestAnimationFrame(() => document.querySelector(".tray .send")?.focus());
  });
  return html`<div class="standing">
    <${Offers} table=${table} offers=${offers} chosen=${chosen} fill=${fill} forms=${position.forms} />
    <h3>At any time</h3>
    ${standing.map((one) => one.kinds.map((kind) => html`<details key=${`${one.question} ${kind.type}`}
      open=${many < 3}><summary>${kind.title} <span class="count">${kind.choices.length}</span></summary>
      <div class="choices">${kind.choices.map((choice) => html`<${Choice} key=${choice.label}
        choice=${choice} chosen=${() => chosen(choice, one.question)} />`)}</div></details>`))}
    <div class="form-buttons">${forms.map((one) => html`<button type="button" key=${one.id}
      class="button small-button" onClick=${() => fill(one)}>${one.label} …</button>`)}</div>
    ${form ? html`<${Filling} key=${form.id} form=${form} add=${add} close=${() => fill(null)} />` : null}
  </div>`;
}

/** The standing decisions without answers to offers, which the page shows beside the offers. */
function withoutAnswers(standing, offers) {
  const answers = new Set(offers.flatMap((offer) => offer.answers.map((one) => nameOf(one.decision))));
  const rest = (kind) => kind.choices.filter((choice) => !answers.has(nameOf(choice.decision)));
  return standing
    .map((one) => ({
      ...one,
      kinds: one.kinds.map((kind) => ({ ...kind, choices: rest(kind) })).filter((kind) => kind.choices.length),
    }))
    .filter((one) => one.kinds.length);
}

function nameOf(decision) {
  return JSON.stringify(Object.entries(decision).sort(([one], [other]) => (one < other ? -1 : 1)));
}
