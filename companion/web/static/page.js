// The page: hears of the table, and shows what belongs to the chosen view.

import { find, say } from "./dom.js";
import { watchTable } from "./events.js";
import { drawFinal } from "./final.js";
import { keepFitting } from "./fit.js";
import { drawHistory, followHistory } from "./history.js";
import { makeLanguageMenu } from "./language.js";
import { drawMarket } from "./market.js";
import { drawNow, drawPayment } from "./now.js";
import { drawOdds } from "./odds.js";
import { drawPad, makePad } from "./pad.js";
import { makePairing, showPaired } from "./pairing.js";
import { drawPlayers } from "./players.js";
import { drawSetup } from "./setup.js";
import { makeSpeech } from "./speech.js";
import { followView, openView } from "./views.js";
import { drawWatching, makeWatching } from "./watching.js";
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
  drawOdds(find("odds"), shown.odds, table);
  drawFinal(find("final"), table);
  drawSetup(find("setup"), table, paired);
  showPaired(paired);
  drawWatching(table, paired);
  drawPad(table.stage);
  speak(table);
  document.body.dataset.stage = table.stage;
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
  openView(find(`view-${view}`), view, id);
  window.scrollTo(0, 0);
}

// Whoever asks for the view that is open asks for it anew.
function reopen(event) {
  const link = event.target.closest("a");
  if (link && link.hash && link.hash === location.hash) route();
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
  makeWatching();
  const speak = makeSpeech();
  let companion = null;
  let isLost = false;
  const link = watchTable({
    table: (shown) => {
      companion = companion || shown.table.companion;
      // The table speaks another language now, or is of another version: this page goes with it.
      if (shown.language !== loaded.language || shown.table.companion !== companion) {
        location.reload();
        return;
      }
      tellLink("");
      show(shown, speak);
      followHistory(find("view-history"));
      followView(shown.table, isLost);
      isLost = false;
    },
    gone: () => {
      isLost = true;
      tellLink(t("web.table_gone"));
    },
    lost: () => {
      isLost = true;
      tellLink(t("web.link_lost"));
    },
  });
  makePairing({ onPaired: link.renew });
  window.addEventListener("hashchange", route);
  document.addEventListener("click", reopen);
  route();
  keepFitting();
  document.body.classList.add("ready");
}

start();
