"""`marrakech verify`: scores of correct records, and the first error of others."""

from __future__ import annotations

import io
import sys
from pathlib import Path

import pytest

from companion.cli.main import main

OPEN = """\
marrakech record 1
booklet: fr
player: R Amina
player: Y Bruno
player: B
player: N Dalia
facing: s

1. R S3 d7s lays d6-e6
2. Y E1 e7e lays f7-g7
3. B N1 e6n pays R 2 lays e5-e4
"""

OVER = """\
marrakech record 1
options: two_player=one-colour
player: R Amina
player: B
position: ......./......./......./......./......./......./....... d4s orient R \
R:30:1,B:1:2 two_player=one-colour

1. R S1 d5s lays d6-d7
2. B S1 d6s pays R 1 of 2 is out

count: 1 R 31+2=33
count: 2 B out
"""


@pytest.fixture
def file(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A name without folders, so that the output is known."""
    monkeypatch.chdir(tmp_path)
    return Path("game.txt")


def printed(capsys: pytest.CaptureFixture[str], name: str = "game.txt") -> str:
    assert main(["verify", name]) == 0
    out, err = capsys.readouterr()
    assert err == ""
    return out


def refused(capsys: pytest.CaptureFixture[str], name: str = "game.txt") -> list[str]:
    assert main(["verify", name]) == 2
    out, err = capsys.readouterr()
    assert out == ""
    return err.splitlines()


def test_an_unfinished_game_has_a_score_so_far(
    file: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    file.write_text(OPEN)
    assert printed(capsys) == (
        "game.txt: right as far as it goes, 3 whole turns. So far:\n"
        "1. Amina (red)       34 = 32 dirhams + 2\n"
        "2. Bruno (yellow)    32 = 30 dirhams + 2\n"
        "3. Dalia (brown)     30 = 30 dirhams + 0\n"
        "4. blue              30 = 28 dirhams + 2\n"
        "position: ......./......./......./....B1../....B1../...R1R1../.....Y1Y1 e6n orient N "
        "R:32:11,Y:30:11,B:28:11,N:30:12 -\n"
    )


def test_a_finished_game_has_a_score(file: Path, capsys: pytest.CaptureFixture[str]) -> None:
    file.write_text(OVER)
    assert printed(capsys) == (
        "game.txt: right, 2 turns, the game is over.\n"
        "1. Amina (red)       33 = 31 dirhams + 2\n"
        "2. blue             out\n"
    )


def test_an_unfinished_turn_is_not_counted(file: Path, capsys: pytest.CaptureFixture[str]) -> None:
    file.write_text(OPEN + "4. N W\n")
    first = printed(capsys).splitlines()[0]
    assert first == "game.txt: right as far as it goes, 3 whole turns. So far:"


def test_one_turn_is_singular(file: Path, capsys: pytest.CaptureFixture[str]) -> None:
    file.write_text(OPEN.partition("2. Y")[0])
    first = printed(capsys).splitlines()[0]
    assert first == "game.txt: right as far as it goes, 1 whole turn. So far:"


@pytest.mark.parametrize(
    "text",
    [OPEN.replace("\n", "\r\n"), "\ufeff" + OPEN, OPEN.replace("\n\n", "\n# a remark\n\n")],
    ids=["Windows", "byte order mark", "remark"],
)
def test_byte_order_mark_and_line_ends_do_not_matter(
    text: str, file: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    file.write_bytes(text.encode())
    assert printed(capsys).startswith("game.txt: right as far as it goes, 3 whole turns.")


def test_standard_input_is_read_for_a_dash(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr(sys, "stdin", io.TextIOWrapper(io.BytesIO(OVER.encode())))
    assert printed(capsys, "-").startswith("-: right, 2 turns, the game is over.\n")


def test_an_illegal_action_is_reported_with_its_position(
    file: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    file.write_text(OPEN.replace("pays R 2", "pays R 3"))
    assert refused(capsys) == [
        "marrakech: game.txt: line 11, column 20: the payment is 'pays R 2', not '3'",
        "position: ......./......./......./......./......./...R1R1../.....Y1Y1 e6n lay B "
        "R:32:11,Y:30:11,B:28:12,N:30:12 -",
    ]


def test_a_wrong_score_is_reported(file: Path, capsys: pytest.CaptureFixture[str]) -> None:
    file.write_text(OVER.replace("31+2=33", "31+3=34"))
    assert refused(capsys) == [
        "marrakech: game.txt: line 10, column 8: the count is '1 R 31+2=33', not '1 R 31+3=34'"
    ]


def test_a_file_of_another_kind_is_refused(file: Path, capsys: pytest.CaptureFixture[str]) -> None:
    file.write_text("Dear diary\n")
    error = "marrakech: game.txt: line 1, column 1: a record begins with the line "
    assert refused(capsys) == [f"{error}'marrakech record 1'"]
    file.write_text("")
    assert refused(capsys) == [f"{error}'marrakech record 1'"]


def test_a_missing_file_is_reported_in_one_line(
    file: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    error = "marrakech: cannot read game.txt: No such file or directory"
    assert refused(capsys) == [error]


def test_a_folder_is_refused(file: Path, capsys: pytest.CaptureFixture[str]) -> None:
    file.mkdir()
    assert refused(capsys) == ["marrakech: cannot read game.txt: Is a directory"]


def test_an_empty_file_name_is_refused(capsys: pytest.CaptureFixture[str]) -> None:
    assert refused(capsys, "") == ["marrakech: the file name is empty"]


def test_a_file_of_one_megabyte_is_accepted_and_a_larger_one_is_refused(
    file: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """Filled up with comments."""
    file.write_text(OVER + "#" * (1_000_000 - len(OVER)))
    assert printed(capsys).startswith("game.txt: right, 2 turns, the game is over.\n")
    file.write_text(OVER + "#" * (1_000_001 - len(OVER)))
    too_large = "cannot read game.txt: larger than any game record (1 MB)"
    assert refused(capsys) == [f"marrakech: {too_large}"]


def test_endless_input_is_refused(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    class Endless(io.BytesIO):
        def read(self, size: int | None = -1) -> bytes:
            assert size is not None
            assert size > 0, "asked for everything"
            return b"#" * size

    monkeypatch.setattr(sys, "stdin", io.TextIOWrapper(Endless()))
    too_large = "cannot read -: larger than any game record (1 MB)"
    assert refused(capsys, "-") == [f"marrakech: {too_large}"]


def test_one_dirham_is_singular(file: Path, capsys: pytest.CaptureFixture[str]) -> None:
    file.write_text(OVER.partition("2. B")[0])
    assert printed(capsys).splitlines()[2] == "2. blue               1 = 1 dirham + 0"


def test_invalid_utf_8_is_reported_with_its_offset(
    file: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    file.write_bytes(b"marrakech record 1\nplayer: R Zo\xeb\n")
    error = "marrakech: cannot read game.txt: byte 32 is not UTF-8 text"
    assert refused(capsys) == [error]
