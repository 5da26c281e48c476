// Small helps for the pages of the site. Each page works without them.

/**
 * Buttons that copy: the words of `data-words`, or of the element that `data-copies` names.
 */
function copyButtons() {
  if (!navigator.clipboard) return; // a page that did not come by https or from this machine
  for (const button of document.querySelectorAll("button[data-words], button[data-copies]")) {
    const unseen = button.querySelector(".unseen");
    button.hidden = false;
    button.addEventListener("click", async () => {
      const words = button.dataset.words ?? document.getElementById(button.dataset.copies).textContent;
      await navigator.clipboard.writeText(words);
      button.firstChild.textContent = "Copied";
      if (unseen) unseen.setAttribute("role", "status");
      setTimeout(() => {
        button.firstChild.textContent = "Copy";
      }, 2500);
    });
  }
}

/**
 * Times in the time zone of who looks; the page itself says them in UTC.
 */
function ownTimes() {
  const said = new Intl.DateTimeFormat(undefined, { dateStyle: "medium", timeStyle: "short" });
  for (const time of document.querySelectorAll("time[datetime]")) {
    const when = new Date(time.dateTime);
    if (Number.isNaN(when.getTime())) continue;
    time.title = time.textContent;
    time.textContent = said.format(when);
  }
}

/**
 * Filters that send themselves once something else is chosen.
 */
function eagerFilters() {
  for (const form of document.querySelectorAll("form[data-sends-itself]")) {
    form.addEventListener("change", () => form.requestSubmit());
  }
}

/**
 * A button of a form sends it once, however often it is pressed.
 */
function sendOnce() {
  document.addEventListener("submit", (event) => {
    const form = event.target;
    if (form.method !== "post") return;
    if (form.dataset.sent) event.preventDefault();
    form.dataset.sent = "yes";
  });
  window.addEventListener("pageshow", () => {
    for (const form of document.querySelectorAll("form[data-sent]")) delete form.dataset.sent;
  });
}

const ASKED_EVERY_MS = 4000;

/**
 * A match's page is read again when somebody has sat down, it has begun or ended, or it has become
 * one's turn; not while somebody is typing there.
 */
function watchTheMatch() {
  const address = document.querySelector('meta[name="hegemon-waits"]')?.content;
  if (!address) return;
  const looksLike = ({ state, seats, result, yours, asked }) =>
    JSON.stringify([state, seats, result, yours.filter((seat) => asked.includes(seat))]);
  let known = null;
  const isBusy = () =>
    document.querySelector("details[open] form, .said-note .shown") !== null ||
    document.activeElement?.matches("input, select, textarea");
  const ask = async () => {
    if (document.visibilityState === "visible") {
      try {
        const answer = await fetch(address, { headers: { Accept: "application/json" } });
        if (answer.ok) {
          const now = looksLike(await answer.json());
          if (known !== null && now !== known && !isBusy()) {
            location.reload();
            return;
          }
          known ??= now;
        }
      } catch {
        // The server is gone for a while; it is asked again.
      }
    }
    setTimeout(ask, ASKED_EVERY_MS);
  };
  ask();
}

copyButtons();
ownTimes();
eagerFilters();
sendOnce();
watchTheMatch();
