// The table as it changes. A link that is lost is said to be lost, and looked for again by itself:
// soon at first, then less and less often, and at once when the phone wakes up.

import { get } from "./api.js";

const SOONEST_MS = 1000;
const LATEST_MS = 30000;
const SILENCE_MS = 40000;

// hear: {table(shown), gone(), lost()}. `table` is what /api/table tells, `gone` that the companion
// answers but the table does not, `lost` that nobody answers.
export function watchTable(hear) {
  let source = null;
  let timer = null;
  let wait = SOONEST_MS;
  let heard = Date.now();
  let sequence = null;

  function open() {
    clearTimeout(timer);
    timer = null;
    if (source) source.close();
    source = new EventSource("/api/events");
    source.addEventListener("table", (event) => {
      wait = SOONEST_MS;
      heard = Date.now();
      const shown = JSON.parse(event.data);
      sequence = shown.table.sequence;
      hear.table(shown);
    });
    source.addEventListener("gone", () => {
      heard = Date.now();
      hear.gone();
    });
    source.addEventListener("error", lose);
  }

  // EventSource would try again by itself, but not after every kind of error.
  function lose() {
    source.close();
    hear.lost();
    if (timer !== null) return;
    timer = setTimeout(open, wait);
    wait = Math.min(wait * 2, LATEST_MS);
  }

  // A phone that walks out of the house is not told so: after a silence, somebody asks. Whoever is
  // answered with news that the stream did not bring has a stream that is dead.
  async function check() {
    if (timer !== null || Date.now() - heard < SILENCE_MS) return;
    heard = Date.now();
    const answer = await get("/api/table");
    if (answer.status === 0) lose();
    else if (answer.ok && answer.body.table.sequence !== sequence) open();
  }

  function wake() {
    if (document.visibilityState === "visible" && (timer !== null || Date.now() - heard > SILENCE_MS)) {
      wait = SOONEST_MS;
      heard = Date.now();
      open();
    }
  }

  document.addEventListener("visibilitychange", wake);
  window.addEventListener("online", wake);
  window.addEventListener("offline", lose);
  setInterval(check, SILENCE_MS / 4);
  open();
  // Someone who was just paired has another cookie, and the stream does not know.
  return { renew: open };
}
