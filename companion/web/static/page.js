// The page: hears of the table, and shows what belongs to the chosen view.

import { find, say } from "./dom.js";
import { watchTable } from "./events.js";
import { drawFinal } from "./final.js";
import { drawGame, drawGames } from "./games.js";
import { drawHistory, followHistory } from "./history.js";
import { makeLanguageMenu } from "./language.js";
import { drawMarket } from "./market.js";
import { drawNow, drawPayment } from "./now.js";
import { drawOdds } from "./odds.js";
import { makePad } from "./pad.js";
import { makePairing } from "./pairing.js";
import { drawPlayers } from "./players.js";
import { drawRules } from "./rules.js";
import { drawSetup } from "./setup.js";
import { makeSpeech } from "./speech.js";
import { drawStandings } from "./standings.js";
import { weavePatterns } from "./weave.js";
import { loadWords, t } from "./words.js";

const RETRY_MS = 2000;
const VIEWS = ["table", "history", "games", "standings", "rules"];

function show(shown, speak) {
  const { table, paired } = shown;
  find("simulated").hidden = !table.simulated;
  drawNow(table);
  drawMarket(find("market"), table);
  drawPayment(find("payment"), shown.payment, table.game);
  drawPlayers(find("players"), table.game);
  drawOdds(find("odds"), shown.odds, table.game);
  drawFinal(find("final"), table);
  drawSetup(find("setup"), table, paired);
  find("pad").hidden = !paired;
  find("pair").hidden = paired;
  find("paired").hidden = !paired;
  speak(table);
  document.body.dataset.sequence = table.sequence;
}

function tellLink(text) {
  const node = find("link");
  say(node, text);
  node.hidden = !text;
  document.body.classList.toggle("stale", Boolean(text));
}

// --- Views ----------------------------------------------------------------------------------

function route() {
  const [name, id] = location.hash.slice(1).split("/");
  const view = VIEWS.includes(name) ? name : "table";
  for (const one of VIEWS) find(`view-${one}`).hidden = one !== view;
  for (const link of document.querySelectorAll("nav a, .tools a")) {
    if (link.hash === `#${view}`) link.setAttribute("aria-current", "page");
    else link.removeAttribute("aria-current");
  }
  if (view === "history") drawHistory(find("view-history"));
  if (view === "games" && id) drawGame(find("view-games"), decodeURIComponent(id));
  else if (view === "games") drawGames(find("view-games"));
  if (view === "standings") drawStandings(find("view-standings"));
  if (view === "rules") drawRules(find("view-rules"));
  window.scrollTo(0, 0);
}

// --- The start ------------------------------------------------------------------------------

async function start() {
  const loaded = await loadWords();
  if (loaded === null) {
    setTimeout(start, RETRY_MS);
    return;
  }
  makeLanguageMenu(loaded);
  document.body.append(weavePatterns());
  makePad(find("pad"));
  const speak = makeSpeech();
  const link = watchTable({
    table: (shown) => {
      // The table speaks another language now, and this phone goes with it.
      if (shown.language !== loaded.language) {
        location.reload();
        return;
      }
      tellLink("");
      show(shown, speak);
      followHistory(find("view-history"));
    },
    gone: () => tellLink(t("web.table_gone")),
    lost: () => tellLink(t("web.link_lost")),
  });
  makePairing({ onPaired: link.renew });
  window.addEventListener("hashchange", route);
  route();
  document.body.classList.add("ready");
}

start();
