// The language menu. The default is the phone's own language, or the table's.

import { el, find } from "./dom.js";

const COOKIE = "marrakech-language";
const YEAR_S = 365 * 24 * 3600;

export function makeLanguageMenu({ language, languages }) {
  const menu = find("language");
  const options = Object.entries(languages).map(([code, name]) => el("option", { value: code, lang: code, selected: code === language }, name));
  menu.replaceChildren(...options);
  menu.addEventListener("change", () => {
    document.cookie = `${COOKIE}=${menu.value}; path=/; max-age=${YEAR_S}; samesite=strict`;
    location.reload();
  });
}
