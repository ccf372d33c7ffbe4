"""What docs/table.md tells players is what the companion does."""

from __future__ import annotations

import re
from pathlib import Path

from companion.games.marrakech import BOOKLETS, Phase
from companion.i18n.renderer import TextRenderer
from companion.light.frame import LEDS, lit_bits, render_frame
from companion.light.layout import Layout
from companion.simulator.board_view.board import PHASES
from companion.table.scenes.scene import MATRIX, RAIL, led_at
from companion.table.scenes.stage_scenes import LINK, PENDING, SIMULATED, UNSAVED
from companion.table.scenes.turn_scenes import code_scene
from companion.web.http.sessions import MAX_PHONES, SESSION_S

TEXT = (Path(__file__).parent.parent / "docs" / "table.md").read_text()


def test_booklets_have_the_numbers_that_the_matrix_shows() -> None:
    rows = re.findall(r"^\| (\d+) \| `([\w-]+)` (.+) \|$", TEXT, re.MULTILINE)
    shown = [(str(n), b.code, b.language) for n, b in enumerate(BOOKLETS.values(), start=1)]
    assert rows == shown


def drawn() -> list[list[str]]:
    """The signs of each drawing of the matrix, row by row."""
    rows = re.findall(r"^ ((?:[.psd!~h] ){7}[.psd!~h])", TEXT, re.MULTILINE)
    signs = [sign for row in rows for sign in row.split()]
    return [signs[at : at + LEDS] for at in range(0, len(signs), LEDS)]


def test_the_rail_is_where_the_drawing_has_it() -> None:
    drawing = drawn()[0]
    assert len(drawing) == LEDS
    signs = {led: sign for led, sign in enumerate(drawing) if sign != "."}
    phases = {led_at(MATRIX - 1, phase): "p" for phase in Phase if phase is not Phase.OVER}
    seats = {led_at(seat, MATRIX - 1): "s" for seat in range(4)}
    assert signs == {**phases, **seats, LINK: "d", UNSAVED: "!", SIMULATED: "~", PENDING: "h"}
    assert set(signs) <= RAIL


def test_phases_are_called_as_the_simulator_calls_them() -> None:
    assert (
        f"which phase: {', '.join(map(TextRenderer().render, PHASES.values()))} (from the north)"
        in TEXT
    )


def test_a_rail_along_other_edges_is_where_its_drawing_has_it() -> None:
    usual, moved = drawn()
    assert moved == Layout(rail="north-west").to_chip(usual)


def test_the_code_looks_as_it_is_drawn() -> None:
    rows = re.findall(r"^ ([.#]{8})   ([.#]{8})$", TEXT, re.MULTILINE)
    assert len(rows) == MATRIX
    for drawing, ms in zip(zip(*rows, strict=True), (0, 2000), strict=True):
        light = lit_bits(render_frame(code_scene("0417"), ms))
        assert "".join(drawing) == "".join(".#"[light >> led & 1] for led in range(LEDS))


def test_phones_stay_paired_as_long_as_it_says() -> None:
    text = " ".join(TEXT.split())
    assert f"A phone stays paired for {SESSION_S // 3600} hours, or until " in text
    assert f"There is room for {MAX_PHONES}: the {MAX_PHONES + 1}th takes the place of " in text
