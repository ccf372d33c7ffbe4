// Any moment of a game: a slider, a list of what was told, and the market as it lay then.

import { get } from "./api.js";
import { el, say, svg } from "./dom.js";
import { drawMarket } from "./market.js";
import { drawPlayers } from "./players.js";
import { t } from "./words.js";

// `moments` as the history tells them; `path(number)` is where a moment's board is asked for.
export function makeReplay(moments, path) {
  let at = Math.max(0, moments.map((moment) => !moment.taken_back).lastIndexOf(true));
  let asked = 0;
  const picture = svg("svg", { role: "img", class: "market" });
  const caption = el("p", { class: "moment", role: "status" });
  const players = el("ul", { class: "players", hidden: true });
  const slider = el("input", {
    type: "range",
    min: 0,
    max: Math.max(0, moments.length - 1),
    value: at,
    "aria-label": t("web.moment"),
    input: () => go(Number(slider.value)),
  });
  const step = (text, label, by) =>
    el("button", { type: "button", class: "step-key", "aria-label": label, click: () => go(at + by) }, text);
  const list = el("ol", { class: "moments", tabindex: 0, "aria-label": t("web.moments") });
  const items = moments.map((moment, index) => drawItem(moment, () => go(index)));
  list.append(...items);

  async function go(index) {
    at = Math.min(Math.max(index, 0), moments.length - 1);
    const mine = (asked += 1);
    slider.value = at;
    slider.setAttribute("aria-valuetext", captionOf(moments[at]));
    say(caption, captionOf(moments[at]));
    items.forEach((item, number) => item.classList.toggle("current", number === at));
    requestAnimationFrame(() => keepInSight(list, items[at]));
    const answer = await get(path(moments[at].number));
    if (mine !== asked) return; // the slider has moved on
    if (answer.ok) {
      drawMarket(picture, { game: answer.body });
      drawPlayers(players, answer.body);
    } else {
      say(caption, (answer.body && answer.body.error) || t("web.unreachable"));
    }
  }

  if (moments.length) go(at);
  return el(
    "div",
    { class: "replay" },
    el(
      "div",
      { class: "stage" },
      picture,
      el("div", { class: "wind" }, step("‹", t("web.earlier"), -1), slider, step("›", t("web.later"), 1)),
      caption,
    ),
    el("div", { class: "told" }, players, list),
  );
}

function textOf(moment) {
  return moment.words.join(" ");
}

function captionOf(moment) {
  return moment.taken_back ? t("web.was_taken_back", { told: textOf(moment) }) : textOf(moment);
}

function drawItem(moment, choose) {
  return el(
    "li",
    { class: moment.taken_back ? "taken-back" : "" },
    el(
      "button",
      { type: "button", click: choose },
      el("span", { class: "turn" }, t("web.turn", { turn: moment.turn })),
      el("span", { class: "text" }, textOf(moment)),
      ...(moment.taken_back ? [el("span", { class: "mark" }, t("web.taken_back"))] : []),
    ),
  );
}

// The list scrolls, the page does not.
function keepInSight(list, item) {
  if (!item) return;
  const { offsetTop: top, offsetHeight: height } = item;
  if (top < list.scrollTop) list.scrollTop = top;
  else if (top + height > list.scrollTop + list.clientHeight) list.scrollTop = top + height - list.clientHeight;
}
