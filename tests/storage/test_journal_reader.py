"""The journal reader returns what was written, or reports a torn tail or damage."""

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

from companion.json_types import JsonObject
from companion.storage import line_codec
from companion.storage.journal_reader import (
    JournalContent,
    JournalDamagedError,
    JournalError,
    JournalUnreadableError,
    JournalVersionError,
    describe_torn_tail,
    parse_journal,
    read_journal,
)
from companion.storage.line_codec import MAX_LINE_STARTS, decode_line, encode_line

HEADER: JsonObject = {"players": ["Zoë", "نور"], "options": {"booklet": "2007"}}
ENTRIES: list[JsonObject] = [
    {"told": "turn", "to": "east"},
    {"told": "roll", "pips": 3, "hash": "0f"},
    {"told": "pay", "to": "Zoë", "note": 'line\nbreak,\u2028 {"crc":"'},
    {"told": "lay", "squares": [[0, 1], [0, 2]], "is_last": False},
]

JSON_VALUES = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats(allow_nan=False, allow_infinity=False)
    | st.text(),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(), inner, max_size=3),
    max_leaves=8,
)  # fmt: skip
MEMBERS = st.dictionaries(
    st.text().filter(lambda name: name not in ("crc", "seq", "journal", "game")),
    JSON_VALUES,
    max_size=4,
)


def lines_of(header: JsonObject, entries: list[JsonObject]) -> list[bytes]:
    first = encode_line(0, {"journal": 1, "game": "marrakech", **header})
    return [first, *(encode_line(n, entry) for n, entry in enumerate(entries, 1))]


LINES = lines_of(HEADER, ENTRIES)
DATA = b"".join(LINES)


def damage_error(data: bytes) -> JournalDamagedError:
    with pytest.raises(JournalDamagedError) as caught:
        parse_journal(data, Path("game.jsonl"))
    return caught.value


def test_line_has_the_documented_format() -> None:
    written = encode_line(7, {"told": "roll", "pips": 3})
    assert written == b'{"crc":"d2427d22","seq":7,"told":"roll","pips":3}\n'
    assert written.decode().rstrip() in (line_codec.__doc__ or "")
    assert written[8:16] == b"%08x" % crc32(written[18:-1])


def test_non_ascii_letters_are_not_escaped() -> None:
    assert "نور".encode() in encode_line(1, {"name": "نور"})


def test_lone_surrogate_is_escaped_and_decoded_again() -> None:
    line = encode_line(1, {"name": "a\ud83db"})
    assert r'"name":"a\ud83db"' in line.decode()
    assert decode_line(line.rstrip()) == {"seq": 1, "name": "a\ud83db"}


@pytest.mark.parametrize("members", [{"x": float("nan")}, {"x": {1, 2}}])
def test_values_that_json_cannot_represent_are_refused(members: JsonObject) -> None:
    with pytest.raises((TypeError, ValueError)):
        encode_line(1, members)


@given(MEMBERS, st.lists(MEMBERS, max_size=5))
def test_written_entries_are_read_back(header: JsonObject, entries: list[JsonObject]) -> None:
    data = b"".join(lines_of(header, entries))
    assert parse_journal(data) == JournalContent(
        header, entries, intact_bytes=len(data), torn_bytes=0
    )


def test_truncated_journal_has_exactly_its_complete_lines() -> None:
    ends = [0, *accumulate(map(len, LINES))]
    for length in range(len(DATA) + 1):
        whole = sum(end <= length for end in ends) - 1
        header = HEADER if whole else None
        good = ends[whole]
        expected = JournalContent(header, ENTRIES[: max(0, whole - 1)], good, length - good)
        assert parse_journal(DATA[:length]) == expected
        zeros = parse_journal(DATA[:length] + bytes(100))
        assert zeros == JournalContent(header, expected.entries, good, length - good + 100)


