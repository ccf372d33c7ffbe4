// The chart of scores over a game: one line per player, in the player's colour and with its own dashes.

import { svg } from "./dom.js";
import { isolate, joinSentences, t } from "./words.js";

const WIDTH = 420;
const HEIGHT = 260;
const GAP = 8;
const EDGE = { left: 34, right: 112, top: 14, bottom: 36 };

// players: as in a game; series: for each moment the scores by seat, null for a player who is out.
export function drawChart(players, series) {
  const highest = Math.max(10, ...series.map((scores) => Math.max(...scores.map((score) => score || 0))));
  const top = Math.ceil(highest / 10) * 10;
  const width = WIDTH - EDGE.left - EDGE.right;
  const x = (index) => EDGE.left + (series.length > 1 ? (index / (series.length - 1)) * width : 0);
  const y = (score) => HEIGHT - EDGE.bottom - (score / top) * (HEIGHT - EDGE.top - EDGE.bottom);
  const last = series[series.length - 1] || [];
  const ends = players.map((player, seat) => ({ player, score: last[seat] }));
  const endTexts = ends.map(({ player, score }) => t("web.chart_end", { player: player.called, score: scoreText(score) }));
  const labels = ends.sort((one, other) => (other.score || 0) - (one.score || 0)).map(makeLabel);
  const chart = svg(
    "svg",
    {
      viewBox: `0 0 ${WIDTH} ${HEIGHT}`,
      class: "chart",
      role: "img",
      "aria-label": joinSentences([t("web.chart"), ...endTexts]),
    },
    ...grid(top, y),
    svg("text", { x: EDGE.left + width / 2, y: HEIGHT - 8, class: "axis" }, t("web.chart_time")),
    ...players.map((player, seat) => line(player, seat, series, x, y)),
    ...labels.map(({ node }) => node),
  );
  document.body.append(chart); // text can be measured only in the document
  labels.forEach(shorten);
  spreadLabels(labels, y);
  chart.remove();
  return chart;
}

function scoreText(score) {
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

// The line ends where a player goes out.
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
  return `${isolate(name)} ${scoreText(score)}`;
}

// Shortens the name until name and score fit.
function shorten({ name, score, node }) {
  const letters = Array.from(name);
  while (letters.length && node.getComputedTextLength() > EDGE.right - GAP) {
    letters.pop();
    node.textContent = labelText(`${letters.join("")}…`, score);
  }
}

// Places labels, the highest first, without overlaps and inside the chart.
function spreadLabels(labels, y) {
  const height = Math.max(...labels.map(({ node }) => node.getBBox().height));
  let at = -height / 2;
  labels.forEach(({ node, score }, place) => {
    const lowest = HEIGHT - 1 - height * (labels.length - place - 0.5);
    at = Math.min(Math.max(y(score || 0), at + height), lowest);
    node.setAttribute("y", at);
  });
}
