// The seats of the set-up form: a name, and one or two colours.

import { el } from "./dom.js";
import { colourName, t } from "./words.js";

// Keeps names in `names`, also those of seats that are removed for now. Colours are reset when their number
// changes.
export function drawSeats(seats, agreed, names, choices, count, each) {
  const isAgreed = agreed.length === count && agreed[0].colours.length === each;
  const rows = [];
  for (let seat = 0; seat < count; seat += 1) {
    const defaults = choices.colours.slice(seat * each, (seat + 1) * each);
    const colours = isAgreed ? agreed[seat].colours : defaults;
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

// Choosing a taken colour swaps the two colours, as at the table.
function drawColour(seats, name, colour, colours) {
  let previous = colour;
  const options = colours.map((one) => el("option", { value: one, selected: one === colour }, colourName(one)));
  const select = el("select", {
    name,
    change: () => {
      const other = Array.from(seats.querySelectorAll("select")).find((one) => one !== select && one.value === select.value);
      if (other) {
        other.value = previous;
        other.dispatchEvent(new Event("taken"));
      }
      previous = select.value;
      seats.dataset.chosen = "yes";
    },
    taken: () => {
      previous = select.value;
    },
  });
  select.append(...options);
  return el("label", { class: "field" }, t("web.colour"), select);
}

// Returns {names, colours}, without colours if none were chosen.
export function seatsOf(seats) {
  const rows = Array.from(seats.children);
  const names = rows.map((row) => row.querySelector("input").value.trim());
  const colours = rows.map((row) => Array.from(row.querySelectorAll("select"), (select) => select.value));
  return seats.dataset.chosen ? { names, colours } : { names };
}
