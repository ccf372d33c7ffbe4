// The rules, by the booklet and options of this table.

import { get } from "./api.js";
import { el } from "./dom.js";
import { errorText, t } from "./words.js";

export async function makeRules() {
  const answer = await get("/api/rules");
  if (!answer.ok) return { isLoaded: false, nodes: [el("h2", {}, t("web.rules")), el("p", {}, errorText(answer))] };
  const { title, booklet, paragraphs, differs, agreed } = answer.body;
  const nodes = [
    el("h2", {}, title),
    ...paragraphs.map((text) => el("p", {}, text)),
    el("h3", {}, booklet),
    ...drawList(differs),
    ...drawList(agreed),
  ];
  return { isLoaded: true, nodes };
}

// A heading with its sentences, or nothing.
function drawList([heading, ...sentences]) {
  if (heading === undefined) return [];
  const items = sentences.map((sentence) => el("li", {}, sentence));
  return [el("p", {}, heading), ...(items.length ? [el("ul", {}, ...items)] : [])];
}
