// The page's texts, from the companion's catalogue: t(key, values) renders one of them.

import { get } from "./api.js";

const ISOLATE = "\u2068";
const POP_ISOLATE = "\u2069";
const RIGHT_TO_LEFT = /[\u0590-\u08ff\ufb1d-\ufdff\ufe70-\ufeff]/;

let words = {};
let plurals = [];
let isRightToLeft = false;
let blank = " ";

// Returns {language, languages: names by code}, or null if the companion does not answer.
export async function loadWords() {
  const answer = await get("/api/words");
  if (!answer.ok) return null;
  const { language, direction, languages } = answer.body;
  ({ words, plurals, blank } = answer.body);
  isRightToLeft = direction === "rtl";
  document.documentElement.lang = language;
  document.documentElement.dir = direction;
  document.title = t("web.page");
  translate(document);
  return { language, languages };
}

// A text with plural forms is a list: `count` chooses one of them.
export function t(key, values = {}) {
  const entry = words[key];
  if (entry === undefined) return key;
  const text = typeof entry === "string" ? entry : entry[formFor(values.count)];
  return text.replace(/\{(\w+)\}/g, (whole, name) => (name in values ? isolateMixed(String(values[name])) : whole));
}

// For numbers beyond the table, the last two digits decide.
function formFor(count) {
  return plurals[count < plurals.length ? count : 100 + (count % 100)];
}

// Isolates a value in a sentence, if either is right-to-left, so that neither reorders the other.
function isolateMixed(text) {
  return isRightToLeft || RIGHT_TO_LEFT.test(text) ? isolate(text) : text;
}

function translate(root) {
  for (const node of root.querySelectorAll("[data-t]")) {
    node.textContent = t(node.dataset.t);
  }
  for (const node of root.querySelectorAll("[data-t-label]")) {
    node.setAttribute("aria-label", t(node.dataset.tLabel));
  }
}

export function colourName(colour) {
  return t(`colour.${colour}`);
}

export function facingName(facing) {
  return t(`facing.${facing}`);
}

export function buttonName(direction) {
  return t(`button.${direction}`);
}

// The text of a failed request.
export function errorText({ body }) {
  return (body && body.error) || t("web.unreachable");
}

// Isolates a text from the direction of the text around it.
export function isolate(text) {
  return ISOLATE + text + POP_ISOLATE;
}

// Joins sentences, with the language's blank between them.
export function joinSentences(sentences) {
  return sentences.join(blank);
}

// The locale for dates and fractions: the phone's, if its language is the page's. Always Latin digits.
export function locale() {
  const { lang } = document.documentElement;
  const isSame = navigator.language.split("-")[0] === lang.split("-")[0];
  return `${isSame ? navigator.language : lang}-u-nu-latn`;
}

export function decimal(number, places) {
  return new Intl.NumberFormat(locale(), { minimumFractionDigits: places, maximumFractionDigits: places }).format(number);
}
