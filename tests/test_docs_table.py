"""What docs/table.md tells players is what the companion does."""

from __future__ import annotations

import re
from pathlib import Path

from companion.games.marrakech import BOOKLETS, Phase
from companion.table.scene import MATRIX, RAIL, led_at
from companion.table.screenplay import HEARD, LINK, SIMULATED, UNSAVED

TEXT = (Path(__file__).parent.parent / "docs" / "table.md").read_text()


def test_booklets_have_the_numbers_that_the_matrix_shows() -> None:
    rows = re.findall(r"^\| (\d+) \| `([\w-]+)` (.+) \|$", TEXT, re.MULTILINE)
    shown = [(str(n), b.code, b.language) for n, b in enumerate(BOOKLETS.values(), start=1)]
    assert rows == shown


def test_the_rail_is_where_the_drawing_has_it() -> None:
    drawing = re.findall(r"^ ((?:[.psd!~h] ){7}[.psd!~h])", TEXT, re.MULTILINE)
    assert len(drawing) == MATRIX
    signs = {
        led_at(x, y): sign
        for y, row in enumerate(drawing)
        for x, sign in enumerate(row.split())
        if sign != "."
    }
    phases = {led_at(MATRIX - 1, phase): "p" for phase in Phase if phase is not Phase.OVER}
    seats = {led_at(seat, MATRIX - 1): "s" for seat in range(4)}
    assert signs == {**phases, **seats, LINK: "d", UNSAVED: "!", SIMULATED: "~", HEARD: "h"}
    assert set(signs) <= RAIL
