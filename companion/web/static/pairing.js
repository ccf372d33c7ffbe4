// Pairing: whoever can read the code on the matrix may press buttons from here.

import { post } from "./api.js";
import { find, say } from "./dom.js";
import { t } from "./words.js";

export function makePairing({ onPaired }) {
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
    const answer = await post("/api/pair", { code: code.value.trim() });
    if (answer.ok) {
      dialog.close();
      onPaired();
    } else {
      say(told, (answer.body && answer.body.error) || t("web.press_lost"));
      code.select();
    }
  });
}
