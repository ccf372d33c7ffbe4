// The final count: money and halves make the score, and how the scores came about.

import { get } from "./api.js";
import { drawChart } from "./chart.js";
import { el } from "./dom.js";
import { scoresOf } from "./history.js";
import { swatches } from "./weave.js";
import { t } from "./words.js";

export function countTable(players) {
  const rows = players
    .slice()
    .sort((one, other) => one.rank - other.rank)
    .map((player) =>
      el(
        "tr",
        { class: player.rank === 1 ? "winner" : "" },
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

let drawn = "";

export async function drawFinal(panel, table) {
  const isOver = table.stage === "over" && table.game !== null;
  panel.hidden = !isOver;
  if (!isOver) {
    panel.replaceChildren();
    drawn = "";
    return;
  }
  if (drawn === table.game.position) return;
  drawn = table.game.position;
  const { players } = table.game;
  panel.replaceChildren(el("h2", {}, t("web.final")), countTable(players));
  const answer = await get("/api/history");
  if (answer.ok && answer.body.moments.length && drawn === table.game.position) {
    panel.append(drawChart(players, scoresOf(answer.body.moments)));
  }
}
