"""Reading a journal: what is whole, what is torn off its end, and what is damaged.

A journal is a file of lines (see `line`), one game a file. The first is the header: it has
`"journal":1`, the version of the format, `"game":"marrakech"`, and what the writer says of the
game. Each further line is an entry. Lines are only ever added at the end, and nothing is shown to
the players before its line is on the disk. So there are three kinds of trouble:

- a torn tail (half a line or zeros, as a power cut leaves them): nobody was told of it. It is cut
  off, kept beside the journal, and said;
- a file without a whole header: no game was begun in it;
- damage (a line that is not as it was written, is missing or is there twice): a game that was
  played cannot be read. Nothing is guessed and nothing is changed; what comes before it can be
  rescued.
"""

from __future__ import annotations

import json
import shlex
from dataclasses import dataclass, field, replace
from pathlib import Path

from companion.errors import CompanionError, counted, one_line
from companion.storage.filesystem import read_file, remedy
from companion.storage.line_codec import Members, decode_line, has_line_inside, is_cut_write
from companion.storage.quarantine import TORN

VERSION = 1
GAME = "marrakech"
HEADER_RESERVED = frozenset({"journal", "game"})


@dataclass(frozen=True)
class JournalContent:
    """What is whole in a journal. `header` and `entries` are what the writer passed."""

    header: Members | None
    """None: no game was begun here."""
    entries: list[Members]
    good_bytes: int
    """Up to where the file is whole."""
    torn: int = 0
    """How many bytes are to be cut off its end."""
    data: bytes = field(default=b"", compare=False, repr=False)
    """What is whole, as the file has it."""

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

    def __init__(self, path: Path, line: int, fault: str, intact: JournalContent) -> None:
        before = len(intact.entries)
        if intact.header is None:
            rescue = "nothing before it can be rescued; to set the file aside"
        else:
            entries = "1 entry before it is" if before == 1 else f"{before} entries before it are"
            rescue = f"{entries} intact; to go on from there"
        fault = one_line(fault)  # it may quote the file
        command = f"marrakech games rescue {shlex.quote(str(path))}"
        told = f"line {line} of the journal: {fault}; nothing was changed, {rescue}: {command}"
        super().__init__(path, told)
        self.line = line
        self.intact = intact


class JournalVersionError(JournalError, ValueError):
    """A journal of a format, or of a game, that this companion does not know."""


class JournalUnreadableError(JournalError, OSError):
    """The operating system does not let the journal be read."""


def read_journal(path: Path) -> JournalContent:
    """Read a file and change nothing. Where there is no file, no game was begun."""
    try:
        data = read_file(path)
    except FileNotFoundError:
        data = b""
    except OSError as error:
        raise JournalUnreadableError(path, f"cannot read {path} ({remedy(error)})") from error
    return parse_journal(data, path)


def parse_journal(data: bytes, path: Path = Path("journal")) -> JournalContent:
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
            intact = JournalContent(header, entries, good, data=data[:good])
            raise JournalDamagedError(path, number + 1, _misnumbered(seq, number), intact)
        if number:
            entries.append(members)
        else:
            header = _opened(members, path)
        good += len(line) + 1
    tail = data[good:]
    intact = JournalContent(header, entries, good, data=data[:good])
    fault = ""
    if has_line_inside(tail):
        fault = "this is not as it was written, and there is more of the game after it"
    elif not is_cut_write(tail, intact.next_seq, good):
        fault = "this is not as it was written"
        if header is None:
            _check_version(tail, path)
            fault = "this is not the header of a journal"
    if fault:
        raise JournalDamagedError(path, intact.next_seq + 1, fault, intact)
    return replace(intact, torn=len(tail))


def torn_text(torn: int, *, is_cut: bool) -> str:
    """What is said of a torn tail: by who has cut it off, and by who only looks at it."""
    of = f"{counted(torn, 'byte')} of an entry that was not finished"
    if is_cut:
        return f"the journal ended in {of}: cut off, and kept beside it as .{TORN}"
    return f"the journal ends in {of}: left out here"


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
        raise JournalDamagedError(path, 1, fault, JournalContent(None, [], 0))
    if not _is_ours(version):
        raise _other_version(version, path)
    if game != GAME:
        raise JournalVersionError(path, f"{path}: this is a journal of {game!r}, not of {GAME}")
    return members


def _is_ours(version: object) -> bool:
    return type(version) is int and version == VERSION


def _other_version(version: object, path: Path) -> JournalVersionError:
    told = one_line(repr(version), 40)
    return JournalVersionError(
        path,
        f"{path}: this is a journal of version {told}; this companion reads version {VERSION}: "
        "read it with the companion that wrote it, or with a newer one",
    )


def _check_version(data: bytes, path: Path) -> None:
    """Other versions may have other checksums: theirs are not ours to call damaged."""
    first, _, _ = data.rstrip(b"\0").partition(b"\n")
    try:
        claimed = json.loads(first)
    except (ValueError, RecursionError):
        return
    if isinstance(claimed, dict) and not _is_ours(claimed.get("journal", VERSION)):
        raise _other_version(claimed["journal"], path)
