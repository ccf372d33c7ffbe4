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
from collections.abc import Mapping
from typing import Any
from zlib import crc32

Members = dict[str, Any]
"""What a line says, as JSON has it."""

START = b'{"crc":"'
RESERVED = frozenset({"crc", "seq"})
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

    Also in mid-line: the newline before it may be what is damaged.
    """
    for found in re.finditer(re.escape(START), data):
        end = data.find(b"\n", found.start())
        line = data[found.start() : end if end >= 0 else len(data)]
        if found.start() and decode_line(line) is not None:
            return True
    return False
