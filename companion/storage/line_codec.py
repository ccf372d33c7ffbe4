"""Codec for one journal line: a JSON object with a sequence number and a checksum.

    {"crc":"d2427d22","seq":7,"told":"roll","pips":3}

A line is one JSON object without spaces between its members, in UTF-8, ended by a newline.
`crc` is the first member: eight lower-case hexadecimal digits, the CRC-32 (as in zlib) of all bytes
after that member and its comma: from `"seq"` (byte 18, counted from 0) to the closing brace,
without the newline. `seq` numbers the lines of a file from 0, without gaps. The other members are
the caller's. In Python, for a line with its newline:

    line[8:16] == b"%08x" % zlib.crc32(line[18:-1])
"""

from __future__ import annotations

import json
import re
from codecs import getincrementaldecoder
from collections.abc import Iterator, Mapping
from itertools import islice
from zlib import crc32

from companion.json_types import JsonObject

LINE_START = b'{"crc":"'
RESERVED = frozenset({"crc", "seq"})
MAX_TORN_BYTES = 1 << 16
"""A longer tail is not an unfinished entry but a damaged game."""
SECTOR_BYTES = 512
"""The smallest unit that a disk writes at once."""
MAX_LINE_STARTS = 4
_HEX = re.compile(rb"[0-9a-f]*")
_CONTROL = re.compile(r"[\x00-\x09\x0b-\x1f]")
_UTF8_CONTINUATION_BYTES = bytes(range(0x80, 0xC0))
_CHECKSUM_START = 18
"""Offset of the first byte that the checksum covers."""
_encode = json.JSONEncoder(ensure_ascii=False, allow_nan=False, separators=(",", ":")).encode
_decode = json.JSONDecoder().decode


def encode_line(seq: int, members: Mapping[str, object]) -> bytes:
    """Encode a line with its newline. Raises TypeError or ValueError for what JSON lacks."""
    assert not RESERVED & members.keys(), "crc and seq are reserved"
    # A lone surrogate has no UTF-8 form: write it as a JSON escape, \ud83d.
    covered = _encode({"seq": seq, **members})[1:].encode("utf-8", "backslashreplace")
    return b'{"crc":"%08x",%b\n' % (crc32(covered), covered)


def decode_line(line: bytes) -> JsonObject | None:
    """The members with `seq` and without `crc`, or None if the line is not valid."""
    if not line.startswith(b'{"crc":"%08x",' % crc32(line[_CHECKSUM_START:])):
        return None
    try:
        members: JsonObject = _decode(line.decode())
    except (ValueError, RecursionError):  # made by hand: the checksum is right, the JSON is not
        return None
    del members["crc"]
    return members if type(members.get("seq")) is int else None


def has_line_inside(data: bytes) -> bool:
    """Whether a valid line starts anywhere after the first byte.

    It may start in the middle of a line, because the newline before it may be damaged. Text in a
    line cannot look like the start of another line, because its quotes are escaped; so it is enough
    to try the last few starts before each newline. Trying all of them would be quadratic.
    """
    at = 0
    for line in data.split(b"\n"):
        starts = {0, *islice(_line_starts_from_end(line), MAX_LINE_STARTS)}
        if any(at + start and decode_line(line[start:]) is not None for start in starts):
            return True
        at += len(line) + 1
    return False


def has_valid_line(data: bytes) -> bool:
    """Whether there is a valid line anywhere."""
    return has_line_inside(b"\n" + data)


def _line_starts_from_end(line: bytes) -> Iterator[int]:
    start = len(line)
    while (start := line.rfind(LINE_START, 0, start)) >= 0:
        yield start


# --- Interrupted writes -------------------------------------------------------------------


def is_interrupted_write(tail: bytes, seq: int, offset: int) -> bool:
    """Whether a power cut can have left this tail, at byte `offset`, of lines from `seq` on.

    It can leave the beginning of a line; zeros, where the file size was written before the data;
    and sectors that were written before the ones in front of them. It cannot leave an invalid line
    that has its newline: that line was complete once.
    """
    if len(tail) > MAX_TORN_BYTES:
        return False
    for piece in re.finditer(rb"[^\0]+", tail):
        if not piece.start():
            if not _is_line_beginning(piece.group(), seq):
                return False
        elif (offset + piece.start()) % SECTOR_BYTES or not _is_text(piece.group()):
            return False
    return True


def _is_line_beginning(text: bytes, seq: int) -> bool:
    """Whether more bytes could make this a valid line, or only its newline is missing."""
    crc = text[len(LINE_START) : len(LINE_START) + 8]
    head = b'%b%b","seq":%d' % (LINE_START, crc, seq)
    if not head.startswith(text[: len(head)]) or text[len(head) : len(head) + 1] not in b",}":
        return False
    if not _HEX.fullmatch(crc) or b"\n" in text or not _is_text(text):
        return False
    try:
        json.JSONDecoder().raw_decode(text.decode("utf-8", "ignore"))
    except (ValueError, RecursionError):
        return True
    return decode_line(text) is not None  # the JSON is complete, so the checksum must match


def _is_text(piece: bytes) -> bool:
    """Whether this is UTF-8 text as in lines. It may start and end within a character."""
    try:
        text = getincrementaldecoder("utf-8")().decode(piece.lstrip(_UTF8_CONTINUATION_BYTES))
    except UnicodeDecodeError:
        return False
    return _CONTROL.search(text) is None
