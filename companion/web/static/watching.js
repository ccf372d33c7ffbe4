// A phone that only watches is told so, and how to get the table's buttons.

import { find, say } from "./dom.js";
import { recall, remember } from "./memory.js";
import { t } from "./words.js";

const REMEMBERED = "marrakech.paired";

let wasPaired = recall("sessionStorage", REMEMBERED) === "yes";

export function drawWatching(table, isPaired) {
  const line = find("watching");
  const isAsked = Boolean(table.pairing);
  line.hidden = isPaired;
  line.classList.toggle("asked", isAsked);
  // It is said once, and stays to be read until this phone is paired again.
  if (isPaired) say(find("watching-lost"), "");
  else if (wasPaired) say(find("watching-lost"), t("web.unpaired"));
  say(find("watching-how"), isAsked ? t("web.code_asked") : t("web.watching"));
  if (wasPaired !== isPaired) remember("sessionStorage", REMEMBERED, isPaired ? "yes" : "no");
  wasPaired = isPaired;
}

export function makeWatching() {
  find("watching-pair").addEventListener("click", () => find("pair").click());
}
