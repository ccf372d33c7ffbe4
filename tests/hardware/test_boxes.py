"""What is bought fits into the printed boxes, is held there, and can be plugged in.

Every part is a stand-in: cubes and cylinders with the dimensions of its data sheet or drawing, not
those of parameters.scad. OpenSCAD computes what it has in common with the printed solids.
"""

from __future__ import annotations

from pathlib import Path

import pytest
from helpers.requirements import need_tools
from helpers.solids import overlaps

pytestmark = pytest.mark.openscad

# The largest moulded bodies: USB Type-C 12.35 x 6.5 and Micro-USB 10.6 x 8.5 by specification,
# mini-USB as sold.
PLUGS = {"USB-C": (12.35, 6.5), "micro-USB": (10.6, 8.5), "mini-USB": (11.0, 9.0)}
MOVES = {
    "west": (-1, 0, 0),
    "east": (1, 0, 0),
    "south": (0, -1, 0),
    "north": (0, 1, 0),
    "down": (0, 0, -1),
    "up": (0, 0, 1),
}


@pytest.fixture(autouse=True, scope="module")
def openscad() -> None:
    need_tools({"openscad": "openscad"})


def cube(at: tuple[float, float, float], size: tuple[float, float, float]) -> str:
    return f"translate({list(at)}) cube({list(size)});"


def moved(statements: str, by: tuple[float, float, float]) -> str:
    return f"translate({list(by)}) {{ {statements} }}"


# --- The Nano in the pad ------------------------------------------------------------------

# From the middle of its western edge, at the underside of its board: 1.7 x 0.7 inches, two rows of
# 15 pins with 2.54 mm, 15.24 mm apart. A header is 2.5 mm of plastic and 6 mm of pin; the socket of
# a jumper wire is 14 mm long.
NANO_BOARD = cube((0, -8.89, 0), (43.18, 17.78, 1.6))
NANO_SOCKET = cube((-1.3, -3.85, 1.6), (9.2, 7.7, 3.9))
HEADERS = "".join(cube((2.54, y - 1.27, -2.5), (38.1, 2.54, 2.5)) for y in (-7.62, 7.62))
SOCKETS = "".join(cube((2.54, y - 1.27, -16.5), (38.1, 2.54, 14)) for y in (-7.62, 7.62))
PAD = "pad_tray(); translate([0, 0, height]) pad_panel();"


def test_a_nano_with_soldered_headers_and_jumper_sockets_fits_into_the_pad(tmp_path: Path) -> None:
    nano = (NANO_BOARD, NANO_SOCKET, HEADERS, SOCKETS)
    placed = [f"translate(nano_at) {{ {each} }}" for each in nano]
    assert overlaps(tmp_path, "pad_enclosure", PAD, *placed) == [0] * 4


def test_the_nano_can_move_less_than_a_millimetre(tmp_path: Path) -> None:
    nano = NANO_BOARD + NANO_SOCKET
    ways = [f"translate(nano_at) {{ {moved(nano, by)} }}" for by in MOVES.values()]
    found = overlaps(tmp_path, "pad_enclosure", PAD, *ways)
    assert [way for way, stopped in zip(MOVES, found, strict=True) if stopped <= 0] == []


def test_the_body_of_a_plug_goes_through_the_wall_of_the_pad(tmp_path: Path) -> None:
    """Up to the socket, 1.3 mm west of the board; its middle is that of the socket."""
    bodies = [
        f"translate(nano_at) {cube((-31.3, -width / 2, 3.55 - tall / 2), (30, width, tall))}"
        for width, tall in PLUGS.values()
    ]
    assert overlaps(tmp_path, "pad_enclosure", PAD, *bodies) == [0] * 3


def test_the_keys_of_the_pad_are_not_over_the_nano(tmp_path: Path) -> None:
    """Buttons of 12 mm: a nut of 15 mm, 24 mm deep with their wires."""
    nano = f"translate(nano_at) {{ {NANO_BOARD + NANO_SOCKET + SOCKETS} }}"
    keys = (
        "translate([0, 0, height - 24]) at(concat(die_keys, [roll_at])) cylinder(d = 15, h = 24);"
    )
    assert overlaps(tmp_path, "pad_enclosure", keys, nano, "pad_tray();") == [0, 0]


# --- The matrix in the button box ---------------------------------------------------------

