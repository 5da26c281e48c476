// Offers that stand open: what each says, who has agreed, and how one may answer; or why not.

import { html } from "../vendor/preact.js";
import { listed, seatClasses, seatShort } from "./names.js";

/**
 * @param {object} props
 * @param {import("./state.js").Table} props.table
 * @param {object[]} props.offers
 * @param {(choice: object, question: string) => void} props.chosen
 * @param {(form: object) => void} props.fill
 * @param {object[]} props.forms
 */
export function Offers({ table, offers, chosen, fill, forms }) {
  if (!offers.length) return null;
  return html`<section class="offers" aria-labelledby="offers-heading">
    <h3 id="offers-heading">Offers <span class="count">${offers.length}</span></h3>
    <ul>${offers.map((offer) => html`<${Offer} key=${offer.id} table=${table} offer=${offer}
      chosen=${chosen} fill=${fill} form=${forms.find((one) => one.offer === offer.id)} />`)}</ul>
  </section>`;
}

function Offer({ table, offer, chosen, fill, form }) {
  const mine = offer.seat === table.seat;
  const others = offer.parties.filter((seat) => seat !== offer.seat);
  const missing = others.filter((seat) => !offer.agreed.includes(seat));
  const name = (seat) => (seat === table.seat ? "you" : seatShort(table, seat));
  return html`<li class=${`offer ${seatClasses(table, offer.seat)}`}>
    <p class="offer-head"><b>${mine ? "Your offer" : offer.title}</b>
      ${" "}<span class="aside">to ${listed(others.map(name))}${offer.private ? ", in private" : ""}</span></p>
    <ul class="offer-terms">${offer.terms.map((words) => html`<li key=${words}>${words}</li>`)}</ul>
    <p class="aside open-to">${[missing.length ? `${listed(missing.map(name))} ${missing.length === 1 &&
      missing[0] !== table.seat ? "has" : "have"} not agreed yet` : "", offer.until].filter(Boolean).join("; ")}</p>
    ${offer.answers.length || form ? html`<div class="tray-buttons">
      ${offer.answers.map((one) => html`<${Answer} key=${one.label} offer=${offer} one=${one}
        chosen=${chosen} />`)}
      ${form ? html`<button type="button" class="button small-button" onClick=${() => fill(form)}>
        Counter …<span class="unseen"> ${offer.title}</span></button>` : null}</div>` : null}
    ${offer.answers.filter((one) => one.why).map((one) => html`<p class="why" key=${one.label}
      id=${whyId(offer, one)}><b>${one.label}: not now.</b> ${because(table, one)}
      ${one.rule ? html` <span class="rule">${one.rule}</span>` : null}</p>`)}
  </li>`;
}

function Answer({ offer, one, chosen }) {
  const refused = Boolean(one.why);
  const act = () => refused || chosen({ label: one.label, decision: one.decision, on: "" }, one.question);
  return html`<button type="button" class=${`button small-button${one.label === "Accept" ? " primary" : ""}`}
    aria-disabled=${refused} aria-describedby=${refused ? whyId(offer, one) : undefined} onClick=${act}>
    ${one.label}<span class="unseen"> ${offer.title}</span></button>`;
}

function whyId(offer, one) {
  return `why-${offer.id}-${one.label}`.replace(/\W+/g, "-");
}

function because(table, one) {
  if (one.who === null || one.who < 0) return one.why;
  return `${one.why.replace(/\.$/, "")}: ${one.who === table.seat ? "you" : seatShort(table, one.who)}.`;
}
