"""A journal says all that was written and nothing else, whatever has happened to its bytes."""

from __future__ import annotations

import errno
import json
import os
import re
from contextlib import suppress
from itertools import accumulate
from pathlib import Path
from random import Random
from zlib import crc32

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from companion.storage import line_codec as line_module
from companion.storage.journal_reader import (
    JournalContent,
    JournalDamagedError,
    JournalError,
    JournalUnreadableError,
    JournalVersionError,
    parse_journal,
    read_journal,
    torn_text,
)
from companion.storage.line_codec import MOST_STARTS, Members, decode_line, encode_line

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
    assert parse_journal(data) == JournalContent(header, entries, good_bytes=len(data), torn=0)


def test_a_journal_cut_anywhere_has_exactly_the_lines_that_are_whole() -> None:
    ends = [0, *accumulate(map(len, LINES))]
    for length in range(len(DATA) + 1):
        whole = sum(end <= length for end in ends) - 1
        header = HEADER if whole else None
        good = ends[whole]
        expected = JournalContent(header, ENTRIES[: max(0, whole - 1)], good, length - good)
        assert parse_journal(DATA[:length]) == expected
        zeros = parse_journal(DATA[:length] + bytes(100))
        assert zeros == JournalContent(header, expected.entries, good, length - good + 100)


def test_every_flipped_bit_is_found() -> None:
    """Also in the last line, which was whole once: it is damage at that very line."""
    ends = list(accumulate(map(len, LINES)))
    for at in range(len(DATA)):
        number = sum(end <= at for end in ends)
        for bit in range(8):
            data = bytearray(DATA)
            data[at] ^= 1 << bit
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
        assert damage(LINES[0] + line + b"\n").line == 2


# --- Torn, or damaged ---------------------------------------------------------------------

BEFORE = b"".join(LINES[:-1])
LAST = LINES[-1]


@pytest.mark.parametrize(
    "tail",
    [
        LAST[:-1] + b"}",
        LAST[:-1] + b" ",
        LAST[:-2] + b"]\n",
        LAST.replace(b'"seq":4', b'"seq":5')[:40],
        LAST.replace(b'"seq":4', b'"seq":44')[:40],
        LAST[:8] + b"ABCD",
        LAST[:30] + b"\x07",
        LAST[:30] + b"\xff",
        LAST[:30] + b"\n",
        b"\n",
        b"half",
        b"\n" + LAST[:30],
        LAST[:30] + bytes(7) + LAST[37:],
        bytes(7) + b"text",
        b"{" * 10,
        bytes(1 << 17),
        LAST[:40] + b"x" * (1 << 16),
    ],
    ids=lambda tail: repr(tail[:40]),
)
def test_what_no_power_cut_leaves_is_damage(tail: bytes) -> None:
    """It was confirmed once, for all we know: it is not cut off."""
    error = damage(BEFORE + tail)
    assert (error.line, error.intact.entries) == (5, ENTRIES[:-1])
    assert "line 5 of the journal: this is not as it was written; nothing was" in str(error)


def test_random_bytes_over_the_end_are_damage() -> None:
    lines = lines_of(HEADER, [{"told": "roll", "pips": n % 4 + 1} for n in range(200)])
    data = b"".join(lines)
    for seed in range(300):
        length = Random(seed).randint(4, 3000)
        damage(data[:-length] + Random(seed).randbytes(length))


def test_sectors_may_come_before_those_in_front_of_them() -> None:
    """Of lines that were written together: zeros, and the end of the last from a sector on."""
    lines = lines_of(HEADER, [{"told": "roll"}, {"note": "long " * 300 + "é" * 300}])
    data = b"".join(lines)
    good = len(data) - len(lines[-1])
    assert good < 512 < len(data) - 1024
    for end in (len(data), len(data) - 1, len(data) - 2):
        for sector in (512, 1024):
            torn = data[:good] + bytes(sector - good) + data[sector:end]
            assert parse_journal(torn) == JournalContent(
                HEADER, [{"told": "roll"}], good, end - good
            )
    torn = data[: good + 30] + bytes(1024 - good - 30) + data[1024:]
    assert parse_journal(torn).torn == len(data) - good
    damage(data[:good] + bytes(511 - good) + data[511:])
    damage(data[:good] + bytes(512 - good) + data[512:-20] + b"\x07" * 20)
    damage(data[:good] + bytes(512 - good) + data[512:-20] + b"\xff" * 20)


def test_a_sector_may_begin_in_the_middle_of_a_letter() -> None:
    for shift in range(3):
        line = encode_line(1, {"x": "x" * shift + "€" * 500})
        good, end = len(LINES[0]), len(LINES[0]) + len(line)
        torn = (LINES[0] + line)[:good] + bytes(512 - good) + (LINES[0] + line)[512:]
        assert parse_journal(torn) == JournalContent(HEADER, [], good, end - good)


def test_a_line_cut_in_the_middle_of_a_letter_is_torn() -> None:
    line = encode_line(1, {"name": "Zoë نور"})
    for length in range(len(line)):
        assert parse_journal(LINES[0] + line[:length]).torn == length


def test_a_whole_line_behind_zeros_is_damage() -> None:
    assert damage(BEFORE + bytes(100) + LAST).line == 5


