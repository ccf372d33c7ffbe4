// What stands beside the table: past games, standings, rules. Each is asked for when it is opened, and
// again when it may have something else to say.

import { makeGame, makeGames } from "./games.js";
import { makeRules } from "./rules.js";
import { makeStandings } from "./standings.js";

// What each is made by, as {isThere, nodes}.
const MAKERS = {
  games: (id) => (id ? makeGame(id) : makeGames()),
  standings: makeStandings,
  rules: makeRules,
};

let view = null; // what is open: {panel, make, stays}
let asked = 0;
let stood = "";

// A game that was put away stays as it was, with whatever somebody looks at in it.
export function openView(panel, name, id) {
  view = name in MAKERS ? { panel, make: () => MAKERS[name](id), stays: Boolean(id), isThere: false } : null;
  draw();
}

// Something has happened at the table; `isBack` says that the link to it had been lost.
export function followView(table, isBack) {
  const stands = whatCounts(table);
  const isOther = stands !== stood;
  stood = stands;
  if (view && (isBack || isOther) && !(view.stays && view.isThere)) draw();
}

// Whether a game is there, or over, decides about the archive; the rest about the rules.
function whatCounts({ game, setup }) {
  const { booklet, options } = game || setup || {};
  return JSON.stringify([game !== null, game !== null && game.finished, booklet, options]);
}

// The newest question counts, whichever is answered last. What was shown is better than nothing.
async function draw() {
  const mine = (asked += 1);
  const drawn = view;
  if (!drawn) return;
  const { isThere, nodes } = await drawn.make();
  if (mine !== asked || (drawn.isThere && !isThere)) return;
  drawn.isThere = isThere;
  drawn.panel.replaceChildren(...nodes);
}
