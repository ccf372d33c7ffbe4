// Pairing with the code that the matrix shows.

import { post } from "./api.js";
import { announce, find, setText } from "./dom.js";
import { t } from "./words.js";

const OTHER_DIGITS = /[\u0660-\u0669\u06f0-\u06f9]/g;

let reconnect = () => {};

// The session has expired, or newer phones have replaced it.
export function onPairingLost() {
  const hadFocus = find("pad").contains(document.activeElement);
  showPaired(false);
  if (hadFocus) find("pair").focus({ preventScroll: true });
  reconnect();
}

// The rest of the page changes with the next snapshot.
export function showPaired(isPaired) {
  find("pad").hidden = !isPaired;
  find("paired").hidden = !isPaired;
  find("pair").hidden = isPaired;
}

// Arabic and Persian digits have the value in their last four bits.
function toAsciiDigits(text) {
  return text.replace(OTHER_DIGITS, (digit) => String(digit.charCodeAt(0) & 15));
}

export function makePairing({ onPaired }) {
  reconnect = onPaired;
  const dialog = find("pairing");
  const form = find("pairing-form");
  const code = find("pairing-code");
  const error = find("pairing-error");

  find("pair").addEventListener("click", () => {
    setText(error, "");
    code.value = "";
    dialog.showModal();
    code.focus();
  });
  find("pairing-cancel").addEventListener("click", () => dialog.close());
  form.addEventListener("submit", async (event) => {
    event.preventDefault();
    const answer = await post("/api/pair", { code: toAsciiDigits(code.value.trim()) });
    if (answer.ok) {
      dialog.close();
      showPaired(true);
      // The pad is in the table view only, the paired mark in all views.
      const target = find("pad").getClientRects().length > 0 ? "pad" : "paired";
      find(target).focus({ preventScroll: true });
      onPaired();
    } else {
      announce(error, (answer.body && answer.body.error) || t("web.press_lost"));
      code.select();
    }
  });
}
