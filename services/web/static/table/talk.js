// Talk: to everybody at the table, or to some seats; and not to be shown what somebody says.

import { html, useEffect, useRef, useState } from "../vendor/preact.js";
import { listed, seatClasses, seatShort, timeWords } from "./names.js";

const TEXT_MAX = 1_000;

/** @param {{table: import("./state.js").Table}} props */
export function Talk({ table }) {
  const list = useRef(null);
  const [hidden, hide] = useState([]); // whom one has just hidden
  const { lines, last } = table.talk;
  useEffect(() => {
    if (list.current) list.current.scrollTop = list.current.scrollHeight;
    table.talkRead();
  }, [last]);
  const block = async (person, name) => {
    if (await table.act("PUT", `/blocks/${person}`)) {
      hide([...hidden, { person, name }]);
      await table.readTalkAnew();
    }
  };
  const show = async (one) => {
    if (await table.act("DELETE", `/blocks/${one.person}`)) {
      hide(hidden.filter((other) => other !== one));
      await table.readTalkAnew();
    }
  };
  return html`<ol class="talk" ref=${list} tabindex="0" aria-label="Messages">
      ${lines.map((line) => html`<${Line} key=${line.number} table=${table} line=${line} block=${block} />`)}
      ${lines.length ? null : html`<li class="aside">There are no messages yet.</li>`}</ol>
    ${hidden.map((one) => html`<p key=${one.person} class="aside">You have hidden the messages of ${one.name}.
      <button type="button" class="button small-button" onClick=${() => show(one)}>Show again</button></p>`)}
    ${table.seated || table.config.host ? html`<${Say} table=${table} />` : null}`;
}

function Line({ table, line, block }) {
  const sitting = line.seat === null ? null : table.match.seats[line.seat];
  const other = sitting && sitting.person && line.seat !== table.seat;
  const to = line.to ? ` to ${listed(line.to.filter((seat) => seat !== line.seat).map((seat) => seatShort(table, seat)))}` : "";
  const host = table.config.host && !line.hidden;
  return html`<li class=${`${seatClasses(table, line.seat)}${line.to ? " private" : ""}`}>
    <p class="by"><b>${line.name}</b>${to ? html` <em>${to}</em>` : null}
      <time>${timeWords(line.at)}</time></p>
    <p class="text">${line.hidden ? html`<em>This message was removed.</em>` : line.text}</p>
    ${other || host ? html`<details class="line-acts"><summary
      aria-label=${`Options for this message of ${line.name}`}>…</summary>
      ${other ? html`<button type="button" class="button small-button"
        onClick=${() => block(sitting.person, line.name)}>Hide messages of ${line.name}</button>` : null}
      ${host ? html`<${Down} table=${table} line=${line} />` : null}</details>` : null}</li>`;
}

/** The host takes a line down; the reason is kept. */
function Down({ table, line }) {
  const [reason, write] = useState("");
  const down = async (event) => {
    event.preventDefault();
    const said = { reason: reason.trim() || "taken down by the host" };
    if (await table.act("DELETE", `/talk/${line.number}`, said)) await table.readTalkAnew();
  };
  return html`<form class="down" onSubmit=${down}><label class="unseen" for=${`down-${line.number}`}>Why</label>
    <input id=${`down-${line.number}`} value=${reason} maxLength="300" placeholder="Why"
      onInput=${(event) => write(event.currentTarget.value)} />
    <button class="button small-button">Remove this message</button></form>`;
}

function Say({ table }) {
  const [text, write] = useState("");
  const [to, choose] = useState([]);
  const others = table.match.seats.filter((one) => one.seat !== table.seat && one.who !== "nobody");
  const toggle = (seat) => choose(to.includes(seat) ? to.filter((one) => one !== seat) : [...to, seat]);
  const say = async (event) => {
    event.preventDefault();
    if (!text.trim()) return;
    const said = { text: text.trim(), to: to.length ? to : null };
    if (table.seated) said.seat = table.seat;
    const done = await table.act("POST", "/talk", said);
    if (!done) return;
    write("");
    await table.readTalk();
    table.talkRead();
    table.tell();
  };
  return html`<form class="say" onSubmit=${say}>
    ${table.seated && others.length > 1 ? html`<fieldset class="to"><legend>To ${to.length
      ? "only" : "everybody"}</legend>${others.map((one) => html`<label class="box" key=${one.seat}>
        <input type="checkbox" checked=${to.includes(one.seat)} onChange=${() => toggle(one.seat)} />
        ${seatShort(table, one.seat)}</label>`)}</fieldset>` : null}
    <label class="unseen" for="say">Write a message</label>
    <input id="say" value=${text} maxLength=${TEXT_MAX} autocomplete="off" placeholder="Write a message"
      aria-keyshortcuts="t" onInput=${(event) => write(event.currentTarget.value)} />
    <button class="button">Send message</button></form>`;
}
