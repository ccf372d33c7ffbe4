// Before the roll: where one to four pips lead in each direction, and what that costs on average.

import { el } from "./dom.js";
import { swatch } from "./weave.js";
import { buttonWord, colourWord, decimal, t } from "./words.js";

const PIPS = [1, 2, 3, 4];
const FACES = { 1: 1, 2: 2, 3: 2, 4: 1 };
const ARROWS = { north: "↑", east: "→", south: "↓", west: "←" };

export function drawOdds(panel, odds, game) {
  panel.hidden = !odds || !game;
  if (panel.hidden) {
    panel.replaceChildren();
    return;
  }
  const heads = PIPS.map((pips) =>
    el("th", { scope: "col" }, String(pips), el("small", {}, t("web.faces", { count: FACES[pips] }))),
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
  const cells = PIPS.map((pips) => drawCell(row.pips.find((one) => one.pips === pips)));
  return el(
    "tr",
    { class: facing === current ? "current" : "" },
    el("th", { scope: "row" }, el("span", { "aria-hidden": "true" }, ARROWS[facing]), el("span", { class: "way visually-hidden if-roomy" }, buttonWord(facing))),
    ...cells,
    el("td", { class: "expected" }, decimal(row.expected_number, 2)),
  );
}

function drawCell(one) {
  const price = one.dirhams
    ? el("span", { class: one.short ? "price short" : "price" }, String(one.dirhams), swatch(one.owner), el("span", { class: "visually-hidden" }, colourWord(one.owner)))
    : el("span", { class: "price free" }, t("web.free"));
  return el("td", {}, price, el("small", {}, one.square));
}
