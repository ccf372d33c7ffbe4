// The set-up form: number of players, names, colours, booklet and options.

import { get, post } from "./api.js";
import { el, find, setText } from "./dom.js";
import { drawSeats, seatsOf } from "./seats.js";
import { t } from "./words.js";

const RETRY_MS = 2000;

let choices = null;
let isOpen = false;
let tableSetup = null;
let drawnSetup = "";

// Shown to a paired phone during set-up. The form follows the table until the user changes it; then it
// stays until it is submitted.
export async function drawSetup(panel, table, isPaired) {
  if (!isPaired || table.setup === null) {
    panel.hidden = true;
    isOpen = false;
    return;
  }
  tableSetup = table.setup;
  if (isOpen) {
    follow(panel.querySelector("form"));
    return;
  }
  isOpen = true;
  await loadChoices();
  if (!isOpen) return;
  panel.hidden = false;
  panel.replaceChildren(
    el("h2", {}, t("web.setup")),
    makeForm(tableSetup),
    el("p", { role: "status", id: "setup-status" }),
  );
}

async function loadChoices() {
  while (isOpen && choices === null) {
    const answer = await get("/api/setup");
    if (answer.ok) choices = answer.body;
    else await new Promise((done) => setTimeout(done, RETRY_MS));
  }
}

function follow(form) {
  if (!form || form.dataset.touched || JSON.stringify(tableSetup) === drawnSetup) return;
  const focused = form.contains(document.activeElement) ? document.activeElement.name : "";
  const next = makeForm(tableSetup);
  next.querySelector("details").open = form.querySelector("details").open;
  form.replaceWith(next);
  if (focused && next.elements[focused]) next.elements[focused].focus();
}

function selectField(name, label, values, chosen) {
  const options = values.map(([value, text]) => el("option", { value, selected: String(value) === String(chosen) }, text));
  return el("label", { class: "field" }, label, el("select", { name }, ...options));
}

function makeForm(setup) {
  drawnSetup = JSON.stringify(setup);
  const seats = el("div", { class: "seats" });
  const { least, most } = choices.limits.players;
  const counts = [];
  for (let count = least; count <= most; count += 1) counts.push([count, String(count)]);
  const form = el(
    "form",
    { class: "setup-form", submit: send },
    selectField("players", t("web.players"), counts, setup.players),
    seats,
    selectField("booklet", t("web.booklet"), choices.booklets.map((one) => [one.id, one.title]), setup.booklet),
    el("details", {}, el("summary", {}, t("web.options")), ...choices.options.map((one) => drawOption(one, setup))),
    el("button", { type: "submit", name: "propose", class: "action" }, t("web.propose")),
  );
  form.addEventListener("input", () => {
    form.dataset.touched = "yes";
  });
  const names = setup.names.slice();
  let shape = "";
  const redraw = () => {
    const count = Number(form.elements.players.value);
    const each = coloursEach(form);
    if (shape === `${count} ${each}`) return;
    shape = `${count} ${each}`;
    drawSeats(seats, setup.seats, names, choices, count, each);
  };
  for (const name of ["players", "booklet", "option-two_player"]) {
    form.elements[name].addEventListener("change", redraw);
  }
  redraw();
  return form;
}

// The value of an option by a booklet: its own, or the default, which is the first.
function bookletValue(booklet, name) {
  const { options } = choices.booklets.find((one) => one.id === booklet);
  return options[name] || choices.options.find((one) => one.name === name).values[0].value;
}

function drawOption(option, setup) {
  const values = [["", t("web.as_booklet")], ...option.values.map((one) => [one.value, one.meaning])];
  const value = setup.options[option.name];
  const chosen = value === bookletValue(setup.booklet, option.name) ? "" : value;
  return selectField(`option-${option.name}`, option.title, values, chosen);
}

function coloursEach({ elements }) {
  if (Number(elements.players.value) !== 2) return 1;
  const rule = elements["option-two_player"].value || bookletValue(elements.booklet.value, "two_player");
  return rule === "one-colour" ? 1 : 2;
}

async function send(event) {
  event.preventDefault();
  const form = event.target;
  const booklet = form.elements.booklet.value;
  const options = {};
  for (const { name } of choices.options) {
    options[name] = form.elements[`option-${name}`].value || bookletValue(booklet, name);
  }
  const answer = await post("/api/setup", {
    players: Number(form.elements.players.value),
    ...seatsOf(form.querySelector(".seats")),
    booklet,
    options,
  });
  const error = answer.body && answer.body.error;
  const isAccepted = answer.ok && !error;
  if (isAccepted) delete form.dataset.touched;
  setText(find("setup-status"), isAccepted ? t("web.proposed") : error || t("web.press_lost"));
}
