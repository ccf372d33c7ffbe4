"""The whole daemon on the test kernel, played with presses on its pins."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import closing
from pathlib import Path

import pytest
from kernel.inside.header import Header
from kernel.inside.served_table import ServedTable

FIRST_TURNS = (
    "ok ok ok ok",
    "west 2 south east east east north ok",
    "north 4 ok",
    "west 3 south south south north north ok",
    "south 3 ok",
    "1 ok north north north north east ok",
)
"""Of tests/scenario/files/whole_game_with_one_out.txt, where they lead to the same amounts."""
DIRHAMS = [34, 26, 30]
SPI_BYTES = Path("/sys/bus/spi/devices/spi0.0/statistics/bytes_tx")


@pytest.fixture
def table(header: Header, tmp_path: Path) -> Iterator[ServedTable]:
    with closing(ServedTable(tmp_path, header)) as table:
        yield table


def test_first_turns_are_played_with_buttons(table: ServedTable) -> None:
    before = int(SPI_BYTES.read_text())
    for words in FIRST_TURNS:
        table.tap(words)
    snapshot = table.snapshot()
    assert [player["dirhams"] for player in snapshot["game"]["players"]] == DIRHAMS
    assert int(SPI_BYTES.read_text()) > before, "frames were sent to the matrix"
    assert table.stop() == 0
