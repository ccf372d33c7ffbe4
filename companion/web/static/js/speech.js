// Reads prompts and refusals aloud. Off by default; the browser remembers the choice.

import { find, setText } from "./dom.js";
import { readItem, saveItem } from "./storage.js";
import { t } from "./words.js";

const STORAGE_KEY = "marrakech.speech";
const synthesis = window.speechSynthesis;

let isOn = Boolean(synthesis) && readItem("localStorage", STORAGE_KEY) === "on";
let lastText = "";

// Interrupts the previous text.
export function speak(text) {
  lastText = text;
  if (!isOn) return;
  const utterance = new SpeechSynthesisUtterance(text);
  utterance.lang = document.documentElement.lang;
  synthesis.cancel();
  synthesis.speak(utterance);
}

export function makeSpeech() {
  const button = find("speech");
  let lastTableText = "";

  button.hidden = !synthesis;
  button.addEventListener("click", () => {
    isOn = !isOn;
    saveItem("localStorage", STORAGE_KEY, isOn ? "on" : "off");
    show();
    synthesis.cancel();
    if (isOn) speak(lastText);
  });
  show();

  function show() {
    button.setAttribute("aria-pressed", String(isOn));
    setText(find("speech-state"), isOn ? t("web.speech_on") : t("web.speech_off"));
  }

  // Speaks each text once. A refusal is spoken by prompts.js.
  return function speakTable(table) {
    const text = table.refused || [table.title, ...table.todo].join(". ");
    if (text === lastTableText) return;
    lastTableText = text;
    if (!table.refused) speak(text);
  };
}