def test_every_flipped_bit_is_detected() -> None:
    """Even in the last line: it was complete once, so it is damaged, not torn."""
    ends = list(accumulate(map(len, LINES)))
    for at in range(len(DATA)):
        number = sum(end <= at for end in ends)
        for bit in range(8):
            data = bytearray(DATA)
            data[at] ^= 1 << bit
            error = damage_error(bytes(data))
            assert error.line == number + 1
            assert error.intact.entries == ENTRIES[: max(0, number - 1)]
            assert error.intact.intact_bytes == ([0, *ends])[number]


@given(MEMBERS, st.lists(MEMBERS, min_size=1, max_size=4), st.data())
def test_damaged_bytes_never_give_new_entries(
    header: JsonObject, entries: list[JsonObject], data: st.DataObject
) -> None:
    lines = lines_of(header, entries)
    journal = bytearray(b"".join(lines))
    at = data.draw(st.integers(0, len(journal) - 1))
    garbage = data.draw(st.binary(min_size=1, max_size=4))
    journal[at : at + data.draw(st.integers(0, 4))] = garbage
    try:
        content = parse_journal(bytes(journal))
    except JournalDamagedError as error:
        content = error.intact
    assert content.header in (None, header)
    assert content.entries == entries[: len(content.entries)]
    assert bytes(journal[: content.intact_bytes]) == b"".join(lines[: content.next_seq])


@given(st.binary(max_size=200))
@example(b'{"crc":"00000000",\n')
@example(b'{"crc":"00000000","seq":0}\n' * 2)
@example(b"[" * 100_000)
@example(LINES[0][:-1] + b"\0\n" + LINES[0])
def test_garbage_contains_no_game_or_raises_a_journal_error(data: bytes) -> None:
    with suppress(JournalError):
        assert parse_journal(data).header is None


def test_invalid_json_with_a_valid_checksum_is_damage() -> None:
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
        assert damage_error(LINES[0] + line + b"\n").line == 2


# --- Torn or damaged ----------------------------------------------------------------------

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
def test_tail_that_no_power_cut_leaves_is_damage(tail: bytes) -> None:
    """It may have been confirmed, so it must not be removed."""
    error = damage_error(BEFORE + tail)
    assert (error.line, error.intact.entries) == (5, ENTRIES[:-1])
    assert "line 5 of the journal: this is not as it was written; nothing was" in str(error)


def test_random_bytes_at_the_end_are_damage() -> None:
    lines = lines_of(HEADER, [{"told": "roll", "pips": n % 4 + 1} for n in range(200)])
    data = b"".join(lines)
    for seed in range(300):
        length = Random(seed).randint(4, 3000)
        damage_error(data[:-length] + Random(seed).randbytes(length))


def test_sectors_may_be_written_out_of_order() -> None:
    """Lines that were written together: zeros, then the end of the last line from a sector on."""
    lines = lines_of(HEADER, [{"told": "roll"}, {"note": "long " * 300 + "é" * 300}])
    data = b"".join(lines)
    good = len(data) - len(lines[-1])
    assert good < 512 < len(data) - 1024
    for end in (len(data), len(data) - 1, len(data) - 2):
        for sector in (512, 1024):
            torn_data = data[:good] + bytes(sector - good) + data[sector:end]
            assert parse_journal(torn_data) == JournalContent(
                HEADER, [{"told": "roll"}], good, end - good
            )
    torn_data = data[: good + 30] + bytes(1024 - good - 30) + data[1024:]
    assert parse_journal(torn_data).torn_bytes == len(data) - good
    damage_error(data[:good] + bytes(511 - good) + data[511:])
    damage_error(data[:good] + bytes(512 - good) + data[512:-20] + b"\x07" * 20)
    damage_error(data[:good] + bytes(512 - good) + data[512:-20] + b"\xff" * 20)


