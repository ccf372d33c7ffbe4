// Pairing: whoever can read the code on the matrix may press buttons from here.

import { post } from "./api.js";
import { announce, find, say } from "./dom.js";
import { t } from "./words.js";

const OTHER_DIGITS = /[\u0660-\u0669\u06f0-\u06f9]/g;

let lookAgain = () => {};

// The companion does not know this phone any more: its time is over, or others came after it.
export function losePairing() {
  const hadFocus = find("pad").contains(document.activeElement);
  showPaired(false);
  if (hadFocus) find("pair").focus({ preventScroll: true });
  lookAgain();
}

// What else there is for a paired phone comes with the table's next news.
export function showPaired(isPaired) {
  find("pad").hidden = !isPaired;
  find("paired").hidden = !isPaired;
  find("pair").hidden = isPaired;
}

// The keyboards of Arabic and Persian have digits of their own, with the same last four bits.
function plainDigits(text) {
  return text.replace(OTHER_DIGITS, (digit) => String(digit.charCodeAt(0) & 15));
}

export function makePairing({ onPaired }) {
  lookAgain = onPaired;
  const dialog = find("pairing");
  const form = find("pairing-form");
  const code = find("pairing-code");
  const told = find("pairing-told");

  find("pair").addEventListener("click", () => {
    say(told, "");
    code.value = "";
    dialog.showModal();
    code.focus();
  });
  find("pairing-cancel").addEventListener("click", () => dialog.close());
  form.addEventListener("submit", async (event) => {
    event.preventDefault();
    const answer = await post("/api/pair", { code: plainDigits(code.value.trim()) });
    if (answer.ok) {
      dialog.close();
      showPaired(true);
      // The pad is part of one view, the mark that this phone is paired of all.
      const there = find("pad").getClientRects().length > 0 ? "pad" : "paired";
      find(there).focus({ preventScroll: true });
      onPaired();
    } else {
      announce(told, (answer.body && answer.body.error) || t("web.press_lost"));
      code.select();
    }
  });
}
