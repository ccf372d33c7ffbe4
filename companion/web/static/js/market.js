// The market from above: board, loops, rugs, Assam, and what the LEDs show.

import { drawScene } from "./scene.js";
import { SIZE, CELL, centreOf, loopPaths, squareAt, squareName } from "./loops.js";
import { drawRug } from "./rugs.js";
import { svg } from "./dom.js";
import { colourName, facingName, joinSentences, t } from "./words.js";

const MARGIN = 88;
const TURNS = { north: 0, east: 90, south: 180, west: 270 };

// `game`, `light` and `setup` are members of a snapshot. `game` is null before a game; `light` is null for a
// past moment; `setup` has the board's loops and Assam's facing before a game.
export function drawMarket(picture, { game, light = null, setup = null, stage = "" }) {
  const loops = game ? game.loops : setup ? setup.loops : "ne-sw";
  const market = game ? game.market : [];
  const scene = light ? drawScene(light, loops, game ? game.assam.facing : null) : null;
  const standing = assamOf(game, setup, stage, scene);
  const side = SIZE * CELL + 2 * MARGIN;
  picture.setAttribute("viewBox", `${-MARGIN} ${-MARGIN} ${side} ${side}`);
  picture.replaceChildren(
    drawBoard(loops),
    drawSquares(),
    svg("g", {}, ...rugsOf(market).map((rug) => drawRug(rug.colour, rug.x, rug.y, rug.across, rug.down))),
    ...(scene ? [scene.under] : []),
    ...(standing ? [drawAssam(standing)] : []),
    ...(scene ? [scene.over] : []),
  );
  picture.setAttribute("aria-label", describe(game, market));
}

// The LEDs decide where Assam stands: in an audit he is being moved.
function assamOf(game, setup, stage, scene) {
  const lit = scene && scene.assam;
  if (game) return { square: lit || squareAt(game.assam.square), facing: game.assam.facing };
  if (setup && stage === "setting") return { square: lit || [3, 3], facing: setup.facing };
  return null;
}

// --- The board ------------------------------------------------------------------------------

function drawBoard(loops) {
  const rim = MARGIN - 6;
  const side = SIZE * CELL + 2 * rim;
  const board = svg("g", { class: "board" });
  board.append(svg("rect", { x: -rim, y: -rim, width: side, height: side, rx: 40, class: "rim" }));
  for (const { d, isBig } of loopPaths(loops)) {
    board.append(svg("path", { d, class: isBig ? "loop big" : "loop" }));
  }
  for (let line = 0; line < SIZE; line += 1) {
    const at = line * CELL + CELL / 2;
    board.append(
      svg("text", { x: at, y: -62, class: "coordinate" }, squareName(line, 0)[0]),
      svg("text", { x: -68, y: at, class: "coordinate" }, String(line + 1)),
    );
  }
  return board;
}

function drawSquares() {
  const squares = svg("g", { class: "squares" });
  for (let y = 0; y < SIZE; y += 1) {
    for (let x = 0; x < SIZE; x += 1) {
      const tone = (x + y) % 2 ? "square odd" : "square";
      squares.append(svg("rect", { x: x * CELL, y: y * CELL, width: CELL, height: CELL, class: tone }));
    }
  }
  return squares;
}

// Two visible halves are drawn as one rug.
function rugsOf(market) {
  const rugs = [];
  market.forEach((row, y) => {
    row.forEach((top, x) => {
      if (!top) return;
      const isSame = (other) => Boolean(other) && other.rug === top.rug;
      if (isSame(row[x - 1]) || isSame((market[y - 1] || [])[x])) return;
      const across = isSame(row[x + 1]) ? 2 : 1;
      const down = isSame((market[y + 1] || [])[x]) ? 2 : 1;
      rugs.push({ colour: top.colour, x, y, across, down });
    });
  });
  return rugs;
}

// Seen from above; the slippers point in his facing.
function drawAssam({ square, facing }) {
  const [x, y] = centreOf(square);
  return svg(
    "g",
    { class: "assam", transform: `translate(${x} ${y}) rotate(${TURNS[facing]})` },
    svg("path", { d: "M -25 -14 Q -26 -40 -8 -53 Q -2 -38 -1 -14 Z M 25 -14 Q 26 -40 8 -53 Q 2 -38 1 -14 Z", class: "slippers" }),
    svg("circle", { cy: 6, r: 32, class: "robe" }),
    svg("path", { d: "M -22 -6 A 25 25 0 0 1 22 -6", class: "hem" }),
    svg("circle", { cy: 8, r: 15, class: "fez" }),
    svg("path", { d: "M 0 8 L 0 24", class: "tassel" }),
  );
}

// --- For screen readers ---------------------------------------------------------------------

function describe(game, market) {
  if (!game) return t("web.market_empty");
  const found = new Map();
  market.forEach((row, y) => {
    row.forEach((top, x) => {
      if (top) found.set(top.colour, [...(found.get(top.colour) || []), squareName(x, y)]);
    });
  });
  const parts = [t("web.market_assam", { square: game.assam.square, facing: facingName(game.assam.facing) })];
  for (const [colour, squares] of found) {
    parts.push(t("web.market_rugs", { count: squares.length, colour: colourName(colour), squares: squares.join(", ") }));
  }
  return joinSentences(parts);
}
