// The words of the page, from the catalogue of the companion: t(key, values) says one of them.

import { get } from "./api.js";

let words = {};
let plural = null;

export async function loadWords() {
  const answer = await get("/api/words");
  if (!answer.ok) return false;
  words = answer.body;
  plural = new Intl.PluralRules(t("web.language"));
  document.documentElement.lang = t("web.language");
  document.title = t("web.page");
  translate(document);
  return true;
}

// An entry is a text, or its forms by number: `count` chooses among them.
export function t(key, values = {}) {
  const entry = words[key];
  if (entry === undefined) return key;
  const text = typeof entry === "string" ? entry : entry[plural.select(values.count)] || entry.other;
  return text.replace(/\{(\w+)\}/g, (whole, name) => (name in values ? String(values[name]) : whole));
}

function translate(root) {
  for (const node of root.querySelectorAll("[data-t]")) {
    node.textContent = t(node.dataset.t);
  }
  for (const node of root.querySelectorAll("[data-t-label]")) {
    node.setAttribute("aria-label", t(node.dataset.tLabel));
  }
}

// Words for things have keys of their own, and the table says them too.
export function colourWord(colour) {
  return t(`colour.${colour}`);
}

export function facingWord(facing) {
  return t(`facing.${facing}`);
}
