// The notice on an unpaired phone, with a button to pair it.

import { find, setText } from "./dom.js";
import { readItem, saveItem } from "./storage.js";
import { t } from "./words.js";

const STORAGE_KEY = "marrakech.paired";

let wasPaired = readItem("sessionStorage", STORAGE_KEY) === "yes";

export function drawWatching(table, isPaired) {
  const line = find("watching");
  const hasCode = Boolean(table.pairing);
  line.hidden = isPaired;
  line.classList.toggle("asked", hasCode);
  // Announced once, and shown until this phone is paired again.
  if (isPaired) setText(find("watching-lost"), "");
  else if (wasPaired) setText(find("watching-lost"), t("web.unpaired"));
  setText(find("watching-how"), hasCode ? t("web.code_asked") : t("web.watching"));
  if (wasPaired !== isPaired) saveItem("sessionStorage", STORAGE_KEY, isPaired ? "yes" : "no");
  wasPaired = isPaired;
}

export function makeWatching() {
  find("watching-pair").addEventListener("click", () => find("pair").click());
}
