// The script of a replay in one file: it shows the replay at once, and proves it meanwhile.
import { html, render } from "../vendor/preact.js";
import { EmbeddedSource } from "../replay/source.js";
import { Viewer } from "../replay/viewer.js";
import { showLine, showProof } from "./badge.js";
import { jsonPart, part } from "./parts.js";
import { cannot, prove } from "./proof.js";

async function begin() {
  const [badge, root] = ["proof", "replay"].map((id) => document.getElementById(id));
  if (!globalThis.DecompressionStream) {
    showLine(badge, "unknown", "This browser is too old to open this file: one of 2023 or later is needed.");
    return;
  }
  showLine(badge, "busy", "Checking the chain…");
  try {
    const packed = await part("hegemon-replay");
    const replay = JSON.parse(new TextDecoder("utf-8", { fatal: true }).decode(packed));
    const trouble = shown(root, replay);
    const why = cannot();
    if (why) {
      showLine(badge, "unknown", `Not checked. ${why}`);
      return;
    }
    const bundle = await part("hegemon-bundle");
    const proof = await prove(bundle, packed, replay, await jsonPart("hegemon-seals"));
    if (trouble) proof.findings.push({ n: null, why: `it cannot be drawn: ${trouble}` });
    showProof(badge, proof, replay, saving(bundle, replay));
  } catch (reason) {
    showLine(badge, "wrong", `This file is not valid: ${reason.message}`);
  }
}

/** Draw it; why that cannot be done, which is no reason to look no further. */
function shown(root, replay) {
  try {
    const source = new EmbeddedSource([replay]);
    root.replaceChildren();
    render(html`<${Viewer} source=${source} doc=${replay} place=${source.address.read()} />`, root);
    return "";
  } catch (reason) {
    return reason.message;
  }
}

/** A button that gives the bundle away as a file of its own. */
function saving(bundle, replay) {
  const button = document.createElement("button");
  button.className = "button";
  button.type = "button";
  button.textContent = "Save the bundle to check it elsewhere";
  button.addEventListener("click", () => {
    const link = document.createElement("a");
    link.href = URL.createObjectURL(new Blob([bundle]));
    link.download = `${replay.match}.hgm`;
    link.click();
    setTimeout(() => URL.revokeObjectURL(link.href), 1000);
  });
  const line = document.createElement("p");
  line.append(button);
  return line;
}

begin();