def test_sector_may_begin_within_a_character() -> None:
    for shift in range(3):
        line = encode_line(1, {"x": "x" * shift + "€" * 500})
        good, end = len(LINES[0]), len(LINES[0]) + len(line)
        torn_data = (LINES[0] + line)[:good] + bytes(512 - good) + (LINES[0] + line)[512:]
        assert parse_journal(torn_data) == JournalContent(HEADER, [], good, end - good)


def test_line_truncated_within_a_character_is_torn() -> None:
    line = encode_line(1, {"name": "Zoë نور"})
    for length in range(len(line)):
        assert parse_journal(LINES[0] + line[:length]).torn_bytes == length


def test_complete_line_after_zeros_is_damage() -> None:
    assert damage_error(BEFORE + bytes(100) + LAST).line == 5


@pytest.mark.parametrize(
    "garbage",
    [b'{"crc":"', b'{"crc":"00000000","seq":1,', b'{"crc":"\n', bytes(range(256)), b"{"],
)
def test_time_to_read_garbage_is_linear(garbage: bytes, monkeypatch: pytest.MonkeyPatch) -> None:
    bytes_decoded = 0

    def counting_decode_line(text: bytes) -> JsonObject | None:
        nonlocal bytes_decoded
        bytes_decoded += len(text)
        return decode_line(text)

    data = LINES[0] + garbage * (100_000 // len(garbage))
    monkeypatch.setattr("companion.storage.line_codec.decode_line", counting_decode_line)
    assert damage_error(data).line == 2
    assert bytes_decoded <= (MAX_LINE_STARTS + 1) * len(data)


def test_line_is_found_among_text_that_looks_like_lines() -> None:
    tail = b'{"crc":"' * 1000 + LINES[2]
    assert "there is more of the game after it" in str(damage_error(LINES[0] + tail))


@pytest.mark.parametrize("count", [1, 12])
def test_torn_tail_is_described_in_one_sentence(count: int) -> None:
    counted = "1 byte" if count == 1 else "12 bytes"
    assert describe_torn_tail(count, is_removed=True) == (
        f"the journal ended in {counted} of an unfinished entry: "
        "removed, and saved beside it as .torn"
    )
    assert describe_torn_tail(count, is_removed=False) == (
        f"the journal ends in {counted} of an unfinished entry: ignored"
    )


# --- The header ---------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("data", "torn_bytes"),
    [(b"", 0), (b"\0" * 512, 512), (LINES[0][:-1], len(LINES[0]) - 1), (b"{", 1)],
)
def test_file_without_a_complete_header_contains_no_game(data: bytes, torn_bytes: int) -> None:
    assert parse_journal(data) == JournalContent(None, [], 0, torn_bytes)


def test_missing_file_contains_no_game(tmp_path: Path) -> None:
    assert read_journal(tmp_path / "game.jsonl") == JournalContent(None, [], 0, 0)


def test_reading_does_not_change_the_file(tmp_path: Path) -> None:
    path = tmp_path / "game.jsonl"
    path.write_bytes(DATA + b'{"cr')
    content = read_journal(path)
    assert content == JournalContent(HEADER, ENTRIES, len(DATA), 4)
    assert content.intact_data == DATA
    assert path.read_bytes() == DATA + b'{"cr'


def test_unreadable_path_raises_an_error_with_a_remedy(tmp_path: Path) -> None:
    words = r"^cannot read .* \(Is a directory: move it away\)$"
    with pytest.raises(JournalUnreadableError, match=words):
        read_journal(tmp_path)
    within = tmp_path / "file"
    within.touch()
    words = r" \(Not a directory: move the file away that has the folder's name\)$"
    with pytest.raises(JournalUnreadableError, match=words):
        read_journal(within / "game.jsonl")


def test_pipe_is_refused_without_blocking(tmp_path: Path) -> None:
    """Nothing writes to the pipe, so reading it would block forever."""
    os.mkfifo(tmp_path / "game.jsonl")
    words = r"\(It is a pipe or a device, not a file: move it away\)$"
    with pytest.raises(JournalUnreadableError, match=words):
        read_journal(tmp_path / "game.jsonl")


