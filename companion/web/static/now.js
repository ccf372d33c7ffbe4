// What to do now, what has just happened, why something was refused, and what is to be paid.

import { announce, el, find, say, sayList, svg } from "./dom.js";
import { speak } from "./speech.js";
import { swatches } from "./weave.js";
import { t } from "./words.js";

let known = {};
let saidAt = null;

export function drawNow(table) {
  say(find("title"), table.title);
  sayList(find("todo"), table.todo);
  sayList(find("news"), table.pairing ? [...table.news, table.pairing] : table.news);
  sayList(find("trouble"), table.trouble);
  if (table.sequence !== known.sequence || table.refused !== known.refused) {
    refuse(table.refused, table.refused_at);
  }
  known = table;
}

// A refusal stays until the table has something new to say. Each is said once, though it is heard
// twice: as the answer to a press, and with the table's news. `at` tells which one it is.
export function refuse(why, at) {
  if (why && at && at === saidAt) return;
  if (at !== undefined) saidAt = at;
  tell(why ? t("web.refused", { why }) : "", why);
}

export function tell(text, aloud = text) {
  const node = find("refused");
  node.hidden = !text;
  if (!text) {
    say(node, "");
    return;
  }
  announce(node, text);
  speak(aloud);
}

export function drawPayment(panel, payment, game) {
  panel.hidden = !payment || !payment.dirhams || !game; // of an empty purse nothing is paid
  if (panel.hidden) {
    panel.replaceChildren();
    return;
  }
  const [payer, owner] = [game.players[payment.payer], game.players[payment.owner]];
  const sum = payment.coins.join(" + ");
  panel.replaceChildren(
    el("h2", {}, t("web.payment")),
    el(
      "p",
      { class: "transfer" },
      party(payer),
      el("span", { class: "arrow", "aria-hidden": "true" }, "→"),
      party(owner),
      el("strong", { class: "amount" }, t("web.dirhams_of", { count: payment.dirhams })),
    ),
    el("p", { class: "coins" }, coins(payment.coins), el("span", { class: "sum" }, sum)),
    ...(payment.advice ? [el("p", { class: "advice" }, payment.advice)] : []),
  );
}

function party(player) {
  return el("span", { class: "party" }, swatches(player.colours), player.called);
}

function coins(values) {
  const pieces = values.map((value) =>
    svg(
      "svg",
      { viewBox: "0 0 48 48", class: value === 1 ? "coin small" : "coin" },
      svg("circle", { cx: 24, cy: 24, r: 22 }),
      svg("circle", { cx: 24, cy: 24, r: 17, class: "ring" }),
      svg("text", { x: 24, y: 25 }, String(value)),
    ),
  );
  return el("span", { "aria-hidden": "true", class: "purse" }, ...pieces);
}
