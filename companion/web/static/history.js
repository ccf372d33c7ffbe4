// The game in progress, moment by moment, as it goes on.

import { get } from "./api.js";
import { el, say } from "./dom.js";
import { makeReplay } from "./replay.js";
import { t, whyNot } from "./words.js";

const damage = el("p", { class: "refused" });
let replay = null; // what is shown of the game
let isAsking = false;
let isStale = false; // something has happened since it was asked

export function drawHistory(panel) {
  replay = null;
  renew(panel);
}

// Something has happened at the table.
export function followHistory(panel) {
  renew(panel);
}

// However much happens, one question at a time; and none while nobody looks.
async function renew(panel) {
  isStale = true;
  if (isAsking) return;
  isAsking = true;
  try {
    while (isStale && !panel.hidden) {
      isStale = false;
      draw(panel, await get("/api/history"));
    }
  } finally {
    isAsking = false;
  }
}

function draw(panel, answer) {
  if (!answer.ok) {
    // What was shown is better than nothing; whoever has lost the link is told so elsewhere.
    if (!replay) show(panel, el("p", {}, whyNot(answer)));
    return;
  }
  const { moments, damaged } = answer.body;
  say(damage, damaged || "");
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

// The scores that stand, moment by moment, of moments as a history tells them.
export function scoresOf(moments) {
  return moments.filter((moment) => !moment.taken_back).map((moment) => moment.scores);
}
