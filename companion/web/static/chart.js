// Scores over a game, as lines: each player's colour, each with dashes of its own, named at its end.

import { svg } from "./dom.js";
import { apart, joined, t } from "./words.js";

const WIDTH = 420;
const HEIGHT = 260;
const GAP = 8;
const EDGE = { left: 34, right: 112, top: 14, bottom: 36 };

// players: as a game has them; series: for each moment the scores in seating order, null for who is out.
export function drawChart(players, series) {
  const most = Math.max(10, ...series.map((scores) => Math.max(...scores.map((score) => score || 0))));
  const top = Math.ceil(most / 10) * 10;
  const across = WIDTH - EDGE.left - EDGE.right;
  const x = (index) => EDGE.left + (series.length > 1 ? (index / (series.length - 1)) * across : 0);
  const y = (score) => HEIGHT - EDGE.bottom - (score / top) * (HEIGHT - EDGE.top - EDGE.bottom);
  const last = series[series.length - 1] || [];
  const ends = players.map((player, seat) => ({ player, score: last[seat] }));
  const told = ends.map(({ player, score }) => t("web.chart_end", { player: player.called, score: shown(score) }));
  const labels = ends.sort((one, other) => (other.score || 0) - (one.score || 0)).map(makeLabel);
  const chart = svg(
    "svg",
    {
      viewBox: `0 0 ${WIDTH} ${HEIGHT}`,
      class: "chart",
      role: "img",
      "aria-label": joined([t("web.chart"), ...told]),
    },
    ...grid(top, y),
    svg("text", { x: EDGE.left + across / 2, y: HEIGHT - 8, class: "axis" }, t("web.chart_time")),
    ...players.map((player, seat) => line(player, seat, series, x, y)),
    ...labels.map(({ node }) => node),
  );
  document.body.append(chart); // letters are measured as they are drawn
  labels.forEach(shorten);
  setApart(labels, y);
  chart.remove();
  return chart;
}

function shown(score) {
  return score === null || score === undefined ? t("web.none") : score;
}

function grid(top, y) {
  const marks = [];
  for (let score = 0; score <= top; score += top > 50 ? 20 : 10) {
    marks.push(
      svg("path", { d: `M ${EDGE.left} ${y(score)} H ${WIDTH - EDGE.right}`, class: "grid" }),
      svg("text", { x: EDGE.left - 8, y: y(score), class: "scale" }, String(score)),
    );
  }
  return marks;
}

// Where a player goes out, the line ends.
function line(player, seat, series, x, y) {
  let d = "";
  series.forEach((scores, index) => {
    const score = scores[seat];
    if (score === null || score === undefined) return;
    d += `${d ? "L" : "M"} ${x(index).toFixed(1)} ${y(score).toFixed(1)} `;
  });
  return svg("path", { d: d.trim(), class: `score seat-${seat} line-${player.colours[0]}` });
}

function makeLabel({ player, score }) {
  const attributes = { x: WIDTH - EDGE.right + GAP, class: `end line-${player.colours[0]}` };
  return { name: player.called, score, node: svg("text", attributes, labelText(player.called, score)) };
}

function labelText(name, score) {
  return `${apart(name)} ${shown(score)}`;
}

// As much of the name as there is room for, and the whole score.
function shorten({ name, score, node }) {
  const letters = Array.from(name);
  while (letters.length && node.getComputedTextLength() > EDGE.right - GAP) {
    letters.pop();
    node.textContent = labelText(`${letters.join("")}…`, score);
  }
}

// Labels, the highest first, keep apart from one another, and all of them stay in the picture.
function setApart(labels, y) {
  const height = Math.max(...labels.map(({ node }) => node.getBBox().height));
  let at = -height / 2;
  labels.forEach(({ node, score }, place) => {
    const lowest = HEIGHT - 1 - height * (labels.length - place - 0.5);
    at = Math.min(Math.max(y(score || 0), at + height), lowest);
    node.setAttribute("y", at);
  });
}
