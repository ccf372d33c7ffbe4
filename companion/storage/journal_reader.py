"""Journal reader: tells complete lines, a torn tail and damage apart.

A journal is a file of lines (see `line_codec`) with one game. The first line is the header: it has
`"journal":1`, the version of the format, `"game":"marrakech"`, and the writer's own members. Each
further line is an entry. Lines are only ever appended, and nothing is shown to the players before
its line is on the disk. So there are three cases besides an intact file:

- A torn tail: an incomplete line or zeros, as a power cut leaves them. Its entry was never
  confirmed. The writer saves the tail beside the journal, removes it, and reports it.
- A file without a complete header. It contains no game.
- Damage: a line is changed, missing or duplicated. The game cannot be read any more. Nothing is
  guessed and nothing is changed; the lines before the damage can be rescued.
"""

from __future__ import annotations

import json
from dataclasses import dataclass, field, replace
from pathlib import Path

from companion.errors import CompanionError, counted, one_line
from companion.json_types import JsonObject
from companion.storage.filesystem import explain_os_error, read_file
from companion.storage.games_folder import rescue_command
from companion.storage.line_codec import decode_line, has_line_inside, is_interrupted_write
from companion.storage.quarantine import TORN_SUFFIX

VERSION = 1
GAME = "marrakech"
HEADER_RESERVED = frozenset({"journal", "game"})


@dataclass(frozen=True)
class JournalContent:
    """The intact part of a journal. `header` and `entries` are as the caller passed them."""

    header: JsonObject | None
    """None if the file contains no game."""
    entries: list[JsonObject]
    intact_bytes: int
    """Length of the intact beginning of the file."""
    torn_bytes: int = 0
    """Length of the torn tail, which is to be removed."""
    intact_data: bytes = field(default=b"", compare=False, repr=False)
    """The intact beginning of the file."""

    @property
    def next_seq(self) -> int:
        return 0 if self.header is None else 1 + len(self.entries)


class JournalError(CompanionError):
    """A journal that cannot be read or written."""

    def __init__(self, path: Path, message: str) -> None:
        super().__init__(message)
        self.path = path


class JournalDamagedError(JournalError, ValueError):
    """Damage other than a torn tail. `intact` is everything before the damage."""

    def __init__(self, path: Path, line: int, fault: str, intact: JournalContent) -> None:
        before = len(intact.entries)
        if intact.header is None:
            rescue = "nothing before it can be rescued; to set the file aside"
        else:
            entries = "1 entry before it is" if before == 1 else f"{before} entries before it are"
            rescue = f"{entries} intact; to go on from there"
        fault = one_line(fault)  # it may quote the file
        message = (
            f"line {line} of the journal: {fault}; nothing was changed, {rescue}: "
            f"{rescue_command(path)}"
        )
        super().__init__(path, message)
        self.line = line
        self.intact = intact


class JournalVersionError(JournalError, ValueError):
    """A journal of an unknown format version, or of another game."""


class JournalUnreadableError(JournalError, OSError):
    """The operating system refuses to read the journal."""


def read_journal(path: Path) -> JournalContent:
    """Read a journal without changing it. A missing file contains no game."""
    try:
        data = read_file(path)
    except FileNotFoundError:
        data = b""
    except OSError as error:
        message = f"cannot read {path} ({explain_os_error(error)})"
        raise JournalUnreadableError(path, message) from error
    return parse_journal(data, path)


def parse_journal(data: bytes, path: Path = Path("journal")) -> JournalContent:
    """Parse the bytes of a journal. `path` is only used in error messages."""
    header: JsonObject | None = None
    entries: list[JsonObject] = []
    intact_bytes = 0
    for number, line in enumerate(data.split(b"\n")[:-1]):  # without a newline, a line is torn
        members = decode_line(line)
        if members is None:
            break
        seq: int = members.pop("seq")
        if seq != number:
            intact = JournalContent(header, entries, intact_bytes, intact_data=data[:intact_bytes])
            raise JournalDamagedError(path, number + 1, _wrong_seq_text(seq, number), intact)
        if number:
            entries.append(members)
        else:
            header = _check_header(members, path)
        intact_bytes += len(line) + 1
    tail = data[intact_bytes:]
    intact = JournalContent(header, entries, intact_bytes, intact_data=data[:intact_bytes])
    fault = ""
    if has_line_inside(tail):
        fault = "this is not as it was written, and there is more of the game after it"
    elif not is_interrupted_write(tail, intact.next_seq, intact_bytes):
        fault = "this is not as it was written"
        if header is None:
            _check_version(tail, path)
            fault = "this is not the header of a journal"
    if fault:
        raise JournalDamagedError(path, intact.next_seq + 1, fault, intact)
    return replace(intact, torn_bytes=len(tail))


def describe_torn_tail(torn_bytes: int, *, is_removed: bool) -> str:
    """A sentence about a torn tail that was removed, or that is only ignored."""
    of = f"{counted(torn_bytes, 'byte')} of an unfinished entry"
    if is_removed:
        return f"the journal ended in {of}: removed, and saved beside it as .{TORN_SUFFIX}"
    return f"the journal ends in {of}: ignored"


def _wrong_seq_text(seq: int, expected: int) -> str:
    if seq < expected:
        return f"line {seq + 1} is duplicated here"
    missing = seq - expected
    return f"{missing} line{'s are' if missing > 1 else ' is'} missing before this one"


def _check_header(members: JsonObject, path: Path) -> JsonObject:
    """The header's own members, if this version of the companion can read the journal."""
    version, game = members.pop("journal", None), members.pop("game", None)
    if version is None:
        fault = "this is not the header of a journal"
        raise JournalDamagedError(path, 1, fault, JournalContent(None, [], 0))
    if not _is_supported_version(version):
        raise _version_error(version, path)
    if game != GAME:
        raise JournalVersionError(path, f"{path}: this is a journal of {game!r}, not of {GAME}")
    return members


def _is_supported_version(version: object) -> bool:
    return type(version) is int and version == VERSION


def _version_error(version: object, path: Path) -> JournalVersionError:
    shown_version = one_line(repr(version), 40)
    return JournalVersionError(
        path,
        f"{path}: this is a journal of version {shown_version}; this companion reads version "
        f"{VERSION}: read it with the companion that wrote it, or with a newer one",
    )


def _check_version(data: bytes, path: Path) -> None:
    """Another version may use another checksum: report the version, not damage."""
    first, _, _ = data.rstrip(b"\0").partition(b"\n")
    try:
        claimed = json.loads(first)
    except (ValueError, RecursionError):
        return
    if isinstance(claimed, dict) and not _is_supported_version(claimed.get("journal", VERSION)):
        raise _version_error(claimed["journal"], path)
