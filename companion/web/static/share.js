// A picture of the table for friends, where the phone has a way to share it.

import { el } from "./dom.js";
import { t } from "./words.js";

// A button, or null: browsers share files only from pages they call secure.
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
    // whoever changes his mind has not shared
  }
}
