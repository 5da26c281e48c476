// The badge: what the proof says, in one line, and all of it for whoever opens it.

const SHOWN = 5; // findings
const HEAD_SHOWN = 12;
const MARKS = { busy: "…", right: "✓", wrong: "✗", unknown: "?" };

function element(name, text = "", given = {}) {
  const made = document.createElement(name);
  made.textContent = text;
  for (const [key, value] of Object.entries(given)) made.setAttribute(key, value);
  return made;
}

/** Show how it stands: `busy`, `right`, `wrong` or `unknown`, in one line. */
export function showLine(root, state, line) {
  root.dataset.state = state;
  const summary = root.querySelector("summary");
  const mark = element("span", MARKS[state], { class: "proof-mark", "aria-hidden": "true" });
  summary.replaceChildren(mark, element("span", line, { role: "status" }));
}

/** Show what was found out. */
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
    box.append(element("p", "Checked just now, in this browser, by code that shares nothing with the program "
      + "that wrote the file: each head covers its event and all before it; what is opened is what was "
      + "committed to; number, time and seat of each event, who handed it in, what it follows on and what "
      + `was undone are told as the log has them; so are the facts of ${opened} of ${opened + closed} events `
      + "that have any."));
  }
  const not = ["whether decisions were legal and dice fell as their keys say (hegemon verify does, of the "
    + "bundle that is in here)", "whether sentences, boards and curves are what the rules make of those facts: "
    + "a seal shows what was changed in them carelessly, not what was changed together with its seal "
    + "(hegemon replay makes this file anew)", "whether the whole log was made anew from its beginning: "
    + "compare the head with one that was written down elsewhere"];
  if (closed && replay.played) not.splice(1, 0, "facts that are not open to this viewpoint");
  if (!replay.played) not.splice(1, 0, "any fact: this is the match under another edition of its rules");
  box.append(element("p", `Not checked here: ${not.join("; ")}.`));
  return box;
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

/** Through whose eyes a replay is seen, in words. */
export function viewpoint(replay) {
  const found = replay.viewpoints.find((one) => one.as === replay.as);
  if (found?.seat === null || !found) return replay.as === "all" ? "all seats" : "a spectator";
  return `${found.name} (seat ${found.seat})`;
}
