// Keys: what the whole page listens to. A field that is being written in is left alone.

import { useEffect } from "../vendor/preact.js";

/** @param {import("./state.js").Table} table */
export function useKeys(table) {
  useEffect(() => {
    const pressed = (event) => {
      const { plan } = table;
      if (event.key === "Enter" && (event.ctrlKey || event.metaKey) && plan && plan.steps.length) {
        if (event.target.closest("dialog, form")) return;
        event.preventDefault();
        if (!plan.trouble) plan.send();
      }
      const busy = event.target.closest("input, textarea, select, dialog");
      if (busy || event.ctrlKey || event.metaKey || event.altKey) return;
      if (event.key === "t" && document.getElementById("tab-talk")) {
        event.preventDefault();
        document.getElementById("tab-talk").click();
        return requestAnimationFrame(() => {
          (document.getElementById("say") || document.getElementById("tab-talk")).focus();
        });
      }
      const to = { d: ".decide .choice", b: ".table-board [data-on][tabindex='0']" }[event.key];
      const found = to && document.querySelector(to);
      if (!found) return;
      event.preventDefault();
      found.focus();
    };
    addEventListener("keydown", pressed);
    return () => removeEventListener("keydown", pressed);
  }, [table]);
}
