// Keeps words inside their places, whatever the font: what does not fit is drawn smaller, step by step.
// The steps are in the style sheets, as [data-tight="1"] to [data-tight="5"]: the first that fits is taken.

import { find } from "./dom.js";

const STEPS = 5;
const GAP_PX = 4; // between the words or the market and the buttons

export function keepFitting() {
  const changes = new MutationObserver(fitAll);
  changes.observe(document.body, { subtree: true, childList: true, characterData: true, attributeFilter: ["hidden"] });
  window.addEventListener("resize", fitAll);
  fitAll();
}

// Runs before the browser paints what has changed.
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

// On a paired phone: the words and, where it is below them, the market end above the buttons.
function isAbovePad(view) {
  const pad = find("pad");
  const { position, bottom } = getComputedStyle(pad);
  if (pad.offsetHeight === 0 || position !== "sticky") return true;
  const scene = view.querySelector(".scene");
  const payment = find("payment");
  const words = payment.hidden ? view.querySelector(".now") : payment;
  const last = getComputedStyle(scene).display === "contents" ? words : scene;
  const end = last.getBoundingClientRect().bottom + window.scrollY;
  return end + GAP_PX <= window.innerHeight - parseFloat(bottom) - pad.offsetHeight;
}
