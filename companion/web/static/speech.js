// The phone reads aloud what to do: off until somebody wants it, and remembered.

import { find, say } from "./dom.js";
import { t } from "./words.js";

const REMEMBERED = "marrakech.speech";
const voice = window.speechSynthesis;

let isOn = Boolean(voice) && recall();
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
    remember(isOn);
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

// A browser may refuse to remember anything.
function recall() {
  try {
    return localStorage.getItem(REMEMBERED) === "on";
  } catch (error) {
    return false;
  }
}

function remember(isOn) {
  try {
    localStorage.setItem(REMEMBERED, isOn ? "on" : "off");
  } catch (error) {
    // then it is off again next time
  }
}
