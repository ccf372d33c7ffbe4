"""All wires of the table and the pad, and the current of the matrix."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from itertools import pairwise

from hardware.header import AHCT125_NAMES
from hardware.pinout import HeaderPin, Pinout

PI, SHIFTER, MAX7219, APA102 = "Pi", "74AHCT125", "MAX7219", "APA102"
SUPPLY, NANO = "5 V supply", "Nano"
LEDS = 64

Place = tuple[str, str]
"""A part, and its pin."""


@dataclass(frozen=True, slots=True)
class Wire:
    """`build` is the build that needs it: a key of `tables.SECTIONS`."""

    build: str
    start: Place
    end: Place
    colour: str
    is_power: bool = False
    resistor: str = ""
    """The value of a resistor in series with the wire."""

    @property
    def ends(self) -> tuple[Place, Place]:
        return self.start, self.end


def header_place(each: HeaderPin) -> Place:
    """A pin of the header: physical number and BCM number or name."""
    if each.bcm is None:
        return PI, f"{each.pin} ({'5V' if each.name == '5v' else 'GND'})"
    return PI, f"{each.pin} (BCM {each.bcm})"


def shifter_place(pin: int) -> Place:
    return SHIFTER, f"{pin} ({AHCT125_NAMES[pin]})"


def table_wires(pinout: Pinout) -> list[Wire]:
    """All wires of the table, without the pad."""
    return [
        *_matrix_wires(pinout),
        *_contact_wires("both", pinout.buttons, pinout.power["ground_buttons"], "button"),
        *_contact_wires("die keys", pinout.die_keys, pinout.power["ground_die_keys"], "die key"),
        *_contact_wires(
            "power button", pinout.power_button, pinout.power["ground_power_button"], "button"
        ),
    ]


def _matrix_wires(pinout: Pinout) -> list[Wire]:
    ground, five = pinout.power["ground_matrix"], pinout.power["5v"]
    vcc, gnd = shifter_place(pinout.shifter_vcc), shifter_place(pinout.shifter_ground)
    red, black = five.wire, ground.wire
    wires = []
    for name, each in pinout.spi.items():
        end = shifter_place(pinout.gates[name].input)
        wires.append(
            Wire("both", header_place(each), end, each.wire, resistor=pinout.shifter_resistor)
        )
    for name, each in pinout.spi.items():
        out = shifter_place(pinout.gates[name].output)
        has_resistor = name in pinout.output_resistors
        for build, matrix, pins in (
            ("console", MAX7219, pinout.max7219),
            ("frame", APA102, pinout.apa102),
        ):
            if name in pins:
                resistor = pinout.shifter_resistor if has_resistor else ""
                wires.append(Wire(build, out, (matrix, pins[name]), each.wire, resistor=resistor))
    wires.append(Wire("both", header_place(ground), gnd, black, True))
    grounded = [*(gate.enable for gate in pinout.gates.values()), pinout.spare_input]
    # A chain down one side and up the other: no row of a breadboard has room for all of them.
    around = sorted(grounded, key=lambda pin: (pin > pinout.shifter_ground, -pin))
    wires += [
        *_chain("both", [gnd, *map(shifter_place, around)], black),
        Wire("both", shifter_place(pinout.spare_enable), vcc, red, True),
        Wire("console", header_place(five), vcc, red, True),
        Wire("console", vcc, (MAX7219, pinout.max7219["vcc"]), red, True),
        Wire("console", gnd, (MAX7219, pinout.max7219["ground"]), black, True),
        Wire("frame", (SUPPLY, "+"), vcc, red, True),
        Wire("frame", (SUPPLY, "+"), (APA102, pinout.apa102["vcc"]), red, True),
        Wire("frame", (SUPPLY, "−"), gnd, black, True),
        Wire("frame", (SUPPLY, "−"), (APA102, pinout.apa102["ground"]), black, True),
    ]
    return wires


def _contact_wires(
    build: str, pins: Mapping[str, HeaderPin], ground: HeaderPin, kind: str
) -> Iterator[Wire]:
    """A wire to one leg of each contact; ground is chained through the other legs."""
    for name, each in pins.items():
        yield Wire(build, header_place(each), (contact_name(kind, name), "leg 1"), each.wire)
    legs = [(contact_name(kind, name), "leg 2") for name in pins]
    yield from _chain(build, [header_place(ground), *legs], ground.wire)


def _chain(build: str, places: list[Place], colour: str) -> Iterator[Wire]:
    """Wires from each place to the next."""
    for start, end in pairwise(places):
        yield Wire(build, start, end, colour, True)


def contact_name(kind: str, name: str) -> str:
    return f"{kind} {name.upper()}"


def pad_wires(pinout: Pinout) -> list[Wire]:
    """All wires of the die pad."""
    ground = (NANO, pinout.pad_ground)
    keys = pinout.pad_keys.items()
    led, anode = pinout.pad_led, ("LED", "long leg (+)")
    return [
        *(
            Wire("pad", (NANO, each.nano), (contact_name("key", name), "leg 1"), each.wire)
            for name, each in keys
        ),
        *_chain(
            "pad", [ground, *((contact_name("key", name), "leg 2") for name, _ in keys)], "black"
        ),
        Wire("pad LED", (NANO, led.nano), anode, led.wire, resistor=pinout.pad_resistor),
        Wire("pad LED", ground, ("LED", "short leg (−)"), "black", True),
    ]


# --- Jumper wires -------------------------------------------------------------------------

FEMALE, MALE = "female", "male"


def jumper_counts(wires: Iterable[Wire]) -> Counter[str]:
    """How many jumper wires of which ends, such as `female to male`.

    Boards have pins, which take a female end. A breadboard, with the shifter and with buttons
    that have legs, takes a male end. A resistor is plugged in beside the pin of the shifter, so
    its wire stays one wire.
    """
    genders = {PI: FEMALE, NANO: FEMALE, MAX7219: FEMALE}
    ends = (sorted(genders.get(part, MALE) for part, _ in wire.ends) for wire in wires)
    return Counter(" to ".join(each) for each in ends)


# --- Current ------------------------------------------------------------------------------


def apa102_ma(pinout: Pinout, brightness: int) -> int:
    """All 64 LEDs white at a brightness of 0 to 15, of the chip's 31 steps."""
    each = pinout.current["apa102_white"] * brightness / pinout.current["apa102_steps"]
    return round(LEDS * (each + pinout.current["apa102_dark"]))


def apa102_full_ma(pinout: Pinout) -> int:
    """All 64 LEDs white at step 31, which the companion does not use."""
    return LEDS * pinout.current["apa102_white"]


def max7219_ma(pinout: Pinout, brightness: int) -> int:
    """All 64 LEDs lit: the duty cycle of the chip is (2 n + 1) / 32."""
    return round(pinout.current["max7219_full"] * (2 * brightness + 1) / 32)
