// Help: all keys, in a dialogue.

import { html, useEffect, useRef } from "../vendor/preact.js";
import { KEYS } from "./keys.js";

/**
 * @param {{open: boolean, close: Function, story: object}} props
 */
export function Help({ open, close, story }) {
  const dialog = useRef(null);
  useEffect(() => {
    if (open && !dialog.current.open) dialog.current.showModal();
    if (!open && dialog.current.open) dialog.current.close();
  }, [open]);
  const outside = (event) => event.target === dialog.current && close();
  return html`<dialog id="keys" class="keys-help" aria-labelledby="keys-heading" ref=${dialog}
    onClose=${close} onClick=${outside}>
    <h2 id="keys-heading">Keys</h2>
    <dl class="keys">${KEYS.filter((one) => there(one, story)).map((one) => html`<div key=${one.does}>
      <dt>${one.shown.map((key) => html`<kbd>${key}</kbd>${" "}`)}</dt><dd>${named(one, story)}</dd></div>`)}
      <div><dt><kbd>0</kbd>–<kbd>9</kbd></dt><dd>Type an event's number, then Enter</dd></div>
      <div><dt><kbd>Esc</kbd></dt><dd>Close the open panel</dd></div>
    </dl>
    <p class="aside line-legend">On the timeline:${" "}
      <${Mark}><rect class="conflict" x="4" y="0" width="4" height="12" /><//> a conflict,${" "}
      <${Mark}><circle class="deal" cx="6" cy="6" r="4" /><//> a deal,${" "}
      <span aria-hidden="true">↺</span> a rewind; bands are rounds.</p>
    <p class="aside">On the board, the arrow keys move between cells, and Enter goes to the pieces there.
      Zoom with Ctrl and the wheel, or with two fingers.</p>
    <button type="button" class="button" id="close-keys" onClick=${close}>Close</button>
  </dialog>`;
}

function Mark({ children }) {
  return html`<svg viewBox="0 0 12 12" width="12" height="12" class="line-marks"
    aria-hidden="true">${children}</svg>`;
}

/** A game that has no turns is walked through by its phases. */
function named({ does, name }, story) {
  return does.startsWith("turn") && !story.stops("turn").length ? name.replace("turn", "phase") : name;
}

/** Keys for what this match does not have are not listed. */
function there({ does }, story) {
  const what = does.replace(/-(back|on)$/, "");
  if (what === "edition") return story.doc.editions.length > 1;
  if (what === "turn") return story.stops("turn").length + story.stops("phase").length > 0;
  return !["phase", "round", "conflict", "deal"].includes(what) || story.stops(what).length > 0;
}
