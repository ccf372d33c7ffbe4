// The archive: the list of games, and one game with its count, chart and moments.

import { get } from "./api.js";
import { drawChart } from "./chart.js";
import { el } from "./dom.js";
import { countTable } from "./final.js";
import { makeReplay } from "./replay.js";
import { sharePicture } from "./share.js";
import { errorText, locale, t } from "./words.js";

export async function makeGames() {
  const answer = await get("/api/games");
  const heading = el("h2", {}, t("web.games"));
  if (!answer.ok) return { isLoaded: false, nodes: [heading, el("p", {}, errorText(answer))] };
  const { games } = answer.body;
  const list = games.length ? el("ul", { class: "games" }, ...games.map(drawRow)) : el("p", {}, t("web.games_none"));
  return { isLoaded: true, nodes: [heading, list] };
}

function drawRow(game) {
  if (!game.players.length) {
    return el("li", {}, el("div", { class: "damaged" }, el("strong", {}, t("web.game", { id: game.id })), damage(game)));
  }
  return el(
    "li",
    {},
    el(
      "a",
      { href: `#games/${game.id}` },
      el("strong", {}, outcome(game)),
      el("span", { class: "scores" }, ...game.players.flatMap(drawScore)),
      el("span", { class: "when" }, whenText(game)),
      damage(game),
    ),
  );
}

function drawScore({ called, score }, seat) {
  const shown = el("span", { class: "score" }, el("bdi", {}, called), ` ${score === null ? t("web.none") : score}`);
  return seat ? [" · ", shown] : [shown];
}

function outcome(game) {
  if (!game.finished) return t("web.unfinished");
  const winners = game.winners.map((seat) => game.players[seat].called);
  return t("web.won_by", { players: winners.join(" & ") });
}

function damage(game) {
  return game.damaged ? el("span", { class: "refused" }, game.damaged) : null;
}

// Date and time as at the table, independent of the phone's time zone.
function whenText(game) {
  const [, year, month, day, hour, minute] = /^(\d+)-(\d+)-(\d+)T(\d+):(\d+)/.exec(game.begun || "") || [];
  const parts = [t("web.game", { id: game.id })];
  if (year) {
    const when = new Date(year, month - 1, day, hour, minute);
    parts.push(new Intl.DateTimeFormat(locale(), { dateStyle: "medium", timeStyle: "short" }).format(when));
  }
  if (game.simulated) parts.push(t("web.simulated_game"));
  return parts.join(" · ");
}

export async function makeGame(id) {
  const url = `/api/games/${encodeURIComponent(id)}`;
  const answer = await get(url);
  const back = el("p", {}, el("a", { href: "#games" }, t("web.all_games")));
  if (!answer.ok) return { isLoaded: false, nodes: [back, el("p", {}, errorText(answer))] };
  const game = answer.body;
  const link = (name, text) => el("a", { class: "action", href: `${url}/${name}`, download: `marrakech-${id}-${name}` }, text);
  const about = el(
    "div",
    {},
    el("h2", {}, outcome(game)),
    el("p", { class: "when" }, whenText(game)),
    damage(game),
    ...(game.moments.length ? [countTable(game), drawChart(game.players, game.scores.map((row) => row.scores))] : []),
    // A part of a game must not be downloaded as a whole one.
    game.damaged
      ? null
      : el(
          "p",
          { class: "actions" },
          link("record.txt", t("web.record")),
          link("table.png", t("web.picture")),
          link("table.svg", t("web.drawing")),
          sharePicture(`${url}/table.png`, `marrakech-${id}.png`),
        ),
    ...(game.moments.length
      ? [el("h3", {}, t("web.history")), makeReplay(game.moments, (number) => `${url}/moments/${number}`).node]
      : []),
  );
  return { isLoaded: true, nodes: [back, about] };
}
