// Prompts, news, refusals, troubles, and the payment due.

import { announce, el, find, setList, setText, svg } from "./dom.js";
import { swatches } from "./rugs.js";
import { speak } from "./speech.js";
import { t } from "./words.js";

let lastTable = {};
let shownRefusal = null;

export function drawPrompts(table) {
  setText(find("title"), table.title);
  setList(find("todo"), table.todo);
  setList(find("news"), table.pairing ? [...table.news, table.pairing] : table.news);
  setList(find("trouble"), table.trouble);
  if (table.sequence !== lastTable.sequence || table.refused !== lastTable.refused) {
    showRefusal(table.refused, table.refused_at);
  }
  lastTable = table;
}

// A refusal stays until the table changes. It comes twice, in the answer to a press and in the snapshot,
// and is announced once: `refusedAt` identifies it.
export function showRefusal(why, refusedAt) {
  if (why && refusedAt && refusedAt === shownRefusal) return;
  if (refusedAt !== undefined) shownRefusal = refusedAt;
  showNotice(why ? t("web.refused", { why }) : "", why);
}

export function showNotice(text, spoken = text) {
  const node = find("refused");
  node.hidden = !text;
  if (!text) {
    setText(node, "");
    return;
  }
  announce(node, text);
  speak(spoken);
}

export function drawPayment(panel, payment, game) {
  panel.hidden = !payment || !payment.dirhams || !game; // a player without money pays nothing
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
