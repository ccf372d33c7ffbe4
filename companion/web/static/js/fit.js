// Shrinks text step by step until it fits, whatever the font. The steps are in the style sheets, as
// [data-tight="1"] to [data-tight="5"]; the first that fits is used.

import { find } from "./dom.js";

const STEPS = 5;
const GAP_PX = 4; // between the text or the market and the pad

export function keepFitting() {
  const changes = new MutationObserver(fitAll);
  changes.observe(document.body, { subtree: true, childList: true, characterData: true, attributeFilter: ["hidden"] });
  window.addEventListener("resize", fitAll);
  fitAll();
}

// A mutation observer runs before the browser paints.
function fitAll() {
  for (const node of document.querySelectorAll(".top, table, .player dl")) fit(node, isInWidth);
  const view = find("view-table");
  document.documentElement.style.setProperty("--above", `${view.offsetTop}px`);
  fit(view, isAbovePad);
}

function fit(node, fits) {
  delete node.dataset.tight;
  for (let step = 1; step <= STEPS && !fits(node); step += 1) node.dataset.tight = step;
}

function isInWidth(node) {
  const { clientWidth } = node.parentElement;
  const { paddingLeft, paddingRight } = getComputedStyle(node.parentElement);
  return node.scrollWidth <= Math.ceil(clientWidth - parseFloat(paddingLeft) - parseFloat(paddingRight));
}

// On a paired phone, the text and, if it is below the text, the market must end above the pad.
function isAbovePad(view) {
  const pad = find("pad");
  const { position, bottom } = getComputedStyle(pad);
  if (pad.offsetHeight === 0 || position !== "sticky") return true;
  const scene = view.querySelector(".scene");
  const payment = find("payment");
  const text = payment.hidden ? view.querySelector(".now") : payment;
  const last = getComputedStyle(scene).display === "contents" ? text : scene;
  const end = last.getBoundingClientRect().bottom + window.scrollY;
  return end + GAP_PX <= window.innerHeight - parseFloat(bottom) - pad.offsetHeight;
}
