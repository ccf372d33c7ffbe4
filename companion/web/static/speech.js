// The phone reads aloud what to do: off until somebody wants it, and remembered.

import { find, say } from "./dom.js";
import { recall, remember } from "./memory.js";
import { t } from "./words.js";

const REMEMBERED = "marrakech.speech";
const voice = window.speechSynthesis;

let isOn = Boolean(voice) && recall("localStorage", REMEMBERED) === "on";
let said = "";

// Something new cuts the old short.
export function speak(text) {
  said = text;
  if (!isOn) return;
  const words = new SpeechSynthesisUtterance(text);
  words.lang = document.documentElement.lang;
  voice.cancel();
  voice.speak(words);
}

export function makeSpeech() {
  const button = find("speech");
  let heard = "";

  button.hidden = !voice;
  button.addEventListener("click", () => {
    isOn = !isOn;
    remember("localStorage", REMEMBERED, isOn ? "on" : "off");
    show();
    voice.cancel();
    if (isOn) speak(said);
  });
  show();

  function show() {
    button.setAttribute("aria-pressed", String(isOn));
    say(find("speech-state"), isOn ? t("web.speech_on") : t("web.speech_off"));
  }

  // What was said already is not said again. A refusal is spoken where it is shown.
  return function hear(table) {
    const text = table.refused || [table.title, ...table.todo].join(". ");
    if (text === heard) return;
    heard = text;
    if (!table.refused) speak(text);
  };
}