@pytest.mark.parametrize(
    "garbage",
    [b'{"crc":"', b'{"crc":"00000000","seq":1,', b'{"crc":"\n', bytes(range(256)), b"{"],
)
def test_much_garbage_is_read_a_few_times_and_not_once_for_each_start(
    garbage: bytes, monkeypatch: pytest.MonkeyPatch
) -> None:
    looked_at = 0

    def count(text: bytes) -> Members | None:
        nonlocal looked_at
        looked_at += len(text)
        return decode_line(text)

    data = LINES[0] + garbage * (100_000 // len(garbage))
    monkeypatch.setattr("companion.storage.line_codec.decode_line", count)
    assert damage(data).line == 2
    assert looked_at <= (MOST_STARTS + 1) * len(data)


def test_a_line_is_found_in_the_midst_of_what_looks_like_lines() -> None:
    tail = b'{"crc":"' * 1000 + LINES[2]
    assert "there is more of the game after it" in str(damage(LINES[0] + tail))


@pytest.mark.parametrize("count", [1, 12])
def test_a_torn_tail_is_told_in_one_sentence(count: int) -> None:
    told = "1 byte" if count == 1 else "12 bytes"
    assert torn_text(count, is_cut=True) == (
        f"the journal ended in {told} of an entry that was not finished: "
        "cut off, and kept beside it as .torn"
    )
    assert torn_text(count, is_cut=False) == (
        f"the journal ends in {told} of an entry that was not finished: left out here"
    )


# --- The header ---------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("data", "torn"),
    [(b"", 0), (b"\0" * 512, 512), (LINES[0][:-1], len(LINES[0]) - 1), (b"{", 1)],
)
def test_without_a_whole_header_no_game_was_begun(data: bytes, torn: int) -> None:
    assert parse_journal(data) == JournalContent(None, [], 0, torn)


def test_a_missing_file_is_a_game_that_was_not_begun(tmp_path: Path) -> None:
    assert read_journal(tmp_path / "game.jsonl") == JournalContent(None, [], 0, 0)


def test_a_file_is_read_and_left_as_it_is(tmp_path: Path) -> None:
    path = tmp_path / "game.jsonl"
    path.write_bytes(DATA + b'{"cr')
    reading = read_journal(path)
    assert reading == JournalContent(HEADER, ENTRIES, len(DATA), 4)
    assert reading.data == DATA
    assert path.read_bytes() == DATA + b'{"cr'


def test_what_the_system_does_not_let_us_read_is_said(tmp_path: Path) -> None:
    words = r"^cannot read .* \(Is a directory: move it away\)$"
    with pytest.raises(JournalUnreadableError, match=words):
        read_journal(tmp_path)
    within = tmp_path / "file"
    within.touch()
    words = r" \(Not a directory: move away what is in the folder's place\)$"
    with pytest.raises(JournalUnreadableError, match=words):
        read_journal(within / "game.jsonl")


def test_a_pipe_is_not_waited_for(tmp_path: Path) -> None:
    """Nobody writes into it, and so nothing would ever be read from it."""
    os.mkfifo(tmp_path / "game.jsonl")
    words = r"\(It is a pipe or a device, not a file: move it away\)$"
    with pytest.raises(JournalUnreadableError, match=words):
        read_journal(tmp_path / "game.jsonl")


def test_what_may_not_be_read_says_whom_to_let(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def refuse(path: Path, flags: int) -> int:
        raise PermissionError(errno.EACCES, "Permission denied")

    monkeypatch.setattr("companion.storage.filesystem.os.open", refuse)
    words = r" \(Permission denied: let the companion's user read and write there\)$"
    with pytest.raises(JournalUnreadableError, match=words):
        read_journal(tmp_path / "game.jsonl")


def test_damage_says_where_it_is_and_how_to_go_on() -> None:
    error = damage(LINES[0] + LINES[1] + b"???\n" + LINES[3])
    assert str(error) == (
        "line 3 of the journal: this is not as it was written, and there is more of the game after "
        "it; nothing was changed, 1 entry before it is intact; to go on from there: "
        "marrakech games rescue game.jsonl"
    )
    assert (error.path, error.line) == (Path("game.jsonl"), 3)
    assert error.intact == JournalContent(HEADER, ENTRIES[:1], len(LINES[0] + LINES[1]), 0)


def test_damage_before_a_last_line_without_newline_is_damage() -> None:
    assert damage(LINES[0] + b"?" + LINES[1] + LINES[2][:-1]).line == 2


def test_zeros_in_the_middle_are_damage() -> None:
    assert damage(LINES[0] + bytes(len(LINES[1])) + LINES[2]).line == 2


def test_a_damaged_header_leaves_nothing_to_rescue() -> None:
    error = damage(b"?" + DATA)
    assert str(error) == (
        "line 1 of the journal: this is not as it was written, and there is more of the game after "
        "it; nothing was changed, nothing before it can be rescued; to set the file aside: "
        "marrakech games rescue game.jsonl"
    )
    assert error.intact == JournalContent(None, [], 0, 0)


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
    assert f"line {line} of the journal: {fault};" in str(error)
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


@pytest.mark.parametrize("version", ["1", True, 1.0, [1]])
def test_what_only_looks_like_this_version_is_another(version: object) -> None:
    for data in (
        encode_line(0, {"journal": version, "game": "marrakech"}),
        json.dumps({"journal": version}).encode() + b"\n",
    ):
        with pytest.raises(JournalVersionError, match=re.escape(f"of version {version!r}; ")):
            parse_journal(data)


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
    assert (error.line, error.intact) == (1, JournalContent(None, [], 0, 0))
    assert "this is not the header of a journal" in str(error)


def test_the_command_for_the_rescue_can_be_typed() -> None:
    with pytest.raises(JournalDamagedError, match=r"rescue 'my games/1\.jsonl'$"):
        parse_journal(LINES[0] + LINES[2], Path("my games/1.jsonl"))
