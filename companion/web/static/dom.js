// Elements, made by name. Text only ever comes in as text: a player may be called "<script>".

const SVG = "http://www.w3.org/2000/svg";

export function el(tag, attributes, ...children) {
  return fill(document.createElement(tag), attributes, children);
}

export function svg(tag, attributes, ...children) {
  return fill(document.createElementNS(SVG, tag), attributes, children);
}

function fill(node, attributes, children) {
  for (const [name, value] of Object.entries(attributes || {})) {
    if (typeof value === "function") node.addEventListener(name, value);
    else if (value === true) node.setAttribute(name, "");
    else if (value !== false && value !== null && value !== undefined) node.setAttribute(name, value);
  }
  node.append(...children.filter((child) => child !== null && child !== undefined));
  return node;
}

export function find(id) {
  return document.getElementById(id);
}

// What has not changed is left alone, lest a screen reader say it again.
export function say(node, text) {
  if (node.textContent !== text) node.textContent = text;
}

// What comes again is said again. Screen readers compare: a blank at the end makes it another text.
export function announce(node, text) {
  node.textContent = node.textContent === text ? `${text}\u00a0` : text;
}

export function sayList(list, texts) {
  const items = Array.from(list.children, (item) => item.textContent);
  if (items.length !== texts.length || texts.some((text, index) => text !== items[index])) {
    list.replaceChildren(...texts.map((text) => el("li", {}, text)));
  }
  list.hidden = texts.length === 0;
}
