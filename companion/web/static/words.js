// The words of the page, from the catalogue of the companion: t(key, values) says one of them.

import { get } from "./api.js";

const ISOLATE = "\u2068";
const POP_ISOLATE = "\u2069";
const RIGHT_TO_LEFT = /[\u0590-\u08ff\ufb1d-\ufdff\ufe70-\ufeff]/;

let words = {};
let plurals = [];
let isRightToLeft = false;
let blank = " ";

// {language, languages: names by code} of what was loaded, or null where nobody answers.
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

// An entry is a text, or its forms by number: `count` chooses among them.
export function t(key, values = {}) {
  const entry = words[key];
  if (entry === undefined) return key;
  const text = typeof entry === "string" ? entry : entry[formFor(values.count)];
  return text.replace(/\{(\w+)\}/g, (whole, name) => (name in values ? isolate(String(values[name])) : whole));
}

// Every number below the length has its form; of larger ones the last two digits decide.
function formFor(count) {
  return plurals[count < plurals.length ? count : 100 + (count % 100)];
}

// A name or a number inside a sentence: neither turns the order of the other's letters.
function isolate(text) {
  return isRightToLeft || RIGHT_TO_LEFT.test(text) ? apart(text) : text;
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

export function buttonWord(way) {
  return t(`button.${way}`);
}

// Why an answer is none.
export function whyNot({ body }) {
  return (body && body.error) || t("web.unreachable");
}

// A name beside something else: neither changes sides because of the other.
export function apart(text) {
  return ISOLATE + text + POP_ISOLATE;
}

// Whole sentences, one after the other, as the language has them.
export function joined(sentences) {
  return sentences.join(blank);
}

// Dates and fractions are written as in the phone's country, if it speaks the language of the page;
// always in the digits of the die.
export function locale() {
  const { lang } = document.documentElement;
  const isSame = navigator.language.split("-")[0] === lang.split("-")[0];
  return `${isSame ? navigator.language : lang}-u-nu-latn`;
}

export function decimal(number, places) {
  return new Intl.NumberFormat(locale(), { minimumFractionDigits: places, maximumFractionDigits: places }).format(number);
}
