// Keys for the replay. The page works without this: every key has its link or button.
"use strict";
(() => {
  const dialog = document.getElementById("keys");
  let leaving = false;

  const controlOf = (key) =>
    [...document.querySelectorAll("[aria-keyshortcuts]")].find(
      (control) => control.getAttribute("aria-keyshortcuts") === key,
    );

  const isTyping = (target) =>
    target instanceof Element &&
    target.closest("input, textarea, select, [contenteditable]") !== null;

  document.addEventListener("keydown", (event) => {
    if (event.defaultPrevented || event.ctrlKey || event.altKey || event.metaKey) return;
    if (isTyping(event.target) || dialog.open) return;
    const control = controlOf(event.key);
    if (!control) return;
    event.preventDefault();
    // A key held down asks again before the next page is there.
    if (!leaving) control.click();
  });

  // The log scrolls by itself, the page does not.
  const log = document.getElementById("log");
  const current = log.querySelector("[aria-current]");
  if (current) log.scrollTop = current.offsetTop - (log.clientHeight - current.clientHeight) / 2;

  document.getElementById("help").addEventListener("click", (event) => {
    event.preventDefault();
    dialog.showModal();
  });
  document.getElementById("close-keys").addEventListener("click", (event) => {
    if (!dialog.open) return; // shown by its address alone, and closed by another one
    event.preventDefault();
    dialog.close();
  });

  // Who steps by a link finds the focus on the same link of the next page.
  const FOCUS = "hegemon-focus";
  for (const link of document.querySelectorAll("#steps a[href], #viewpoints a[href]")) {
    link.addEventListener("click", () => {
      leaving = link.id !== "help";
      if (document.activeElement === link) sessionStorage.setItem(FOCUS, link.id);
    });
  }
  const focused = sessionStorage.getItem(FOCUS);
  sessionStorage.removeItem(FOCUS);
  if (focused) document.getElementById(focused)?.focus({ preventScroll: true });
  window.addEventListener("pageshow", () => {
    leaving = false;
  });
})();
