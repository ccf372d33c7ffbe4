// A phone that only watches is told so, and how to get the table's buttons.

import { find, say } from "./dom.js";
import { t } from "./words.js";

const REMEMBERED = "marrakech.paired";

let wasPaired = recall();
let isReady = false;

export function drawWatching(table, isPaired) {
  makeReady();
  const line = find("watching");
  const isAsked = Boolean(table.pairing);
  line.hidden = isPaired;
  line.classList.toggle("asked", isAsked);
  // It is said once, and stays to be read until this phone is paired again.
  if (isPaired) say(find("watching-lost"), "");
  else if (wasPaired) say(find("watching-lost"), t("web.unpaired"));
  say(find("watching-how"), isAsked ? t("web.code_asked") : t("web.watching"));
  if (wasPaired !== isPaired) remember(isPaired);
  wasPaired = isPaired;
}

function makeReady() {
  if (isReady) return;
  isReady = true;
  find("watching-pair").addEventListener("click", () => find("pair").click());
}

// A browser may refuse to remember anything.
function recall() {
  try {
    return sessionStorage.getItem(REMEMBERED) === "yes";
  } catch (error) {
    return false;
  }
}

function remember(isPaired) {
  try {
    if (isPaired) sessionStorage.setItem(REMEMBERED, "yes");
    else sessionStorage.removeItem(REMEMBERED);
  } catch (error) {
    // then nothing is missed next time
  }
}
