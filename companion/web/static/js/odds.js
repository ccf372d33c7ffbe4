// The odds before a roll: squares and tribute by direction and pips, and the average tribute.

import { el } from "./dom.js";
import { swatch } from "./rugs.js";
import { buttonName, colourName, decimal, t } from "./words.js";

const ARROWS = { north: "↑", east: "→", south: "↓", west: "←" };

// The position also has odds during an audit, BACK or a pause, when no roll is next.
const STAGES = ["orient", "roll", "pivot"];

export function drawOdds(panel, odds, { stage, game }) {
  panel.hidden = !odds || !game || !STAGES.includes(stage);
  if (panel.hidden) {
    panel.replaceChildren();
    return;
  }
  const [first] = Object.values(odds);
  const heads = first.pips.map(({ pips, faces }) =>
    el("th", { scope: "col" }, String(pips), el("small", {}, t("web.faces", { count: faces }))),
  );
  const rows = Object.entries(odds).map(([facing, row]) => drawRow(facing, row, game.assam.facing));
  panel.replaceChildren(
    el("h2", {}, t("web.odds")),
    el("p", { class: "hint" }, t("web.odds_hint")),
    el(
      "table",
      {},
      el("thead", {}, el("tr", {}, el("th", { scope: "col" }, el("span", { class: "way visually-hidden if-roomy" }, t("web.way"))), ...heads, el("th", { scope: "col" }, t("web.expected")))),
      el("tbody", {}, ...rows),
    ),
  );
}

function drawRow(facing, row, current) {
  const cells = row.pips.map(drawCell);
  return el(
    "tr",
    { class: facing === current ? "current" : "" },
    el("th", { scope: "row" }, el("span", { "aria-hidden": "true" }, ARROWS[facing]), el("span", { class: "way visually-hidden if-roomy" }, buttonName(facing))),
    ...cells,
    el("td", { class: "expected" }, decimal(row.expected_number, 2)),
  );
}

function drawCell(one) {
  const price = one.dirhams
    ? el("span", { class: one.short ? "price short" : "price" }, String(one.dirhams), swatch(one.owner), el("span", { class: "visually-hidden" }, colourName(one.owner)))
    : el("span", { class: "price free" }, t("web.free"));
  return el("td", {}, price, el("small", {}, one.square));
}