# From the middle of the face of its LEDs: a block of 32 x 32 x 8 mm with LEDs of 3 mm every 4 mm,
# on a board of 50 x 32 mm; 15 mm from face to back.
BLOCK = cube((-16, -16, -8), (32, 32, 8))
BACK = cube((-25, -16, -15), (50, 32, 2))
LEDS = (
    "for (x = [0 : 7], y = [0 : 7]) translate([4 * x - 14, 4 * y - 14, 0]) cylinder(d = 3, h = 5);"
)
BOX = "button_panel(); translate([0, 0, -clamp_post]) clamp();"


def test_the_matrix_is_held_in_the_button_box(tmp_path: Path) -> None:
    """The panel stops it in five directions, the clamp in the sixth: that one presses on it."""
    block = [f"translate(module_at) {{ {moved(BLOCK + BACK, by)} }}" for by in MOVES.values()]
    found = overlaps(tmp_path, "button_box", BOX, *block)
    assert [way for way, stopped in zip(MOVES, found, strict=True) if stopped <= 0] == []


def test_the_matrix_goes_into_its_place_and_the_clamp_presses_on_its_board(tmp_path: Path) -> None:
    module = f"translate(module_at) {{ {BLOCK + BACK} }}"
    clamp = "translate([0, 0, -clamp_post]) clamp();"
    assert overlaps(tmp_path, "button_box", module, "button_panel();", clamp) == [
        0,
        pytest.approx(12 * 32 * 0.4),
    ]


def test_every_led_of_the_matrix_is_visible(tmp_path: Path) -> None:
    leds = f"translate(module_at) {LEDS}"
    assert overlaps(tmp_path, "button_box", "button_panel();", leds) == [0]


def test_the_module_and_its_clamp_fit_into_the_tray(tmp_path: Path) -> None:
    """With the heads of the screws, 3 mm high."""
    module = f"translate([0, 0, height]) {{ {BOX} translate(module_at) {{ {BACK} }} }}"
    heads = (
        "translate([0, 0, height - clamp_post - wall - 3]) at(clamp_posts) cylinder(d = 6, h = 3);"
    )
    assert overlaps(tmp_path, "button_box", "button_tray();", module, heads) == [0, 0]


@pytest.mark.parametrize("has_matrix", ["true", "false"])
def test_a_power_button_fits_through_the_northern_wall(has_matrix: str, tmp_path: Path) -> None:
    """12 mm, 24 mm deep with its wires; it touches no other button and no part of the module."""
    at = "translate([power_at, size[1] + 5, height / 2])"
    body = f"{at} rotate([90, 0, 0]) cylinder(d = 12, h = 31);"
    others = "translate([0, 0, height - 24]) at(buttons) cylinder(d = 15, h = 24);"
    module = (
        f"if (has_matrix) translate([0, 0, height]) {{ {BOX} translate(module_at) {{ {BACK} }} }}"
    )
    found = overlaps(
        tmp_path, "button_box", body, "button_tray();", others, module,
        setting=f"has_power_button=true;has_matrix={has_matrix}",
    )  # fmt: skip
    assert found == [0, 0, 0]


# --- The Pi in its box --------------------------------------------------------------------

# From the south-western corner of the board, at its underside; from the mechanical drawings. The
# sockets in the east: the middle and the width of each, and its height.
USB_A, ETHERNET = (15, 16.0), (16.5, 13.6)
EAST = {
    "Pi 3": [(29, *USB_A), (47, *USB_A), (10.25, *ETHERNET)],
    "Pi 4": [(9, *USB_A), (27, *USB_A), (45.75, *ETHERNET)],
    "Pi 5": [(29.1, *USB_A), (47, *USB_A), (10.2, *ETHERNET)],
}
POWER = {"Pi 3": (10.6, "micro-USB"), "Pi 4": (11.2, "USB-C"), "Pi 5": (11.2, "USB-C")}
HOLES = [(x, y) for x in (3.5, 61.5) for y in (3.5, 52.5)]
ZERO_HOLES = [(x, y) for x in (3.5, 61.5) for y in (3.5, 26.5)]
PI_BOX = "pi_tray(); translate([0, 0, height]) pi_panel();"
ZERO = "pi_is_zero=true"


def header_sockets(north: float) -> str:
    """Jumper sockets on all pins, and 4 mm for the bend of their wires."""
    return cube((7.1, north - 6.1, 1.6), (50.8, 5.1, 20.5))


