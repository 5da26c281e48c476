// The table: begins with what the page says, and draws over it.

import { html, render } from "../vendor/preact.js";
import { App } from "./app.js";
import { Table } from "./state.js";

const root = document.getElementById("table");
if (root) {
  const said = root.dataset;
  const table = new Table({
    match: said.match,
    title: said.title,
    game: said.game,
    ruleset: said.ruleset,
    as: said.as,
    me: said.me,
    name: said.name,
    host: said.host === "yes",
    ordered: said.ordered === "yes",
    csrf: said.csrf,
    mark: said.mark,
  });
  root.replaceChildren();
  render(html`<${App} table=${table} />`, root);
  table.start();
}
