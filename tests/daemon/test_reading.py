"""A journal says all that was written and nothing else, whatever has happened to its bytes."""

from __future__ import annotations

import re
from contextlib import suppress
from itertools import accumulate
from pathlib import Path
from zlib import crc32

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from companion.daemon import line as line_module
from companion.daemon.line import Members, decode_line, encode_line
from companion.daemon.reading import (
    JournalDamagedError,
    JournalError,
    JournalUnreadableError,
    JournalVersionError,
    Reading,
    parse_journal,
    read_journal,
)

HEADER: Members = {"players": ["Zoë", "نور"], "options": {"booklet": "2007"}}
ENTRIES: list[Members] = [
    {"told": "turn", "to": "east"},
    {"told": "roll", "pips": 3, "hash": "0f"},
    {"told": "pay", "to": "Zoë", "note": 'line\nbreak,\u2028 {"crc":"'},
    {"told": "lay", "squares": [[0, 1], [0, 2]], "is_last": False},
]

json_values = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats(allow_nan=False, allow_infinity=False)
    | st.text(),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(), inner, max_size=3),
    max_leaves=8,
)  # fmt: skip
some_members = st.dictionaries(
    st.text().filter(lambda name: name not in ("crc", "seq", "journal", "game")),
    json_values,
    max_size=4,
)


def lines_of(header: Members, entries: list[Members]) -> list[bytes]:
    first = encode_line(0, {"journal": 1, "game": "marrakech", **header})
    return [first, *(encode_line(n, entry) for n, entry in enumerate(entries, 1))]


LINES = lines_of(HEADER, ENTRIES)
DATA = b"".join(LINES)


def damage(data: bytes) -> JournalDamagedError:
    with pytest.raises(JournalDamagedError) as caught:
        parse_journal(data, Path("game.jsonl"))
    return caught.value


def test_a_line_is_written_as_its_module_says() -> None:
    written = encode_line(7, {"told": "roll", "pips": 3})
    assert written == b'{"crc":"d2427d22","seq":7,"told":"roll","pips":3}\n'
    assert written.decode().rstrip() in (line_module.__doc__ or "")
    assert written[8:16] == b"%08x" % crc32(written[18:-1])


def test_letters_are_written_as_they_are() -> None:
    assert "نور".encode() in encode_line(1, {"name": "نور"})


def test_half_of_a_surrogate_pair_is_valid_utf_8_and_comes_back() -> None:
    line = encode_line(1, {"name": "a\ud83db"})
    assert r'"name":"a\ud83db"' in line.decode()
    assert decode_line(line.rstrip()) == {"seq": 1, "name": "a\ud83db"}


@pytest.mark.parametrize("members", [{"x": float("nan")}, {"x": {1, 2}}])
def test_what_json_cannot_say_is_not_written(members: Members) -> None:
    with pytest.raises((TypeError, ValueError)):
        encode_line(1, members)


@given(some_members, st.lists(some_members, max_size=5))
def test_what_was_written_is_read(header: Members, entries: list[Members]) -> None:
    data = b"".join(lines_of(header, entries))
    assert parse_journal(data) == Reading(header, entries, good_bytes=len(data), torn=0)


def test_a_journal_cut_anywhere_has_exactly_the_lines_that_are_whole() -> None:
    ends = [0, *accumulate(map(len, LINES))]
    for length in range(len(DATA) + 1):
        whole = sum(end <= length for end in ends) - 1
        header = HEADER if whole else None
        good = ends[whole]
        expected = Reading(header, ENTRIES[: max(0, whole - 1)], good, length - good)
        assert parse_journal(DATA[:length]) == expected
        zeros = parse_journal(DATA[:length] + bytes(100))
        assert zeros == Reading(header, expected.entries, good, length - good + 100)


def test_every_flipped_bit_is_found() -> None:
    """In the last line it is a torn tail; before it, damage at that very line."""
    last = len(DATA) - len(LINES[-1])
    ends = list(accumulate(map(len, LINES)))
    for at in range(len(DATA)):
        number = sum(end <= at for end in ends)
        for bit in range(8):
            data = bytearray(DATA)
            data[at] ^= 1 << bit
            if at >= last:
                expected = Reading(HEADER, ENTRIES[:-1], last, len(LINES[-1]))
                assert parse_journal(bytes(data)) == expected
            else:
                error = damage(bytes(data))
                assert error.line == number + 1
                assert error.intact.entries == ENTRIES[: max(0, number - 1)]
                assert error.intact.good_bytes == ([0, *ends])[number]


@given(some_members, st.lists(some_members, min_size=1, max_size=4), st.data())
def test_damaged_bytes_never_say_something_new(
    header: Members, entries: list[Members], data: st.DataObject
) -> None:
    lines = lines_of(header, entries)
    journal = bytearray(b"".join(lines))
    at = data.draw(st.integers(0, len(journal) - 1))
    garbage = data.draw(st.binary(min_size=1, max_size=4))
    journal[at : at + data.draw(st.integers(0, 4))] = garbage
    try:
        reading = parse_journal(bytes(journal))
    except JournalDamagedError as error:
        reading = error.intact
    assert reading.header in (None, header)
    assert reading.entries == entries[: len(reading.entries)]
    assert bytes(journal[: reading.good_bytes]) == b"".join(lines[: reading.next_seq])


@given(st.binary(max_size=200))
@example(b'{"crc":"00000000",\n')
@example(b'{"crc":"00000000","seq":0}\n' * 2)
@example(b"[" * 100_000)
@example(LINES[0][:-1] + b"\0\n" + LINES[0])
def test_garbage_is_no_journal_or_a_typed_error(data: bytes) -> None:
    with suppress(JournalError):
        assert parse_journal(data).header is None


