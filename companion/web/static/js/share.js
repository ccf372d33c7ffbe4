// Shares the picture of a game, where the browser can.

import { el } from "./dom.js";
import { t } from "./words.js";

// Returns a button or null: browsers share files only from secure pages.
export function sharePicture(path, name) {
  if (!navigator.canShare || !navigator.share) return null;
  const blank = new File([""], name, { type: "image/png" });
  if (!navigator.canShare({ files: [blank] })) return null;
  return el("button", { type: "button", class: "action", click: () => share(path, name) }, t("web.share"));
}

async function share(path, name) {
  const response = await fetch(path);
  if (!response.ok) return;
  const file = new File([await response.blob()], name, { type: "image/png" });
  try {
    await navigator.share({ files: [file] });
  } catch (error) {
    // cancelled by the user
  }
}
