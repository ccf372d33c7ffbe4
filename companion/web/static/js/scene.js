// What the LEDs show, drawn over the market, from the marks of the same scene. The matrix shows shots one
// after the other; the page shows all of them at once.

import { SIZE, CELL, centreOf, loopPaths, walkedPath } from "./loops.js";
import { drawRug } from "./rugs.js";
import { svg } from "./dom.js";

const MATRIX = 8;
const HALF = CELL / 2;

// Returns {under, over, assam}: groups to draw below and above Assam, and his square on the LEDs or null.
export function drawScene(light, loops, facing) {
  const under = svg("g", { class: "light" });
  const over = svg("g", { class: "light" });
  const last = light.shots[light.shots.length - 1];
  const hasTrail = last.some((mark) => mark.meaning === "trail");
  // A path in one shot and the trail in the next are the same walk.
  const marks = [].concat(...light.shots).filter((mark) => !(hasTrail && mark.meaning === "path"));
  for (const mark of marks) {
    const squares = squaresOf(mark.leds);
    const ink = (index) => mark.inks[mark.inks.length > 1 ? index : 0];
    const draw = {
      preview: () => over.append(...previews(squares, ink)),
      path: () => under.append(...walk(loops, squares, facing, ink(0))),
      trail: () => under.append(...walk(loops, squares, facing, ink(0))),
      count: () => over.append(...squares.map((square, index) => badge(square, index + 1, ink(index), "counted"))),
      owed: () => under.append(outline(squares, "owed")),
      offer: () => under.append(...offer(squares, ink(0))),
      loops: () => under.append(...bigLoops(loops), outline(squares, "corner")),
      lift: () => under.append(outline(squares, "lift")),
      cursor: () => over.append(outline(squares, "cursor")),
      warning: () => under.append(outline(squares, "warning")),
    }[mark.meaning];
    if (draw && squares.length) draw();
  }
  // In some stages, the matrix shows only a number or letters: draw them large.
  const sign = last.find((mark) => mark.meaning === "number" || mark.meaning === "letters");
  if (sign && light.shots.length === 1) over.append(...signs(sign));
  const assam = last.find((mark) => mark.meaning === "assam");
  return { under, over, assam: assam ? squaresOf(assam.leds)[0] : null };
}

function squaresOf(leds) {
  return leds.map((led) => [led % MATRIX, Math.floor(led / MATRIX)]).filter(([x, y]) => x < SIZE && y < SIZE);
}

function badge([x, y], text, ink, kind) {
  const at = kind === "counted" ? [x * CELL + 78, y * CELL + 78] : centreOf([x, y]);
  const radius = kind === "counted" ? 17 : 27;
  return svg(
    "g",
    { class: `badge ${kind} ink-${ink}`, transform: `translate(${at[0]} ${at[1]})` },
    svg("circle", { r: radius }),
    svg("text", { y: 1 }, String(text)),
  );
}

// At a corner, two rolls can lead to the same square: the badge has both numbers.
function previews(squares, ink) {
  const found = new Map();
  squares.forEach((square, index) => {
    const name = String(square);
    const known = found.get(name) || { square, ink: ink(index), pips: [] };
    known.pips.push(index + 1);
    found.set(name, known);
  });
  return Array.from(found.values(), (one) => {
    const drawn = badge(one.square, one.pips.join("·"), one.ink, "preview");
    drawn.classList.add(`pips-${one.pips[0]}`);
    return drawn;
  });
}

function walk(loops, squares, facing, ink) {
  const d = facing && walkedPath(loops, squares, facing);
  const steps = squares.map((square) => {
    const [cx, cy] = centreOf(square);
    return svg("circle", { cx, cy, r: 11, class: "step" });
  });
  return d ? [svg("path", { d, class: `walk under` }), svg("path", { d, class: `walk ink-${ink}` }), ...steps] : steps;
}

function isPair([one, other]) {
  return Math.abs(one[0] - other[0]) + Math.abs(one[1] - other[1]) === 1;
}

// Two adjacent squares are an offered rug; others are squares to choose from.
function offer(squares, ink) {
  if (squares.length !== 2 || !isPair(squares) || ink === "white") {
    return squares.map((square) => outline([square], "choice"));
  }
  const [x, y] = [0, 1].map((axis) => Math.min(squares[0][axis], squares[1][axis]));
  const isWide = squares[0][1] === squares[1][1];
  const rug = drawRug(ink, x, y, isWide ? 2 : 1, isWide ? 1 : 2);
  rug.classList.add("offered");
  return [rug, outline(squares, "offer")];
}

// The outline of a set of squares.
function outline(squares, kind) {
  const has = new Set(squares.map(String));
  const sides = [
    [0, -1, "M 0 0 h 100"],
    [1, 0, "M 100 0 v 100"],
    [0, 1, "M 0 100 h 100"],
    [-1, 0, "M 0 0 v 100"],
  ];
  const group = svg("g", { class: `outline ${kind}` });
  for (const [x, y] of squares) {
    const open = sides.filter(([dx, dy]) => !has.has(String([x + dx, y + dy])));
    const place = { transform: `translate(${x * CELL} ${y * CELL})` };
    group.append(svg("rect", { ...place, width: CELL, height: CELL, class: "fill" }));
    for (const part of ["under", "line"]) {
      group.append(svg("path", { ...place, d: open.map((side) => side[2]).join(" "), class: part }));
    }
  }
  return group;
}

function bigLoops(loops) {
  return loopPaths(loops).filter((loop) => loop.isBig).map(({ d }) => svg("path", { d, class: "loop lit" }));
}

function signs(mark) {
  const texts = mark.meaning === "number" ? [String(mark.number)] : Array.from(mark.letters);
  const middle = (SIZE * CELL) / 2;
  return texts.map((text, index) => {
    const ink = mark.inks[mark.inks.length > 1 ? index : 0];
    const x = middle + (index - (texts.length - 1) / 2) * 260;
    return svg(
      "g",
      { class: `badge sign ink-${ink}`, transform: `translate(${x} ${middle})` },
      svg("circle", { r: 2 * HALF + 20 }),
      svg("text", { y: 4 }, text),
    );
  });
}
