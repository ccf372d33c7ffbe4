// The replay of a game: a slider, a list of moments, and the market at the chosen moment.

import { get } from "./api.js";
import { el, setText, svg } from "./dom.js";
import { drawMarket } from "./market.js";
import { drawPlayers } from "./players.js";
import { errorText, joinSentences, t } from "./words.js";

// `moments`: as /api/history has them; `path(number)`: the URL of a moment's game. Returns {node, follow}:
// call `follow` with the new moments of a game that goes on.
export function makeReplay(moments, path) {
  let current = newestOf(moments);
  let isLoading = false;
  let isDrawn = false; // whether the board shows the current moment
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
  const earlier = step("‹", t("web.earlier"), () => current - 1);
  const later = step("›", t("web.later"), () => current + 1);
  const newest = step("»", t("web.newest"), () => newestOf(moments));
  const list = el("ol", { class: "moments", tabindex: 0, "aria-label": t("web.moments") });
  const items = [];

  // Existing items stay in the list, with their focus.
  function drawList() {
    while (items.length < moments.length) {
      const index = items.length;
      items.push(el("li", {}, el("button", { type: "button", click: () => go(index) })));
      list.append(items[index]);
    }
    items.forEach((item, index) => drawItem(item, moments[index]));
  }

  function drawPosition() {
    slider.max = moments.length - 1; // first: it limits the value
    slider.value = current;
    slider.setAttribute("aria-valuetext", captionOf(moments[current]));
    setText(caption, captionOf(moments[current]));
    items.forEach((item, index) => item.classList.toggle("current", index === current));
    if (current === newestOf(moments)) newest.classList.remove("has-news");
  }

  async function go(index) {
    current = Math.min(Math.max(index, 0), moments.length - 1);
    drawPosition();
    requestAnimationFrame(() => scrollIntoList(list, items[current]));
    await drawBoard();
  }

  // Sends one request at a time, then the next for where the slider is by now.
  async function drawBoard() {
    isDrawn = false;
    if (isLoading) return;
    isLoading = true;
    let index = null;
    let answer = null;
    while (index !== current) {
      index = current;
      answer = await get(path(moments[index].number));
    }
    isLoading = false;
    if (answer.ok) {
      isDrawn = true;
      drawMarket(picture, { game: answer.body });
      drawPlayers(players, answer.body);
    } else {
      setText(caption, errorText(answer));
    }
  }

  // Updates the moments. At the newest moment, the view follows the game; at an earlier one it stays.
  // Returns false if this is another game.
  function follow(updated) {
    if (!isSameGame(moments, updated)) return false;
    const isAtNewest = current === newestOf(moments);
    const isVisible = isAtNewest && isInView(list, items[current]);
    const hasMore = updated.length > moments.length;
    moments = updated;
    drawList();
    const before = current;
    if (isAtNewest) current = newestOf(moments);
    else if (hasMore) newest.classList.add("has-news");
    drawPosition();
    if (current !== before || !isDrawn) drawBoard();
    if (isVisible) scrollIntoList(list, items[current]);
    return true;
  }

  drawList();
  if (moments.length) go(current);
  const node = el(
    "div",
    { class: "replay" },
    el("div", { class: "stage" }, picture, el("div", { class: "wind" }, earlier, slider, later, newest), caption),
    el("div", { class: "details" }, players, list),
  );
  return { node, follow };
}

// The last moment that was not taken back.
function newestOf(moments) {
  return Math.max(0, moments.map((moment) => !moment.taken_back).lastIndexOf(true));
}

// Moments of a game are only added, and their text never changes.
function isSameGame(before, now) {
  return now.length >= before.length && before.every((moment, index) => textOf(moment) === textOf(now[index]));
}

function textOf(moment) {
  return joinSentences(moment.words);
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

function isInView(list, { offsetTop: top, offsetHeight: height }) {
  return top + height > list.scrollTop && top < list.scrollTop + list.clientHeight;
}

// Scrolls the list, not the page.
function scrollIntoList(list, item) {
  if (!item) return;
  const { offsetTop: top, offsetHeight: height } = item;
  if (top < list.scrollTop) list.scrollTop = top;
  else if (top + height > list.scrollTop + list.clientHeight) list.scrollTop = top + height - list.clientHeight;
}
