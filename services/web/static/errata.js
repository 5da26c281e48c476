// Shows a run's progress while its page is open. Without this script the page reloads itself.

const ASKED_EVERY_MS = 1000;
const PATIENCE_MS = 15000; // after an answer that was none

/**
 * Ask how far the run is, say it, and show the table when there is one.
 */
async function follow(section) {
  const bar = document.getElementById("far");
  const words = document.getElementById("far-words");
  for (;;) {
    let wait = ASKED_EVERY_MS;
    try {
      const answer = await fetch(`/api/v1/reprojections/${section.dataset.run}`);
      if (!answer.ok) throw new Error(String(answer.status));
      const far = await answer.json();
      if (far.state === "done" || far.state === "failed") {
        location.reload();
        return;
      }
      bar.value = far.done;
      const said = `${far.done} of ${far.of} matches${far.state === "queued" ? "; waiting for a worker" : ""}.`;
      if (words.textContent !== said) words.textContent = said;
    } catch {
      wait = PATIENCE_MS;
    }
    await new Promise((done) => setTimeout(done, wait));
  }
}

const section = document.getElementById("run");
if (section) follow(section);
