// The geometry of the market: squares, and the loops along its edges.

export const SIZE = 7;
export const CELL = 100;
const HALF = CELL / 2;
const SIDE = SIZE * CELL;
const STRIDES = { north: [0, -1], east: [1, 0], south: [0, 1], west: [-1, 0] };
const BEHIND = { north: "south", east: "west", south: "north", west: "east" };
// Edges whose small loops join lines 0-1, 2-3, 4-5. Other edges join 1-2, 3-4, 5-6.
const FROM_ZERO = { "ne-sw": ["north", "west"], "nw-se": ["east", "south"] };
const BIG = { "ne-sw": [["north", "east"], ["south", "west"]], "nw-se": [["north", "west"], ["south", "east"]] };

export function squareAt(name) {
  return [name.charCodeAt(0) - 97, Number(name[1]) - 1];
}

export function squareName(x, y) {
  return "abcdefg"[x] + (y + 1);
}

export function centreOf([x, y]) {
  return [x * CELL + HALF, y * CELL + HALF];
}

// The line that a small loop leads to, or null at the big loop of a corner.
function partner(loops, edge, line) {
  if (FROM_ZERO[loops].includes(edge)) return line === SIZE - 1 ? null : line ^ 1;
  return line === 0 ? null : ((line - 1) ^ 1) + 1;
}

function isUpright(edge) {
  return edge === "north" || edge === "south";
}

function gate(edge, line) {
  const along = line * CELL + HALF;
  const out = edge === "north" || edge === "west" ? 0 : SIDE;
  return isUpright(edge) ? [along, out] : [out, along];
}

function sideArc(edge, from, to) {
  const isClockwise = (edge === "north" || edge === "east") === to > from;
  return `A ${HALF} ${HALF} 0 0 ${isClockwise ? 1 : 0} ${gate(edge, to).join(" ")}`;
}

function cornerArc(from, to, line) {
  const turns = { "north east": 1, "east south": 1, "south west": 1, "west north": 1 };
  const isClockwise = turns[`${from} ${to}`];
  return `A ${HALF} ${HALF} 0 1 ${isClockwise ? 1 : 0} ${gate(to, line).join(" ")}`;
}

// The line of an edge at which the big loop of a corner begins: 0 or 6.
function cornerLine(edge, other) {
  const isFar = (side) => side === "east" || side === "south";
  return isFar(other) ? SIZE - 1 : 0;
}

export function loopPaths(loops) {
  const paths = [];
  for (const edge of Object.keys(STRIDES)) {
    for (let line = 0; line < SIZE; line += 1) {
      const other = partner(loops, edge, line);
      if (other !== null && other > line) {
        paths.push({ d: `M ${gate(edge, line).join(" ")} ${sideArc(edge, line, other)}`, isBig: false });
      }
    }
  }
  for (const [edge, other] of BIG[loops]) {
    const start = gate(edge, cornerLine(edge, other)).join(" ");
    paths.push({ d: `M ${start} ${cornerArc(edge, other, cornerLine(other, edge))}`, isBig: true });
  }
  return paths;
}

// One step backwards. With an edge behind him, Assam came in through a loop.
function stepBack(loops, [x, y], facing) {
  const [dx, dy] = STRIDES[facing];
  const from = [x - dx, y - dy];
  if (from.every((line) => line >= 0 && line < SIZE)) {
    return { from, facing, d: `L ${centreOf([x, y]).join(" ")}` };
  }
  const edge = BEHIND[facing];
  const line = isUpright(edge) ? x : y;
  const other = partner(loops, edge, line);
  const inside = `L ${centreOf([x, y]).join(" ")}`;
  if (other !== null) {
    const d = `L ${gate(edge, other).join(" ")} ${sideArc(edge, other, line)} ${inside}`;
    return { from: isUpright(edge) ? [other, y] : [x, other], facing: edge, d };
  }
  const corner = BIG[loops].find((edges) => edges.includes(edge));
  const left = corner.find((side) => side !== edge);
  const start = gate(left, isUpright(left) ? x : y).join(" ");
  return { from: [x, y], facing: left, d: `L ${start} ${cornerArc(left, edge, line)} ${inside}` };
}

// The path over these squares to Assam with this facing, or null if there is none.
export function walkedPath(loops, squares, facing) {
  let d = "";
  let from = null;
  for (let index = squares.length - 1; index >= 0; index -= 1) {
    if (from !== null && String(from) !== String(squares[index])) return null;
    const step = stepBack(loops, squares[index], facing);
    d = `${step.d} ${d}`;
    from = step.from;
    facing = step.facing;
  }
  return from === null ? null : `M ${centreOf(from).join(" ")} ${d}`;
}
