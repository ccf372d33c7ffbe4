// Who sits where, in the form of a new game: a name, and a colour or two.

import { el } from "./dom.js";
import { colourWord, t } from "./words.js";

// Names that were typed stay; colours begin anew when there are more or fewer of them.
export function drawSeats(seats, setup, choices, count, each) {
  const typed = Array.from(seats.querySelectorAll("input"), (input) => input.value);
  const names = typed.length ? typed : setup.names;
  const asked = setup.seats.length === count && setup.seats[0].colours.length === each;
  const rows = [];
  for (let seat = 0; seat < count; seat += 1) {
    const usual = choices.colours.slice(seat * each, (seat + 1) * each);
    const colours = asked ? setup.seats[seat].colours : usual;
    rows.push(drawSeat(seats, seat, names[seat] || "", colours, choices));
  }
  seats.replaceChildren(...rows);
  delete seats.dataset.chosen;
}

function drawSeat(seats, seat, name, colours, choices) {
  const input = el("input", { name: `name-${seat}`, value: name, maxlength: choices.limits.longest_name, autocomplete: "off" });
  return el(
    "fieldset",
    {},
    el("legend", {}, t("web.seat", { seat: seat + 1 })),
    el("label", { class: "field" }, t("web.name"), input),
    ...colours.map((colour, which) => drawColour(seats, `colour-${seat}-${which}`, colour, choices.colours)),
  );
}

// Whoever had the colour gets what this seat had, as at the table.
function drawColour(seats, name, colour, colours) {
  let had = colour;
  const options = colours.map((one) => el("option", { value: one, selected: one === colour }, colourWord(one)));
  const select = el("select", {
    name,
    change: () => {
      const other = Array.from(seats.querySelectorAll("select")).find((one) => one !== select && one.value === select.value);
      if (other) {
        other.value = had;
        other.dispatchEvent(new Event("taken"));
      }
      had = select.value;
      seats.dataset.chosen = "yes";
    },
    taken: () => {
      had = select.value;
    },
  });
  select.append(...options);
  return el("label", { class: "field" }, t("web.colour"), select);
}

// {names, colours}: without colours where nobody has chosen any, and the table has its own.
export function seatsOf(seats) {
  const rows = Array.from(seats.children);
  const names = rows.map((row) => row.querySelector("input").value.trim());
  const colours = rows.map((row) => Array.from(row.querySelectorAll("select"), (select) => select.value));
  return seats.dataset.chosen ? { names, colours } : { names };
}
