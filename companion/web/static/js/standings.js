// All-time standings.

import { get } from "./api.js";
import { el } from "./dom.js";
import { decimal, errorText, t } from "./words.js";

export async function makeStandings() {
  const answer = await get("/api/standings");
  const heading = el("h2", {}, t("web.standings"));
  if (!answer.ok) return { isLoaded: false, nodes: [heading, el("p", {}, errorText(answer))] };
  const rows = answer.body.standings;
  if (!rows.length) return { isLoaded: true, nodes: [heading, el("p", {}, t("web.standings_none"))] };
  const heads = [t("web.player"), t("web.games_played"), t("web.wins"), t("web.average"), t("web.best")];
  const nodes = [
    heading,
    ...(rows.some((row) => row.simulated) ? [el("p", {}, t("web.standings_simulated"))] : []),
    el(
      "table",
      { class: "count" },
      el("thead", {}, el("tr", {}, ...heads.map((text) => el("th", { scope: "col" }, text)))),
      el("tbody", {}, ...rows.map(drawRow)),
    ),
  ];
  return { isLoaded: true, nodes };
}

function drawRow(row) {
  const average = row.average === null ? null : decimal(row.average, 1);
  const cells = [row.games, row.wins, average, row.best].map((value) =>
    el("td", {}, value === null ? t("web.none") : String(value)),
  );
  const mark = row.simulated ? el("span", { class: "mark" }, t("web.simulated_game")) : null;
  return el("tr", {}, el("th", { scope: "row" }, row.name, mark && " ", mark), ...cells);
}
