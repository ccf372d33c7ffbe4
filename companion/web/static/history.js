// The game in progress, moment by moment.

import { get } from "./api.js";
import { el } from "./dom.js";
import { makeReplay } from "./replay.js";
import { t } from "./words.js";

export async function drawHistory(panel) {
  const answer = await get("/api/history");
  const heading = el("h2", {}, t("web.history"));
  if (!answer.ok) {
    panel.replaceChildren(heading, el("p", {}, (answer.body && answer.body.error) || t("web.unreachable")));
  } else if (!answer.body.moments.length) {
    panel.replaceChildren(heading, el("p", {}, t("web.history_none")));
  } else {
    panel.replaceChildren(heading, makeReplay(answer.body.moments, (number) => `/api/history/${number}`));
  }
}

// The scores that stand, moment by moment, of moments as a history tells them.
export function scoresOf(moments) {
  return moments.filter((moment) => !moment.taken_back).map((moment) => moment.scores);
}
