// The tray: what is composed so far, what it takes; to be taken back or sent.

import { html, useEffect } from "../vendor/preact.js";
import { movesWords, summed } from "./names.js";

/** @param {{table: import("./state.js").Table}} props */
export function Tray({ table }) {
  return table.plan && table.plan.steps.length ? html`<${Full} table=${table} />` : null;
}

/** Moves the keyboard's focus from here to the next decision. */
function leave() {
  requestAnimationFrame(() => {
    if (document.activeElement !== document.body) return;
    document.getElementById("decide-heading")?.focus();
  });
}

function Full({ table }) {
  const { plan } = table;
  useEffect(() => leave, []);
  const tried = plan.trial ? plan.trial.tried : [];
  const total = movesWords(summed(tried.map((one) => one.moves)));
  const { sending } = plan;
  return html`<section class="tray" aria-label="Decisions to send">
    <ol>${plan.steps.map((step, at) => html`<li key=${at}><span class="step-label">${step.label}</span>
      ${tried[at] && movesWords(tried[at].moves)
        ? html` <span class="moves">${movesWords(tried[at].moves)}</span>` : null}
      ${tried[at] ? what(tried[at]) : null}</li>`)}</ol>
    ${plan.steps.length > 1 && total ? html`<p class="total">Together <span class="moves">${total}</span></p>` : null}
    ${plan.trouble ? html`<p class="notice grave" role="alert">${plan.trouble}</p>` : null}
    ${sending ? html`<p class="aside" role="status">${sending.waits
      ? "No answer yet. Trying again; your decision counts only once." : "Sending …"}</p>` : null}
    <div class="tray-buttons">
      <button type="button" class="button primary send" aria-disabled=${Boolean(sending || plan.trouble)}
        aria-keyshortcuts="Control+Enter" onClick=${() => plan.send()}>
        ${plan.steps.length > 1 ? `Send all ${plan.steps.length}` : "Send"}</button>
      <button type="button" class="button back" disabled=${Boolean(sending)}
        onClick=${() => plan.back()}>Take back${plan.steps.length > 1 ? " the last" : ""}</button>
      ${plan.steps.length > 1 ? html`<button type="button" class="button clear"
        disabled=${Boolean(sending)} onClick=${() => plan.clear()}>Take back all</button>` : null}
    </div></section>`;
}

function what(tried) {
  const said = tried.told ? tried.sentences.join(" ") : "";
  return said ? html`<span class="aside">${said}</span>` : null;
}