def plug(middle: float, kind: str) -> str:
    """Up to the socket, which sticks out by 1 mm."""
    width, tall = PLUGS[kind]
    return cube((middle - width / 2, -31, 3.2 - tall / 2), (width, 30, tall))


@pytest.mark.parametrize("model", EAST)
def test_a_pi_fits_with_its_plugs_and_its_header_wires(model: str, tmp_path: Path) -> None:
    board = cube((0, 0, 0), (85, 56, 1.6)) + header_sockets(56)
    # To 3 mm beyond the board, and from there plugs of the same width.
    sockets = "".join(
        cube((65, middle - width / 2, 1.6), (48, width, tall))
        for middle, width, tall in EAST[model]
    )
    under = cube((7, 7, -2.5), (71, 42, 2.5)) + cube((-2.5, 22, -2), (10, 12, 2))  # joints, card
    parts = [board, sockets, under, plug(*POWER[model])]
    placed = [f"translate(pi_at) {{ {each} }}" for each in parts]
    assert overlaps(tmp_path, "pi_box", PI_BOX, *placed) == [0] * 4


def test_a_zero_2_w_fits_with_its_plugs_and_its_header_wires(tmp_path: Path) -> None:
    board = cube((0, 0, 0), (65, 30, 1.6)) + header_sockets(30)
    plugs = plug(41.4, "micro-USB"), plug(54, "micro-USB")
    card = cube((-2.5, 11, -2), (10, 12, 5))
    placed = [f"translate(pi_at) {{ {each} }}" for each in (board, *plugs, card)]
    assert overlaps(tmp_path, "pi_box", PI_BOX, *placed, setting=ZERO) == [0] * 4


@pytest.mark.parametrize(
    ("holes", "setting"), [(HOLES, "pi_is_zero=false"), (ZERO_HOLES, ZERO)], ids=["Pi", "Zero 2 W"]
)
def test_a_screw_post_is_under_each_hole_of_the_pi(
    holes: list[tuple[float, float]], setting: str, tmp_path: Path
) -> None:
    """M2.5: 2 mm of hole, and plastic all around it."""
    bores, rings = (
        "".join(
            f"translate([{x}, {y}, -4]) difference() {{ cylinder(d = {outer}, h = 4); "
            f"translate([0, 0, -1]) cylinder(d = {inner}, h = 6); }}"
            for x, y in holes
        )
        for outer, inner in ((2, 0.01), (5, 2.2))
    )
    placed = [f"translate(pi_at) {{ {each} }}" for each in (bores, rings)]
    hole, post = overlaps(tmp_path, "pi_box", "pi_tray();", *placed, setting=setting)
    assert hole == 0
    (whole,) = overlaps(tmp_path, "pi_box", placed[1], placed[1], setting=setting)
    assert post == pytest.approx(whole, rel=0.01)  # the file has six digits of each corner


@pytest.mark.parametrize("setting", ["pi_is_zero=false", ZERO])
def test_the_breadboard_with_its_wires_fits_beside_the_pi(setting: str, tmp_path: Path) -> None:
    """400 points: 83 x 55 x 9 mm, with plugs of 14 mm in it; a rib stops it on every side."""
    at = "translate([breadboard_at[0] + 0.5, breadboard_at[1] + 0.5, wall])"
    board, wires = cube((0, 0, 0), (83, 55, 9)), cube((2, 2, 9), (79, 51, 19))
    ways = [moved(board, by) for by in ((-1, 0, 0), (1, 0, 0), (0, -1, 0), (0, 1, 0))]
    found = overlaps(
        tmp_path, "pi_box", PI_BOX,
        *(f"{at} {{ {each} }}" for each in (board, wires, *ways)),
        setting=setting,
    )  # fmt: skip
    assert found[:2] == [0, 0]
    assert min(found[2:]) > 0


def test_air_and_wires_have_their_openings(tmp_path: Path) -> None:
    """8 cm² over the Pi, and 20 jumper plugs of 2.6 mm side by side under the rim of the lid."""
    over = "translate([pi_at[0], pi_at[1], 0.5]) cube([pi_size[0], pi_size[1], 1]);"
    wires = "translate([size[0] / 2 - 13, size[1] - 5, height - 8]) cube([26, 10, 5.2]);"
    closed, wall = overlaps(tmp_path, "pi_box", PI_BOX, f"translate([0, 0, height]) {over}", wires)
    assert 85 * 56 - closed > 800
    assert wall == 0
