// The buttons of the table on the page, for a phone that is paired.

import { post } from "./api.js";
import { el, say } from "./dom.js";
import { refuse, tell } from "./now.js";
import { losePairing } from "./pairing.js";
import { buttonWord, t } from "./words.js";

const WAYS = { north: "↑", west: "←", east: "→", south: "↓" };

// A hold takes the table two seconds: what is pressed meanwhile may wait for it, and no longer.
const LATEST_MS = 3000;

let holdOk = null;
let waiting = [];
let isSending = false;

// Presses go out one after the other, in the order of the fingers. What could not go out at once is
// forgotten rather than pressed when nobody thinks of it any more.
async function press(plain) {
  waiting.push({ plain, since: Date.now() });
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

// Whether the table has answered. If not, what was pressed after it may mean something else now.
async function send({ plain, since }) {
  const isLate = Date.now() - since > LATEST_MS;
  const answer = isLate ? { ok: false, status: 0 } : await post("/api/press", plain);
  if (answer.status === 0) tell(t("web.press_lost"));
  else if (answer.body && answer.body.error) refuse(answer.body.error, answer.body.refused_at);
  if (answer.status === 403) losePairing();
  return answer.ok;
}

// While the cardboard is compared, holding OK ends that.
export function drawPad(stage) {
  const isCompared = stage.startsWith("audit_") || ["square", "top", "join"].includes(stage);
  say(holdOk, isCompared ? t("web.leave_compare") : t("web.hold_ok"));
}

export function makePad(panel) {
  const button = (name, text, plain, label = null) =>
    el("button", { type: "button", class: `key ${name}`, "aria-label": label, click: () => press(plain) }, text);
  const cross = [
    button("back", t("web.back"), { button: "back" }),
    ...Object.entries(WAYS).map(([way, arrow]) => button(way, arrow, { button: way }, buttonWord(way))),
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