def test_missing_permission_raises_an_error_with_a_remedy(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def refuse(path: Path, flags: int) -> int:
        raise PermissionError(errno.EACCES, "Permission denied")

    monkeypatch.setattr("companion.storage.filesystem.os.open", refuse)
    words = r" \(Permission denied: let the companion's user read and write there\)$"
    with pytest.raises(JournalUnreadableError, match=words):
        read_journal(tmp_path / "game.jsonl")


def test_damage_error_says_where_it_is_and_how_to_go_on() -> None:
    error = damage_error(LINES[0] + LINES[1] + b"???\n" + LINES[3])
    assert str(error) == (
        "line 3 of the journal: this is not as it was written, and there is more of the game after "
        "it; nothing was changed, 1 entry before it is intact; to go on from there: "
        "marrakech games rescue --folder . now"
    )
    assert (error.path, error.line) == (Path("game.jsonl"), 3)
    assert error.intact == JournalContent(HEADER, ENTRIES[:1], len(LINES[0] + LINES[1]), 0)


def test_damage_before_a_torn_line_is_damage() -> None:
    assert damage_error(LINES[0] + b"?" + LINES[1] + LINES[2][:-1]).line == 2


def test_zeros_in_the_middle_are_damage() -> None:
    assert damage_error(LINES[0] + bytes(len(LINES[1])) + LINES[2]).line == 2


def test_damaged_header_leaves_nothing_to_rescue() -> None:
    error = damage_error(b"?" + DATA)
    assert str(error) == (
        "line 1 of the journal: this is not as it was written, and there is more of the game after "
        "it; nothing was changed, nothing before it can be rescued; to set the file aside: "
        "marrakech games rescue --folder . now"
    )
    assert error.intact == JournalContent(None, [], 0, 0)


@pytest.mark.parametrize(
    ("lines", "line", "fault"),
    [
        ([0, 1, 3], 3, "1 line is missing before this one"),
        ([0, 3, 4], 2, "2 lines are missing before this one"),
        ([0, 1, 1, 2], 3, "line 2 is duplicated here"),
        ([0, 1, 2, 1], 4, "line 2 is duplicated here"),
        ([0, 0], 2, "line 1 is duplicated here"),
        ([1, 2], 1, "1 line is missing before this one"),
    ],
)
def test_missing_or_duplicated_lines_are_damage(lines: list[int], line: int, fault: str) -> None:
    error = damage_error(b"".join(LINES[n] for n in lines))
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
def test_unsupported_version_is_reported(data: bytes) -> None:
    with pytest.raises(JournalVersionError) as caught:
        parse_journal(data, Path("game.jsonl"))
    assert str(caught.value) == (
        "game.jsonl: this is a journal of version 7; this companion reads version 1: "
        "read it with the companion that wrote it, or with a newer one"
    )


@pytest.mark.parametrize("version", ["1", True, 1.0, [1]])
def test_version_must_be_the_integer_1(version: object) -> None:
    for data in (
        encode_line(0, {"journal": version, "game": "marrakech"}),
        json.dumps({"journal": version}).encode() + b"\n",
    ):
        with pytest.raises(JournalVersionError, match=re.escape(f"of version {version!r}; ")):
            parse_journal(data)


def test_journal_of_another_game_is_reported() -> None:
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
def test_damaged_header_is_not_mistaken_for_a_torn_one(data: bytes) -> None:
    """A torn header may be overwritten by the next game."""
    error = damage_error(data)
    assert (error.line, error.intact) == (1, JournalContent(None, [], 0, 0))
    assert "this is not the header of a journal" in str(error)


def test_path_in_the_rescue_command_is_quoted() -> None:
    command = r"rescue --folder 'my games' 'my games/1\.jsonl'$"
    with pytest.raises(JournalDamagedError, match=command):
        parse_journal(LINES[0] + LINES[2], Path("my games/1.jsonl"))
