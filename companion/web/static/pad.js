// The buttons of the table on the page, for a phone that is paired.

import { post } from "./api.js";
import { el } from "./dom.js";
import { refuse } from "./now.js";
import { buttonWord, t } from "./words.js";

const WAYS = { north: "↑", west: "←", east: "→", south: "↓" };

let queue = Promise.resolve();

// Presses go out one after the other, in the order of the fingers.
function press(plain) {
  queue = queue.then(async () => {
    const answer = await post("/api/press", plain);
    if (answer.status === 0) refuse(t("web.press_lost"));
    else if (answer.body && answer.body.error) refuse(answer.body.error);
  });
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
  const holds = [
    button("hold", t("web.hold_ok"), { button: "ok", hold: true }),
    button("hold", t("web.hold_back"), { button: "back", hold: true }),
  ];
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
      el("div", { class: "holds" }, ...holds),
    ),
  );
}
