// Watches the table by server-sent events. Reconnects by itself: after a second at first, then with
// growing delays, and at once when the phone wakes up.

import { get } from "./api.js";

const FIRST_RETRY_MS = 1000;
const LAST_RETRY_MS = 30000;
const SILENCE_MS = 40000;

// handlers: {table(shown), gone(), lost()}. `table` gets the data of /api/table, `gone` means that the
// companion answers without a table, `lost` that the companion does not answer.
export function watchTable(handlers) {
  let source = null;
  let timer = null;
  let delay = FIRST_RETRY_MS;
  let lastEventMs = Date.now();
  let sequence = null;

  function open() {
    clearTimeout(timer);
    timer = null;
    if (source) source.close();
    source = new EventSource("/api/events");
    source.addEventListener("table", (event) => {
      delay = FIRST_RETRY_MS;
      lastEventMs = Date.now();
      const shown = JSON.parse(event.data);
      sequence = shown.table.sequence;
      handlers.table(shown);
    });
    source.addEventListener("gone", () => {
      lastEventMs = Date.now();
      handlers.gone();
    });
    source.addEventListener("error", onLost);
  }

  // EventSource does not reconnect after every kind of error.
  function onLost() {
    source.close();
    handlers.lost();
    if (timer !== null) return;
    timer = setTimeout(open, delay);
    delay = Math.min(delay * 2, LAST_RETRY_MS);
  }

  // A dead connection gives no error. So after a silence, poll the table: if it has changed without an
  // event, the stream is dead.
  async function check() {
    if (timer !== null || Date.now() - lastEventMs < SILENCE_MS) return;
    lastEventMs = Date.now();
    const answer = await get("/api/table");
    if (answer.status === 0) onLost();
    else if (answer.ok && answer.body.table.sequence !== sequence) open();
  }

  function wake() {
    if (document.visibilityState === "visible" && (timer !== null || Date.now() - lastEventMs > SILENCE_MS)) {
      delay = FIRST_RETRY_MS;
      lastEventMs = Date.now();
      open();
    }
  }

  document.addEventListener("visibilitychange", wake);
  window.addEventListener("online", wake);
  window.addEventListener("offline", onLost);
  setInterval(check, SILENCE_MS / 4);
  open();
  // After pairing, the stream must be reopened with the new cookie.
  return { reconnect: open };
}
