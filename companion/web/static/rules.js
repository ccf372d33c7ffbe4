// How to play, by the booklet and the options of this table.

import { get } from "./api.js";
import { el } from "./dom.js";
import { t } from "./words.js";

export async function drawRules(panel) {
  const answer = await get("/api/rules");
  if (!answer.ok) {
    const why = (answer.body && answer.body.error) || t("web.unreachable");
    panel.replaceChildren(el("h2", {}, t("web.rules")), el("p", {}, why));
    return;
  }
  const { title, booklet, paragraphs, differs, agreed } = answer.body;
  panel.replaceChildren(
    el("h2", {}, title),
    ...paragraphs.map((text) => el("p", {}, text)),
    el("h3", {}, booklet),
    ...drawList(differs),
    ...(agreed.length ? drawList(agreed) : []),
  );
}

function drawList([heading, ...sentences]) {
  const items = sentences.map((sentence) => el("li", {}, sentence));
  return [el("p", {}, heading), ...(items.length ? [el("ul", {}, ...items)] : [])];
}
