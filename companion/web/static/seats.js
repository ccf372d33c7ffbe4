// Who sits where, in the form of a new game: a name, and a colour or two.

import { el } from "./dom.js";
import { colourWord, t } from "./words.js";

// Names are written down in `names`, also those of seats that are not there just now; colours begin
// anew when there are more or fewer of them.
export function drawSeats(seats, agreed, names, choices, count, each) {
  const isAgreed = agreed.length === count && agreed[0].colours.length === each;
  const rows = [];
  for (let seat = 0; seat < count; seat += 1) {
    const usual = choices.colours.slice(seat * each, (seat + 1) * each);
    const colours = isAgreed ? agreed[seat].colours : usual;
    rows.push(drawSeat(seats, seat, names, colours, choices));
  }
  seats.replaceChildren(...rows);
  delete seats.dataset.chosen;
}

function drawSeat(seats, seat, names, colours, choices) {
  const input = el("input", {
    name: `name-${seat}`,
    value: names[seat] || "",
    maxlength: choices.limits.longest_name,
    autocomplete: "off",
    input: () => {
      names[seat] = input.value;
    },
  });
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
