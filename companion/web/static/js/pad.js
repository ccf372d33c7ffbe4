// The pad: the table's buttons, for a paired phone.

import { post } from "./api.js";
import { el, setText } from "./dom.js";
import { onPairingLost } from "./pairing.js";
import { showNotice, showRefusal } from "./prompts.js";
import { buttonName, t } from "./words.js";

const DIRECTIONS = { north: "↑", west: "←", east: "→", south: "↓" };

// A hold takes two seconds. Presses may wait for it, but not longer.
const MAX_DELAY_MS = 3000;

let holdOk = null;
let waiting = [];
let isSending = false;

// Sends presses one at a time, in order. A press that waited too long is dropped: the player may not
// expect it any more.
async function press(body) {
  waiting.push({ body, since: Date.now() });
  if (isSending) return;
  isSending = true;
  try {
    while (waiting.length > 0) {
      if (!(await send(waiting.shift()))) waiting = [];
    }
  } finally {
    isSending = false;
  }
}

// Returns whether the table answered. If not, later presses may mean something else now.
async function send({ body, since }) {
  const isLate = Date.now() - since > MAX_DELAY_MS;
  const answer = isLate ? { ok: false, status: 0 } : await post("/api/press", body);
  if (answer.status === 0) showNotice(t("web.press_lost"));
  else if (answer.body && answer.body.error) showRefusal(answer.body.error, answer.body.refused_at);
  if (answer.status === 403) onPairingLost();
  return answer.ok;
}

// In an audit, holding OK ends it.
export function drawPad(stage) {
  const isAudit = stage.startsWith("audit_") || ["square", "top", "join"].includes(stage);
  setText(holdOk, isAudit ? t("web.leave_compare") : t("web.hold_ok"));
}

export function makePad(panel) {
  const button = (name, text, body, label = null) =>
    el("button", { type: "button", class: `key ${name}`, "aria-label": label, click: () => press(body) }, text);
  const cross = [
    button("back", t("web.back"), { button: "back" }),
    ...Object.entries(DIRECTIONS).map(([direction, arrow]) => button(direction, arrow, { button: direction }, buttonName(direction))),
    button("ok", t("web.ok"), { button: "ok" }),
  ];
  const die = [1, 2, 3, 4].map((pips) => button("pips", String(pips), { die: pips }, t("web.die_shows", { pips })));
  holdOk = button("hold", t("web.hold_ok"), { button: "ok", hold: true });
  const holdBack = button("hold", t("web.hold_back"), { button: "back", hold: true });
  panel.replaceChildren(
    el("h2", {}, t("web.buttons")),
    el(
      "div",
      { class: "keys" },
      el("div", { class: "cross" }, ...cross),
      el(
        "div",
        { class: "die", role: "group", "aria-label": t("web.die") },
        ...die,
        button("roll", t("web.roll"), { roll: true }),
      ),
      el("div", { class: "holds" }, holdOk, holdBack),
    ),
  );
}
