// The replay: takes over the page that the server drew, once its document is there.

import { html, render } from "./vendor/preact.js";
import { Waiting } from "./replay/banners.js";
import { EmbeddedSource, SiteSource } from "./replay/source.js";
import { Viewer } from "./replay/viewer.js";

/** Documents that were written into the page: it needs no site then. */
function embedded() {
  const found = [...document.querySelectorAll('script[type="application/json"].replay-document')];
  return found.map((one) => JSON.parse(one.textContent));
}

async function begin(root) {
  const documents = embedded();
  const source = documents.length ? new EmbeddedSource(documents) : new SiteSource(root.dataset.match);
  const place = source.address.read();
  const waiting = document.createElement("div");
  root.before(waiting);
  const show = (props) => render(html`<${Waiting} loading=${null} trouble=${null} ...${props} />`, waiting);
  const ask = async () => {
    show({ loading: { done: 0, of: 0 } });
    try {
      const doc = await source.load(place.as, (loading) => show({ loading }), place.edition);
      render(null, waiting);
      waiting.remove();
      take(root, source, doc, place);
    } catch (trouble) {
      show({ trouble, again: ask });
    }
  };
  await ask();
}

/** Shows the viewer, and gives the focus back to the element that had it, if it is still there. */
function take(root, source, doc, place) {
  const focused = root.contains(document.activeElement) ? document.activeElement.id : "";
  const typed = focused === "at" || document.getElementById("keys")?.open;
  root.replaceChildren();
  render(html`<${Viewer} source=${source} doc=${doc} place=${place} />`, root);
  root.dataset.ready = "true";
  if (focused && !typed) document.getElementById(focused)?.focus({ preventScroll: true });
}

const root = document.getElementById("replay");
if (root) begin(root);
