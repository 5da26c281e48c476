// The table itself: going back by consent, getting up, standing orders, and what the host does.

import { html, useRef, useState } from "../vendor/preact.js";
import { listed, seatShort } from "./names.js";

/** @param {{table: import("./state.js").Table}} props */
export function Manage({ table }) {
  const over = ["finished", "abandoned"].includes(table.match.state);
  return html`<div class="manage">
    ${table.undos.map((one) => html`<${Undo} key=${one.number} table=${table} one=${one} />`)}
    ${table.seated && !over ? html`<${GoBack} table=${table} />
      <${Orders} table=${table} />
      <${WithReason} heading="Get up" label="Why" button="Get up from this seat"
        note="A bot plays on for you. What you know stays private."
        act=${(reason) => getUp(table, reason)} />` : null}
    ${table.config.host ? html`<${Host} table=${table} over=${over} />` : null}
    <p class="aside keys-aside">Keys: <kbd>d</kbd> decisions, <kbd>b</kbd> board, <kbd>t</kbd> talk,${" "}
      <kbd>Ctrl</kbd> <kbd>Enter</kbd> send.</p></div>`;
}

/** Gives the seat up; the person then watches. */
async function getUp(table, reason) {
  const done = await table.act("POST", `/seats/${table.seat}/resign`, { reason });
  if (done) table.noMore();
  return done;
}

function Undo({ table, one }) {
  const mine = one.seat === table.seat;
  const answered = one.agreed.includes(table.seat);
  const answer = (agrees) => table.act("PUT", `/undo/${one.number}`, { seat: table.seat, agrees })
    .then(() => table.readUndos()).then(() => table.tell());
  const withdraw = () => table.act("DELETE", `/undo/${one.number}`)
    .then(() => table.readUndos()).then(() => table.tell());
  return html`<section class="undo"><p><b>${seatShort(table, one.seat)}</b> asks to go back to event
      ${" "}${one.to}: ${one.reason}</p>
    <p class="aside">${one.agreed.length ? `${listed(one.agreed.map((seat) => seatShort(table, seat)))} agreed` : ""}</p>
    ${mine ? html`<button type="button" class="button small-button" onClick=${withdraw}>Withdraw the request</button>`
      : table.seated && !answered ? html`<div class="tray-buttons">
        <button type="button" class="button primary" onClick=${() => answer(true)}>Agree</button>
        <button type="button" class="button" onClick=${() => answer(false)}>Decline</button></div>` : null}
  </section>`;
}

function GoBack({ table }) {
  const own = table.log.filter((one) => one.seat === table.seat && !one.undone);
  const last = own.length ? own[own.length - 1].version - 1 : table.version - 1;
  const [to, aim] = useState(null);
  const [reason, write] = useState("");
  const ask = async (event) => {
    event.preventDefault();
    const said = { seat: table.seat, to: to ?? last, reason: reason.trim() || "taken back" };
    const done = await table.act("POST", "/undo", said);
    if (!done) return;
    table.notice(done.state === "done" ? "Taken back." : "The other players are asked.");
    aim(null);
    write("");
    await table.readUndos();
    table.tell();
  };
  return html`<form class="go-back" onSubmit=${ask}><h3>Go back</h3>
    <p class="aside">You take back your own decisions at once if nobody has learned from them. Otherwise the other players are asked.</p>
    <p class="field"><label for="back-to">To event</label>
      <input id="back-to" type="number" min="1" max=${table.version - 1} value=${to ?? last}
        onInput=${(event) => aim(event.currentTarget.valueAsNumber)} required /></p>
    <p class="field"><label for="back-why">Why</label>
      <input id="back-why" value=${reason} maxLength="300" onInput=${(event) => write(event.currentTarget.value)} /></p>
    <button class="button">Go back</button></form>`;
}

function Orders({ table }) {
  const [given, give] = useState(Boolean(table.config.ordered));
  // The box shows at once what was pressed, and an answer that comes late never turns it back:
  // one wish is sent at a time, and the last one after it.
  const wish = useRef({ last: given, kept: given, sending: false });
  const order = async (event) => {
    const own = wish.current;
    own.last = event.currentTarget.checked;
    give(own.last);
    if (own.sending) return;
    own.sending = true;
    while (own.last !== own.kept) {
      const asked = own.last;
      const done = await table.act("PUT", `/seats/${table.seat}/orders`, { only_option: asked });
      if (done) own.kept = done.only_option;
      if (own.last === asked) own.last = own.kept;
    }
    own.sending = false;
    table.config.ordered = own.kept;
    give(own.kept);
  };
  return html`<label class="box"><input type="checkbox" checked=${given} onChange=${order} />
    Decide for me when there is only one choice</label>`;
}

function WithReason({ heading, label, button, note, act }) {
  const [reason, write] = useState("");
  const [open, show] = useState(false);
  const id = `why-${heading.replace(/\W/g, "-")}`;
  const done = (event) => {
    event.preventDefault();
    act(reason.trim() || heading).then((answer) => {
      if (answer) show(false);
    });
  };
  if (!open) {
    return html`<p><button type="button" class="button small-button" onClick=${() => show(true)}>
      ${heading} …</button></p>`;
  }
  return html`<form class="with-reason" onSubmit=${done}><h3>${heading}</h3>
    ${note ? html`<p class="aside">${note}</p>` : null}
    <p class="field"><label for=${id}>${label}</label>
      <input id=${id} value=${reason} maxLength="300" onInput=${(event) => write(event.currentTarget.value)} /></p>
    <div class="tray-buttons"><button class="button">${button}</button>
      <button type="button" class="button" onClick=${() => show(false)}>Cancel</button></div></form>`;
}

function Host({ table, over }) {
  const { state, result } = table.match;
  if (over) return null;
  const done = (name) => (reason) => table.act("POST", `/${name}`, { reason });
  return html`<section class="host"><h3>Host actions</h3>
    ${result ? html`<p><button type="button" class="button primary"
      onClick=${() => table.act("POST", "/close")}>Approve the result</button></p>` : null}
    ${state === "running" && !result ? html`<${WithReason} heading="Pause" label="Why" button="Pause the match"
      act=${done("pause")} />` : null}
    ${state === "paused" ? html`<${WithReason} heading="Go on" label="Why" button="Resume the match"
      act=${done("resume")} />` : null}
    ${result ? null : html`<${WithReason} heading="Abandon" label="Why" button="Abandon the match"
      note="The match ends without a result." act=${done("abandon")} />`}</section>`;
}
