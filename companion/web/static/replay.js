// Any moment of a game: a slider, a list of what was told, and the market as it lay then.

import { get } from "./api.js";
import { el, say, svg } from "./dom.js";
import { drawMarket } from "./market.js";
import { drawPlayers } from "./players.js";
import { joined, t, whyNot } from "./words.js";

// `moments` as the history tells them; `path(number)` is where a moment's board is asked for. What
// comes back is {node, follow}: `follow` is told the moments of a game that goes on.
export function makeReplay(moments, path) {
  let at = newestOf(moments);
  let isAsking = false;
  let isDrawn = false; // whether the board is that of `at`
  const picture = svg("svg", { role: "img", class: "market" });
  const caption = el("p", { class: "moment", role: "status" });
  const players = el("ul", { class: "players", hidden: true });
  const slider = el("input", {
    type: "range",
    min: 0,
    "aria-label": t("web.moment"),
    input: () => go(Number(slider.value)),
  });
  const step = (text, label, to) =>
    el("button", { type: "button", class: "step-key", "aria-label": label, click: () => go(to()) }, text);
  const earlier = step("‹", t("web.earlier"), () => at - 1);
  const later = step("›", t("web.later"), () => at + 1);
  const newest = step("»", t("web.newest"), () => newestOf(moments));
  const list = el("ol", { class: "moments", tabindex: 0, "aria-label": t("web.moments") });
  const items = [];

  // Each moment has its line. A line that is there stays, with the finger that is on it.
  function drawList() {
    while (items.length < moments.length) {
      const index = items.length;
      items.push(el("li", {}, el("button", { type: "button", click: () => go(index) })));
      list.append(items[index]);
    }
    items.forEach((item, index) => drawItem(item, moments[index]));
  }

  function drawPlace() {
    slider.max = moments.length - 1; // first: it has no values beyond
    slider.value = at;
    slider.setAttribute("aria-valuetext", captionOf(moments[at]));
    say(caption, captionOf(moments[at]));
    items.forEach((item, index) => item.classList.toggle("current", index === at));
    if (at === newestOf(moments)) newest.classList.remove("has-news");
  }

  async function go(index) {
    at = Math.min(Math.max(index, 0), moments.length - 1);
    drawPlace();
    requestAnimationFrame(() => keepInSight(list, items[at]));
    await drawBoard();
  }

  // However far the slider is pulled, one question at a time, and then for where it is by now.
  async function drawBoard() {
    isDrawn = false;
    if (isAsking) return;
    isAsking = true;
    let index = null;
    let answer = null;
    while (index !== at) {
      index = at;
      answer = await get(path(moments[index].number));
    }
    isAsking = false;
    if (answer.ok) {
      isDrawn = true;
      drawMarket(picture, { game: answer.body });
      drawPlayers(players, answer.body);
    } else {
      say(caption, whyNot(answer));
    }
  }

  // The game goes on: whoever is at its newest moment goes along, and whoever looks at an earlier
  // one stays there. False if this is another game.
  function follow(told) {
    if (!isSameGame(moments, told)) return false;
    const isAlong = at === newestOf(moments);
    const isLooking = isAlong && isInSight(list, items[at]);
    const hasMore = told.length > moments.length;
    moments = told;
    drawList();
    const before = at;
    if (isAlong) at = newestOf(moments);
    else if (hasMore) newest.classList.add("has-news");
    drawPlace();
    if (at !== before || !isDrawn) drawBoard();
    if (isLooking) keepInSight(list, items[at]);
    return true;
  }

  drawList();
  if (moments.length) go(at);
  const node = el(
    "div",
    { class: "replay" },
    el("div", { class: "stage" }, picture, el("div", { class: "wind" }, earlier, slider, later, newest), caption),
    el("div", { class: "told" }, players, list),
  );
  return { node, follow };
}

// Where the game stands: whatever comes after it was taken back.
function newestOf(moments) {
  return Math.max(0, moments.map((moment) => !moment.taken_back).lastIndexOf(true));
}

// A game only ever grows, and a moment of it never says anything else.
function isSameGame(before, now) {
  return now.length >= before.length && before.every((moment, index) => textOf(moment) === textOf(now[index]));
}

function textOf(moment) {
  return joined(moment.words);
}

function captionOf(moment) {
  return moment.taken_back ? t("web.was_taken_back", { told: textOf(moment) }) : textOf(moment);
}

function drawItem(item, moment) {
  const button = item.firstChild;
  if (button.childElementCount && item.classList.contains("taken-back") === moment.taken_back) return;
  item.classList.toggle("taken-back", moment.taken_back);
  button.replaceChildren(
    el("span", { class: "turn" }, t("web.turn", { turn: moment.turn })),
    el("span", { class: "text" }, textOf(moment)),
    ...(moment.taken_back ? [el("span", { class: "mark" }, t("web.taken_back"))] : []),
  );
}

function isInSight(list, { offsetTop: top, offsetHeight: height }) {
  return top + height > list.scrollTop && top < list.scrollTop + list.clientHeight;
}

// The list scrolls, the page does not.
function keepInSight(list, item) {
  if (!item) return;
  const { offsetTop: top, offsetHeight: height } = item;
  if (top < list.scrollTop) list.scrollTop = top;
  else if (top + height > list.scrollTop + list.clientHeight) list.scrollTop = top + height - list.clientHeight;
}
