"""Reading a journal: what is whole, what is torn off its end, and what is damaged.

A journal is a file of lines (see `line`), one game a file. The first is the header: it has
`"journal":1`, the version of the format, `"game":"marrakech"`, and what the writer says of the
game. Each further line is an entry. Lines are only ever added at the end, and nothing is shown to
the players before its line is on the disk. So there are three kinds of trouble:

- a torn tail (half a line, a last line that is not as it was written, or zeros, as a power cut
  leaves them): nobody was told of it. It is cut off, and said;
- a file without a whole header: no game was begun in it;
- damage (a bad line with a whole one after it, a line missing or there twice): a game that was
  played cannot be read. Nothing is guessed and nothing is changed; what comes before it can be
  rescued.
"""

from __future__ import annotations

import json
import shlex
from dataclasses import dataclass
from pathlib import Path

from companion.daemon.line import START, Members, decode_line, has_line_inside
from companion.errors import CompanionError

VERSION = 1
GAME = "marrakech"
HEADER_RESERVED = frozenset({"journal", "game"})


@dataclass(frozen=True)
class Reading:
    """What is whole in a journal. `header` and `entries` are what the writer passed."""

    header: Members | None
    """None: no game was begun here."""
    entries: list[Members]
    good_bytes: int
    """Up to where the file is whole."""
    torn: int = 0
    """How many bytes are to be cut off its end."""

    @property
    def next_seq(self) -> int:
        return 0 if self.header is None else 1 + len(self.entries)


class JournalError(CompanionError):
    """A journal that cannot be read or written."""

    def __init__(self, path: Path, message: str) -> None:
        super().__init__(message)
        self.path = path


class JournalDamagedError(JournalError, ValueError):
    """Damage that is no torn tail. `intact` is the beginning, as far as it is whole."""

    def __init__(self, path: Path, line: int, fault: str, intact: Reading) -> None:
        before = len(intact.entries)
        if intact.header is None:
            rescue = "and nothing before it is left to be rescued"
        else:
            entries = "1 entry before it is" if before == 1 else f"{before} entries before it are"
            rescue = f"{entries} intact: 'marrakech games rescue {shlex.quote(str(path))}' takes "
            rescue += "the game up to there"
        super().__init__(path, f"{path}, line {line}: {fault}; nothing was changed, {rescue}")
        self.line = line
        self.intact = intact


class JournalVersionError(JournalError, ValueError):
    """A journal of a format, or of a game, that this companion does not know."""


class JournalUnreadableError(JournalError, OSError):
    """The operating system does not let the journal be read."""


def read_journal(path: Path) -> Reading:
    """Read a file and change nothing. Where there is no file, no game was begun."""
    try:
        data = path.read_bytes()
    except FileNotFoundError:
        data = b""
    except OSError as error:
        raise JournalUnreadableError(path, f"cannot read {path}: {error.strerror}") from error
    return parse_journal(data, path)


def parse_journal(data: bytes, path: Path = Path("journal")) -> Reading:
    """Read the bytes of a journal. `path` is how it is called in errors."""
    header: Members | None = None
    entries: list[Members] = []
    good = 0
    for number, line in enumerate(data.split(b"\n")[:-1]):  # what ends without newline is torn
        members = decode_line(line)
        if members is None:
            break
        seq: int = members.pop("seq")
        if seq != number:
            intact = Reading(header, entries, good)
            raise JournalDamagedError(path, number + 1, _misnumbered(seq, number), intact)
        if number:
            entries.append(members)
        else:
            header = _opened(members, path)
        good += len(line) + 1
    tail = data[good:]
    intact = Reading(header, entries, good)
    if has_line_inside(tail):
        fault = "this is not as it was written, and there is more of the game after it"
        raise JournalDamagedError(path, intact.next_seq + 1, fault, intact)
    if header is None:
        _check_torn_header(tail, path, intact)
    return Reading(header, entries, good, len(tail))


def _misnumbered(seq: int, expected: int) -> str:
    if seq < expected:
        return f"line {seq + 1} is here a second time"
    missing = seq - expected
    return f"{missing} line{'s are' if missing > 1 else ' is'} missing before this one"


def _opened(members: Members, path: Path) -> Members:
    """The header as the writer passed it, if this companion can read what follows."""
    version, game = members.pop("journal", None), members.pop("game", None)
    if version is None:
        fault = "this is not the header of a journal"
        raise JournalDamagedError(path, 1, fault, Reading(None, [], 0))
    if version != VERSION:
        raise _other_version(version, path)
    if game != GAME:
        raise JournalVersionError(path, f"{path}: this is a journal of {game!r}, not of {GAME}")
    return members


def _other_version(version: object, path: Path) -> JournalVersionError:
    return JournalVersionError(
        path,
        f"{path}: this is a journal of version {version}; this companion reads version {VERSION}: "
        "read it with the companion that wrote it, or with a newer one",
    )


def _check_torn_header(data: bytes, path: Path, intact: Reading) -> None:
    """What may be overwritten by a new game must be no more than the beginning of a header.

    Other versions may have other checksums: theirs is not ours to call torn.
    """
    text = data.rstrip(b"\0")
    first, _, more = text.partition(b"\n")
    try:
        claimed = json.loads(first)
    except (ValueError, RecursionError):
        claimed = None
    if isinstance(claimed, dict) and claimed.get("journal", VERSION) != VERSION:
        raise _other_version(claimed["journal"], path)
    if more or not START.startswith(first[: len(START)]):
        raise JournalDamagedError(path, 1, "this is not the header of a journal", intact)
