"""One line of a journal: JSON that carries its own number and checksum.

    {"crc":"d2427d22","seq":7,"told":"roll","pips":3}

A line is one JSON object without spaces between its members, UTF-8, ended by a newline. `crc`
comes first and has always eight lower-case hexadecimal digits; it is the CRC-32 (zlib's) of all
bytes after the member and its comma: from `"seq"`, the nineteenth byte of the line, to the closing
brace, without the newline. `seq` counts the lines of a file from 0, without a gap. What follows is
the writer's. In Python, with the newline still there:

    line[8:16] == b"%08x" % zlib.crc32(line[18:-1])
"""

from __future__ import annotations

import json
import re
from codecs import getincrementaldecoder
from collections.abc import Iterator, Mapping
from itertools import islice
from typing import Any
from zlib import crc32

Members = dict[str, Any]
"""What a line says, as JSON has it."""

START = b'{"crc":"'
RESERVED = frozenset({"crc", "seq"})
LONGEST_TORN = 1 << 16
"""More than this is no entry that was not finished, but a game that cannot be read."""
SECTOR = 512
"""What a disk writes at once, at least."""
MOST_STARTS = 4
_HEX = re.compile(rb"[0-9a-f]*")
_CONTROL = re.compile(r"[\x00-\x09\x0b-\x1f]")
_MIDST_OF_LETTER = bytes(range(0x80, 0xC0))
_COVERED = 18
"""Where the bytes begin that the checksum covers."""
_encode = json.JSONEncoder(ensure_ascii=False, allow_nan=False, separators=(",", ":")).encode
_decode = json.JSONDecoder().decode


def encode_line(seq: int, members: Mapping[str, object]) -> bytes:
    """A line with its newline. What JSON cannot say is a TypeError or a ValueError."""
    assert not RESERVED & members.keys(), "crc and seq belong to the line itself"
    # Half of a surrogate pair is no UTF-8. Python writes it as JSON would: \ud83d.
    covered = _encode({"seq": seq, **members})[1:].encode("utf-8", "backslashreplace")
    return b'{"crc":"%08x",%b\n' % (crc32(covered), covered)


def decode_line(line: bytes) -> Members | None:
    """The members with `seq` and without `crc`; None unless every byte is as it was written."""
    if not line.startswith(b'{"crc":"%08x",' % crc32(line[_COVERED:])):
        return None
    try:
        members: Members = _decode(line.decode())
    except (ValueError, RecursionError):  # nobody's damage: somebody made a checksum for it
        return None
    del members["crc"]
    return members if type(members.get("seq")) is int else None


def has_line_inside(data: bytes) -> bool:
    """Whether a whole line begins anywhere after the first byte.

    Also in mid-line: the newline before it may be what is damaged. A text in a line cannot look
    like the start of another, for its quotes are escaped, so the last starts before a newline
    are enough; to try them all would take hours where somebody wrote nothing else.
    """
    at = 0
    for line in data.split(b"\n"):
        starts = {0, *islice(_starts_from_the_end(line), MOST_STARTS)}
        if any(at + start and decode_line(line[start:]) is not None for start in starts):
            return True
        at += len(line) + 1
    return False


def _starts_from_the_end(line: bytes) -> Iterator[int]:
    start = len(line)
    while (start := line.rfind(START, 0, start)) >= 0:
        yield start


# --- Half a line --------------------------------------------------------------------------


def is_cut_write(tail: bytes, seq: int, at: int) -> bool:
    """Whether this is what a power cut leaves of lines from number `seq` on, at byte `at`.

    That is the beginning of a line; zeros, where the file has grown and the bytes have not come;
    and sectors that came before those in front of them. A line with its newline which is not as
    it was written is none of this: it was whole once.
    """
    if len(tail) > LONGEST_TORN:
        return False
    for piece in re.finditer(rb"[^\0]+", tail):
        if not piece.start():
            if not _is_beginning(piece.group(), seq):
                return False
        elif (at + piece.start()) % SECTOR or not _is_text(piece.group()):
            return False
    return True


def _is_beginning(text: bytes, seq: int) -> bool:
    """Whether this line could go on to be whole, or lacks only its newline."""
    crc = text[len(START) : len(START) + 8]
    head = b'%b%b","seq":%d' % (START, crc, seq)
    if not head.startswith(text[: len(head)]) or text[len(head) : len(head) + 1] not in b",}":
        return False
    if not _HEX.fullmatch(crc) or b"\n" in text or not _is_text(text):
        return False
    try:
        json.JSONDecoder().raw_decode(text.decode("utf-8", "ignore"))
    except (ValueError, RecursionError):
        return True
    return decode_line(text) is not None  # all of it is here, and nothing may come after it


def _is_text(piece: bytes) -> bool:
    """As lines have it, though it may begin and end in the middle of a letter."""
    try:
        text = getincrementaldecoder("utf-8")().decode(piece.lstrip(_MIDST_OF_LETTER))
    except UnicodeDecodeError:
        return False
    return _CONTROL.search(text) is None
