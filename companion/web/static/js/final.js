// The final count: money, halves and scores, with a chart of the scores.

import { get } from "./api.js";
import { drawChart } from "./chart.js";
import { el } from "./dom.js";
import { scoresOf } from "./history.js";
import { swatches } from "./rugs.js";
import { t } from "./words.js";

// An unfinished game has no winner.
export function countTable({ players, finished }) {
  const rows = players
    .slice()
    .sort((one, other) => one.rank - other.rank)
    .map((player) =>
      el(
        "tr",
        { class: finished && player.rank === 1 ? "winner" : "" },
        el("td", {}, player.out ? t("web.none") : String(player.rank)),
        el("th", { scope: "row" }, swatches(player.colours), " ", player.called),
        el("td", {}, String(player.dirhams)),
        el("td", {}, String(player.visible)),
        el("td", { class: "total" }, player.out ? t("web.out") : String(player.score)),
      ),
    );
  const heads = [t("web.rank"), t("web.player"), t("web.dirhams"), t("web.visible"), t("web.score")];
  return el(
    "table",
    { class: "count" },
    el("thead", {}, el("tr", {}, ...heads.map((text) => el("th", { scope: "col" }, text)))),
    el("tbody", {}, ...rows),
  );
}

let drawn = ""; // the position whose count is drawn
let charted = ""; // the position whose chart is drawn
let isLoading = false;

export async function drawFinal(panel, table) {
  const isOver = table.stage === "over" && table.game !== null;
  panel.hidden = !isOver;
  if (!isOver) {
    panel.replaceChildren();
    drawn = charted = "";
    return;
  }
  const { players, position } = table.game;
  if (drawn !== position) {
    drawn = position;
    charted = "";
    panel.replaceChildren(el("h2", {}, t("web.final")), countTable(table.game));
  }
  if (charted === position || isLoading) return;
  isLoading = true;
  const answer = await get("/api/history");
  isLoading = false;
  if (!answer.ok || !answer.body.moments.length || drawn !== position) return;
  charted = position;
  panel.append(drawChart(players, scoresOf(answer.body.moments)));
}
