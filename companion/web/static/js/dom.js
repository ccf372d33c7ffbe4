// Creates and changes elements. Text is only ever added as text: a player may be called "<script>".

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

// Leaves unchanged text alone: a screen reader would read it again.
export function setText(node, text) {
  if (node.textContent !== text) node.textContent = text;
}

// Makes a screen reader read a repeated text again: a blank at the end makes it a different text.
export function announce(node, text) {
  node.textContent = node.textContent === text ? `${text}\u00a0` : text;
}

export function setList(list, texts) {
  const items = Array.from(list.children, (item) => item.textContent);
  if (items.length !== texts.length || texts.some((text, index) => text !== items[index])) {
    list.replaceChildren(...texts.map((text) => el("li", {}, text)));
  }
  list.hidden = texts.length === 0;
}
