// Starts the page: watches the table and shows the chosen view.

import { find, setText } from "./dom.js";
import { watchTable } from "./events.js";
import { drawFinal } from "./final.js";
import { keepFitting } from "./fit.js";
import { drawHistory, updateHistory } from "./history.js";
import { makeLanguageMenu } from "./language.js";
import { drawMarket } from "./market.js";
import { drawOdds } from "./odds.js";
import { drawPad, makePad } from "./pad.js";
import { makePairing, showPaired } from "./pairing.js";
import { drawPlayers } from "./players.js";
import { drawPayment, drawPrompts } from "./prompts.js";
import { rugPatterns } from "./rugs.js";
import { drawSetup } from "./setup.js";
import { makeSpeech } from "./speech.js";
import { openView, updateView } from "./views.js";
import { drawWatching, makeWatching } from "./watching.js";
import { loadWords, t } from "./words.js";

const RETRY_MS = 2000;
const VIEWS = ["table", "history", "games", "standings", "rules"];

function show(shown, speak) {
  const { table, paired } = shown;
  find("simulated").hidden = !table.simulated;
  drawPrompts(table);
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

function showLinkState(text) {
  const node = find("link");
  setText(node, text);
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

// Choosing the open view again reloads it.
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
  document.body.append(rugPatterns());
  makePad(find("pad"));
  makeWatching();
  const speak = makeSpeech();
  let companion = null;
  let isLost = false;
  const link = watchTable({
    table: (shown) => {
      companion = companion || shown.table.companion;
      // The table's language or version has changed.
      if (shown.language !== loaded.language || shown.table.companion !== companion) {
        location.reload();
        return;
      }
      showLinkState("");
      show(shown, speak);
      updateHistory(find("view-history"));
      updateView(shown.table, isLost);
      isLost = false;
    },
    gone: () => {
      isLost = true;
      showLinkState(t("web.table_gone"));
    },
    lost: () => {
      isLost = true;
      showLinkState(t("web.link_lost"));
    },
  });
  makePairing({ onPaired: link.reconnect });
  window.addEventListener("hashchange", route);
  document.addEventListener("click", reopen);
  route();
  keepFitting();
  document.body.classList.add("ready");
}

start();
