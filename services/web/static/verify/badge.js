// The badge shows the result of the proof in one line, and all of it when it is opened.

const SHOWN = 5; // findings
const HEAD_SHOWN = 12;
const MARKS = { busy: "…", right: "✓", wrong: "✗", unknown: "?" };

function element(name, text = "", given = {}) {
  const made = document.createElement(name);
  made.textContent = text;
  for (const [key, value] of Object.entries(given)) made.setAttribute(key, value);
  return made;
}

/** Shows the state (`busy`, `right`, `wrong` or `unknown`) and one line of text. */
export function showLine(root, state, line) {
  root.dataset.state = state;
  const summary = root.querySelector("summary");
  const mark = element("span", MARKS[state], { class: "proof-mark", "aria-hidden": "true" });
  summary.replaceChildren(mark, element("span", line, { role: "status" }));
}

/** Shows the findings, what was checked, and the figures. */
export function showProof(root, proof, replay, save) {
  const { report, findings } = proof;
  const first = findings[0];
  if (first) showLine(root, "wrong", `This file is not valid: ${words(first)}`);
  else {
    const head = report.head.slice(0, HEAD_SHOWN);
    showLine(root, "right", `Chain verified: ${report.events} events, head ${head}…`);
  }
  root.querySelector(".proof-all").replaceChildren(
    ...findings.length ? [listed(findings, replay)] : [],
    checked(proof, replay),
    figures(proof, replay),
    save,
  );
  if (first) root.open = true;
}

function words({ n, why }) {
  return n === null ? why : `event ${n}, ${why}`;
}

function listed(findings, replay) {
  const list = element("ul", "", { class: "proof-findings" });
  for (const one of findings.slice(0, SHOWN)) {
    const item = element("li", one.n === null ? one.why : "");
    if (one.n !== null) {
      const link = element("a", `Event ${one.n}`, { href: `#at=${one.n}&as=${replay.as}` });
      item.append(link, `: ${one.why}`);
    }
    list.append(item);
  }
  const more = findings.length - SHOWN;
  if (more > 0) list.append(element("li", `and ${more} more`));
  return list;
}

function checked({ opened, closed, findings }, replay) {
  const box = element("div");
  if (!findings.length) {
    box.append(
      element("p", "Checked just now, in this browser. The checks share no code with the program that "
        + "wrote this file."),
      points([
        "Each head covers its event and all before it.",
        "Each opened value is the one that was committed to.",
        "Number, time, seat and submitter of each event are as in the log. So are its parent and what was undone.",
        `So are the facts of ${opened} of ${opened + closed} events that have any.`,
      ]),
    );
  }
  box.append(element("p", "Not checked here:"), points([
    "Whether decisions were legal and dice fell as their keys say. hegemon verify checks this, from the bundle "
      + "in this file.",
    ...replay.played ? [] : ["Any fact: this is the match under another edition of its rules."],
    ...closed && replay.played ? ["Facts that this viewpoint may not see."] : [],
    "Whether sentences, boards and curves follow from the facts. The seal shows a careless change. It does not "
      + "show a change that was made together with its seal. hegemon replay makes this file anew.",
    "Whether the whole log was replaced from its beginning. Compare the head with one that was written down "
      + "elsewhere.",
  ]));
  return box;
}

function points(sentences) {
  const list = element("ul", "", { class: "proof-findings" });
  list.append(...sentences.map((sentence) => element("li", sentence)));
  return list;
}

function figures({ report, fingerprint }, replay) {
  const list = element("dl", "", { class: "facts" });
  const rows = [["Match", report.match], ["Head", report.head], ["Seen by", viewpoint(replay)],
    ["Edition", replay.edition + (replay.played ? ", as it was played" : ", under which it was not played")],
    ["This replay", `SHA-256 ${fingerprint}`]];
  for (const [name, value] of rows) {
    const row = element("div");
    row.append(element("dt", name), element("dd", value));
    list.append(row);
  }
  return list;
}

/** Returns the viewpoint of a replay, in words. */
export function viewpoint(replay) {
  const found = replay.viewpoints.find((one) => one.as === replay.as);
  if (found?.seat === null || !found) return replay.as === "all" ? "all seats" : "a spectator";
  return `${found.name} (seat ${found.seat})`;
}
