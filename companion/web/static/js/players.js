// The players: money, rugs, score, and whose turn it is.

import { el } from "./dom.js";
import { swatch, swatches } from "./rugs.js";
import { colourName, t } from "./words.js";

export function drawPlayers(list, game) {
  list.hidden = !game;
  list.replaceChildren(...(game ? game.players.map((player) => drawPlayer(player)) : []));
}

function drawPlayer(player) {
  const state = player.out ? "player out" : player.to_play ? "player to-play" : "player";
  return el(
    "li",
    { class: state, "data-colour": player.colours[0] },
    el("h3", {}, who(player), remark(player)),
    el(
      "dl",
      {},
      figure(t("web.dirhams"), player.dirhams, "dirhams"),
      figure(t("web.visible"), player.visible, "visible"),
      figure(t("web.score"), player.score === null ? t("web.none") : player.score, "score"),
      piles(player),
    ),
  );
}

// A long name wraps beside its colours.
function who({ colours, called }) {
  return el("span", { class: "who" }, swatches(colours), el("span", { class: "called" }, called));
}

function remark(player) {
  if (player.out) return el("span", { class: "remark" }, t("web.out"));
  return player.to_play ? el("span", { class: "remark" }, t("web.to_play")) : null;
}

function figure(name, value, kind) {
  return el("div", { class: kind }, el("dt", {}, name), el("dd", {}, String(value)));
}

// One pile, or one per colour with two players.
function piles(player) {
  const rugs = Object.entries(player.rugs);
  const values = rugs.map(([colour, left]) =>
    el(
      "dd",
      {},
      String(left),
      ...(rugs.length > 1 ? [swatch(colour), el("span", { class: "visually-hidden" }, colourName(colour))] : []),
    ),
  );
  return el("div", { class: "rugs" }, el("dt", {}, t("web.rugs_left")), ...values);
}
