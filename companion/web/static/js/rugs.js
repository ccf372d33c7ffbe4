// Rugs: each colour has its own pattern, so that they differ also without colour.

import { CELL } from "./loops.js";
import { el, svg } from "./dom.js";

const INSET = 7;
const THREADS = {
  red: { size: 22, d: "M -6 17 L 17 -6 M 5 28 L 28 5" }, // diagonals
  yellow: { size: 24, dots: [[6, 6], [18, 18]] }, // dots
  blue: { size: 28, d: "M 0 4 L 14 18 L 28 4 M 0 18 L 14 32 L 28 18 M 0 -10 L 14 4 L 28 -10" }, // zigzags
  brown: { size: 24, d: "M 0 0 L 24 24 M 24 0 L 0 24" }, // a lattice
};

// The patterns that all drawings on the page use.
export function rugPatterns() {
  const patterns = Object.entries(THREADS).map(([colour, thread]) => {
    const { size } = thread;
    const lines = thread.d
      ? [svg("path", { d: thread.d, class: `thread ${colour}` })]
      : thread.dots.map(([cx, cy]) => svg("circle", { cx, cy, r: 4.2, class: `knot ${colour}` }));
    const ground = svg("rect", { width: size, height: size, class: `ground ${colour}` });
    const attributes = { id: `weave-${colour}`, width: size, height: size, patternUnits: "userSpaceOnUse" };
    return svg("pattern", attributes, ground, ...lines);
  });
  return svg("svg", { width: 0, height: 0, "aria-hidden": "true", class: "patterns" }, svg("defs", {}, ...patterns));
}

// A rug or its visible half, from square x, y, so many squares across and down.
export function drawRug(colour, x, y, across = 1, down = 1) {
  const left = x * CELL + INSET;
  const top = y * CELL + INSET;
  const width = across * CELL - 2 * INSET;
  const height = down * CELL - 2 * INSET;
  const rug = svg("g", { class: `rug ${colour}` });
  if (across + down > 2) rug.append(svg("path", { d: fringe(left, top, width, height), class: "fringe" }));
  rug.append(
    svg("rect", { x: left, y: top, width, height, rx: 5, class: `ground ${colour}` }),
    svg("rect", { x: left + 9, y: top + 9, width: width - 18, height: height - 18, rx: 2, fill: `url(#weave-${colour})` }),
    svg("rect", { x: left + 9, y: top + 9, width: width - 18, height: height - 18, rx: 2, class: `border ${colour}` }),
  );
  return rug;
}

// The fringe at the two short ends; only a fully visible rug has it.
function fringe(left, top, width, height) {
  const isWide = width > height;
  const span = isWide ? height : width;
  const parts = [];
  for (let at = 6; at < span; at += 8) {
    if (isWide) parts.push(`M ${left - 5} ${top + at} h ${width + 10}`);
    else parts.push(`M ${left + at} ${top - 5} v ${height + 10}`);
  }
  return parts.join(" ");
}

// A sample of a rug, beside a name.
export function swatch(colour) {
  const piece = svg("svg", { viewBox: "0 0 48 48", class: "swatch", "aria-hidden": "true" });
  piece.append(
    svg("rect", { x: 1, y: 1, width: 46, height: 46, rx: 6, fill: `url(#weave-${colour})`, class: `edge ${colour}` }),
  );
  return piece;
}

export function swatches(colours) {
  return el("span", { class: "swatches" }, ...colours.map(swatch));
}
