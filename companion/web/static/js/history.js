// The history view of the current game, updated as the game goes on.

import { get } from "./api.js";
import { el, setText } from "./dom.js";
import { makeReplay } from "./replay.js";
import { errorText, t } from "./words.js";

const damage = el("p", { class: "refused" });
let replay = null; // of the game that is shown
let isLoading = false;
let isStale = false; // the table has changed since the last request

export function drawHistory(panel) {
  replay = null;
  update(panel);
}

export function updateHistory(panel) {
  update(panel);
}

// Sends one request at a time, and none while the view is hidden.
async function update(panel) {
  isStale = true;
  if (isLoading) return;
  isLoading = true;
  try {
    while (isStale && !panel.hidden) {
      isStale = false;
      draw(panel, await get("/api/history"));
    }
  } finally {
    isLoading = false;
  }
}

function draw(panel, answer) {
  if (!answer.ok) {
    // Keep what is shown: a lost connection is shown elsewhere.
    if (!replay) show(panel, el("p", {}, errorText(answer)));
    return;
  }
  const { moments, damaged } = answer.body;
  setText(damage, damaged || "");
  if (!moments.length) {
    replay = null;
    show(panel, damaged ? damage : el("p", {}, t("web.history_none")));
  } else if (!replay || !replay.follow(moments)) {
    replay = makeReplay(moments, (number) => `/api/history/${number}`);
    show(panel, damage, replay.node);
  }
}

function show(panel, ...nodes) {
  panel.replaceChildren(el("h2", {}, t("web.history")), ...nodes);
}

// The scores after each moment that was not taken back.
export function scoresOf(moments) {
  return moments.filter((moment) => !moment.taken_back).map((moment) => moment.scores);
}
