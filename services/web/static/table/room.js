// The waiting room: seats to sit down on, to invite to, to give to bots; and the start.

import { html, useState } from "../vendor/preact.js";

const BOTS = { greedy: "a greedy bot", random: "a random bot" };

/** @param {{table: import("./state.js").Table}} props */
export function WaitingRoom({ table }) {
  const { match, config } = table;
  const free = match.seats.filter((one) => one.who === "nobody");
  const sits = match.yours.length > 0;
  const start = () => table.act("POST", "/start");
  const fill = async () => {
    for (const one of free) await table.act("PUT", `/seats/${one.seat}/bot`, { bot: "greedy" });
  };
  return html`<div class="room"><h2>Before the start</h2>
    <p class="lead">${free.length
      ? `${free.length === 1 ? "One seat is" : `${free.length} seats are`} free.`
      : config.host ? "All seats are taken." : "All seats are taken. The host starts the match."}</p>
    <ul class="chairs">${match.seats.map((one) => html`<${Chair} key=${one.seat} table=${table}
      one=${one} sits=${sits} />`)}</ul>
    ${config.host ? html`<div class="actions">
      <button type="button" class="button primary" disabled=${free.length > 0} onClick=${start}>Start the match</button>
      ${free.length ? html`<button type="button" class="button" onClick=${fill}>
        Bots for all free seats</button>` : null}</div>` : null}
    ${config.me ? null : html`<p class="aside">To sit down, sign in with your link first.</p>`}
  </div>`;
}

function Chair({ table, one, sits }) {
  const { config } = table;
  const [link, say] = useState("");
  const mine = table.match.yours.includes(one.seat);
  const sit = async () => {
    if (await table.act("PUT", `/seats/${one.seat}`, {})) location.assign(location.pathname);
  };
  const rise = () => table.act("POST", `/seats/${one.seat}/resign`, { reason: "before the start" })
    .then((done) => done && location.assign(location.pathname));
  const invite = async () => {
    const made = await table.act("POST", `/seats/${one.seat}/invitations`);
    if (made) say(made.link);
  };
  return html`<li class=${`chair seat-${one.seat % 6}${one.who === "nobody" ? " free" : ""}`}>
    <p><span class="dot" aria-hidden="true">${one.seat}</span>
      <b>${one.name || "Free"}</b>${mine ? html` <em>you</em>` : null}
      ${one.who === "bot" ? html` <small>${BOTS[one.name.replace(/ bot$/, "")] || "a bot"}</small>` : null}</p>
    ${one.who === "nobody" ? html`<div class="tray-buttons">
      ${config.me && !sits ? html`<button type="button" class="button primary" onClick=${sit}>
        Sit down<span class="unseen"> on seat ${one.seat}</span></button>` : null}
      ${config.host ? html`<button type="button" class="button" onClick=${invite}>
        Invite<span class="unseen"> a player to seat ${one.seat}</span></button>
        <${Bot} table=${table} seat=${one.seat} />` : null}</div>` : null}
    ${mine ? html`<button type="button" class="button small-button" onClick=${rise}>Get up</button>` : null}
    ${link ? html`<${Link} link=${link} />` : null}</li>`;
}

function Bot({ table, seat }) {
  const put = (event) => {
    const bot = event.currentTarget.value;
    if (bot) table.act("PUT", `/seats/${seat}/bot`, { bot });
  };
  return html`<label><span class="unseen">A bot for seat ${seat}</span>
    <select class="button" onChange=${put}><option value="">A bot …</option>
      ${Object.entries(BOTS).map(([bot, label]) => html`<option key=${bot} value=${bot}>${label}</option>`)}
    </select></label>`;
}

function Link({ link }) {
  const [copied, say] = useState(false);
  const copy = () => navigator.clipboard.writeText(link).then(() => say(true), () => say(false));
  return html`<p class="invitation"><label>Send this link to the player for this seat; it works once
    <input readonly value=${link} onFocus=${(event) => event.currentTarget.select()} /></label>
    <button type="button" class="button small-button" onClick=${copy}>${copied ? "Copied" : "Copy"}</button></p>`;
}
