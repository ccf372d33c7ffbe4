// The other views: archive, standings and rules. Loaded when opened, and again when they may have changed.

import { makeGame, makeGames } from "./games.js";
import { makeRules } from "./rules.js";
import { makeStandings } from "./standings.js";

// Each loads a view and returns {isLoaded, nodes}.
const LOADERS = {
  games: (id) => (id ? makeGame(id) : makeGames()),
  standings: makeStandings,
  rules: makeRules,
};

let view = null; // the open view: {panel, make, isFixed, isLoaded}
let requestCount = 0;
let lastKey = "";

// An archived game never changes, so it is not reloaded.
export function openView(panel, name, id) {
  view = name in LOADERS ? { panel, make: () => LOADERS[name](id), isFixed: Boolean(id), isLoaded: false } : null;
  draw();
}

// Called after each change of the table; `isReconnected`: the connection had been lost.
export function updateView(table, isReconnected) {
  const key = contentKey(table);
  const isChanged = key !== lastKey;
  lastKey = key;
  if (view && (isReconnected || isChanged) && !(view.isFixed && view.isLoaded)) draw();
}

// The archive changes when a game begins or ends, the rules with booklet and options.
function contentKey({ game, setup }) {
  const { booklet, options } = game || setup || {};
  return JSON.stringify([game !== null, game !== null && game.finished, booklet, options]);
}

// Ignores answers to older requests. A failed request does not replace loaded content.
async function draw() {
  const request = (requestCount += 1);
  const drawn = view;
  if (!drawn) return;
  const { isLoaded, nodes } = await drawn.make();
  if (request !== requestCount || (drawn.isLoaded && !isLoaded)) return;
  drawn.isLoaded = isLoaded;
  drawn.panel.replaceChildren(...nodes);
}
