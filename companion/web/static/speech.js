// The phone reads aloud what to do: off until somebody wants it, and remembered.

import { find, say } from "./dom.js";
import { t } from "./words.js";

const REMEMBERED = "marrakech.speech";

export function makeSpeech() {
  const button = find("speech");
  const voice = window.speechSynthesis;
  let isOn = Boolean(voice) && recall();
  let said = "";

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

  function speak(text) {
    const words = new SpeechSynthesisUtterance(text);
    words.lang = document.documentElement.lang;
    voice.speak(words);
  }

  // What was said already is not said again; something new cuts the old short.
  return function hear(table) {
    const text = table.refused || [table.title, ...table.todo].join(". ");
    if (text === said) return;
    said = text;
    if (!isOn) return;
    voice.cancel();
    speak(text);
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