def test_a_line_with_a_right_checksum_that_is_no_json_is_not_read() -> None:
    for covered in [
        b"",
        b'"seq":1',
        b'"seq":1}}',
        b'"seq":"1"}',
        b'"told":1}',
        b'"seq":1,"a":\xff}',
    ]:
        line = b'{"crc":"%08x",%b' % (crc32(covered), covered)
        assert decode_line(line) is None
        assert parse_journal(LINES[0] + line + b"\n").torn == len(line) + 1


@pytest.mark.parametrize(
    ("data", "torn"),
    [(b"", 0), (b"\0" * 512, 512), (LINES[0][:-1], len(LINES[0]) - 1), (b"{", 1)],
)
def test_without_a_whole_header_no_game_was_begun(data: bytes, torn: int) -> None:
    assert parse_journal(data) == Reading(None, [], 0, torn)


def test_a_missing_file_is_a_game_that_was_not_begun(tmp_path: Path) -> None:
    assert read_journal(tmp_path / "game.jsonl") == Reading(None, [], 0, 0)


def test_a_file_is_read_and_left_as_it_is(tmp_path: Path) -> None:
    path = tmp_path / "game.jsonl"
    path.write_bytes(DATA + b"half")
    assert read_journal(path) == Reading(HEADER, ENTRIES, len(DATA), 4)
    assert path.read_bytes() == DATA + b"half"


def test_what_the_system_does_not_let_us_read_is_said(tmp_path: Path) -> None:
    with pytest.raises(JournalUnreadableError, match=r"^cannot read .*: Is a directory$"):
        read_journal(tmp_path)


def test_damage_says_where_it_is_and_how_to_go_on() -> None:
    error = damage(LINES[0] + LINES[1] + b"???\n" + LINES[3])
    assert str(error) == (
        "game.jsonl, line 3: this is not as it was written, and there is more of the game after "
        "it; nothing was changed, 1 entry before it is intact: "
        "'marrakech games rescue game.jsonl' takes the game up to there"
    )
    assert (error.path, error.line) == (Path("game.jsonl"), 3)
    assert error.intact == Reading(HEADER, ENTRIES[:1], len(LINES[0] + LINES[1]), 0)


def test_damage_before_a_last_line_without_newline_is_damage() -> None:
    assert damage(LINES[0] + b"?" + LINES[1] + LINES[2][:-1]).line == 2


def test_zeros_in_the_middle_are_damage() -> None:
    assert damage(LINES[0] + bytes(len(LINES[1])) + LINES[2]).line == 2


def test_a_damaged_header_leaves_nothing_to_rescue() -> None:
    error = damage(b"?" + DATA)
    assert str(error).endswith("nothing was changed, and nothing before it is left to be rescued")
    assert error.intact == Reading(None, [], 0, 0)


@pytest.mark.parametrize(
    ("lines", "line", "fault"),
    [
        ([0, 1, 3], 3, "1 line is missing before this one"),
        ([0, 3, 4], 2, "2 lines are missing before this one"),
        ([0, 1, 1, 2], 3, "line 2 is here a second time"),
        ([0, 1, 2, 1], 4, "line 2 is here a second time"),
        ([0, 0], 2, "line 1 is here a second time"),
        ([1, 2], 1, "1 line is missing before this one"),
    ],
)
def test_lines_that_are_missing_or_twice_are_damage(
    lines: list[int], line: int, fault: str
) -> None:
    error = damage(b"".join(LINES[n] for n in lines))
    assert error.line == line
    assert f"line {line}: {fault};" in str(error)
    assert error.intact.entries == ENTRIES[: max(0, line - 2)]


@pytest.mark.parametrize(
    "data",
    [
        encode_line(0, {"journal": 7, "game": "marrakech"}) + LINES[1],
        encode_line(0, {"journal": 7}),
        b'{"sha":"abc","journal":7,"game":"marrakech"}\n{"sha":"def"}\n',
        b'{"crc":"but of another kind","journal":7}\n',
    ],
)
def test_another_version_is_named_and_not_guessed(data: bytes) -> None:
    with pytest.raises(JournalVersionError) as caught:
        parse_journal(data, Path("game.jsonl"))
    assert str(caught.value) == (
        "game.jsonl: this is a journal of version 7; this companion reads version 1: "
        "read it with the companion that wrote it, or with a newer one"
    )


def test_another_game_is_named() -> None:
    data = encode_line(0, {"journal": 1, "game": "chess"})
    with pytest.raises(JournalVersionError, match=r": this is a journal of 'chess', not of marr"):
        parse_journal(data)


@pytest.mark.parametrize(
    "data",
    [
        b"# Notes\n",
        b"[1, 2]",
        encode_line(0, {"told": "roll"}),
        LINES[0][:-9] + b"\n" + LINES[1][:-9] + b"\n",
    ],
)
def test_what_is_no_torn_header_is_never_taken_for_one(data: bytes) -> None:
    """For that may be overwritten by the next game."""
    error = damage(data)
    assert (error.line, error.intact) == (1, Reading(None, [], 0, 0))
    assert "this is not the header of a journal" in str(error)


def test_the_command_for_the_rescue_can_be_typed() -> None:
    with pytest.raises(JournalDamagedError, match=re.escape("rescue 'my games/1.jsonl''")):
        parse_journal(LINES[0] + LINES[2], Path("my games/1.jsonl"))
