"""`marrakech games rescue`: restores the intact part of a damaged game.

It changes only journals in the games folder, and asks before.
"""

from __future__ import annotations

import sys
from collections.abc import Callable
from pathlib import Path

from companion.errors import MAX_FILE_NAME_LENGTH, CompanionError, one_line
from companion.storage.archive import quarantine_journal, rescue
from companion.storage.filesystem import read_file
from companion.storage.game_store import replay
from companion.storage.games_folder import game_in_folder
from companion.storage.journal_reader import JournalDamagedError, describe_torn_tail, read_journal
from companion.storage.line_codec import has_valid_line


def rescue_game(
    path: Path, folder: Path, *, is_confirmed: bool, summarize: Callable[[], str]
) -> None:
    """Rescue the game in `path`, below the games folder. `summarize` describes the result."""
    shown_path = _shown(path)
    damage, torn_bytes = _damage(path)
    if damage is None:
        print(
            f"nothing to rescue: {shown_path} is intact"
            + (f"; {describe_torn_tail(torn_bytes, is_removed=False)}" if torn_bytes else "")
        )
        return
    _check_place(path, folder)
    if damage.intact.header is None:
        fact = f"nothing can be rescued from {shown_path}: line {damage.line} does not begin a game"
        if not is_confirmed:
            _ask(f"{fact}. Rename it, so that a new game can start?")
        kept_path = quarantine_journal(path)
        print(fact)
        print(f"the damaged file is kept as {_shown(kept_path)}; a new game can start")
        return
    count = len(damage.intact.entries)
    entries = "1 entry is" if count == 1 else f"{count} entries are"
    if not is_confirmed:
        _ask(f"{entries} intact in {shown_path}. Go on from there, and keep the damaged file?")
    kept_path = rescue(path, damage.intact)
    print(f"{entries} intact; the game in {shown_path} is now:")
    print(summarize())
    print(f"the damaged file is kept as {_shown(kept_path)}")


def _damage(path: Path) -> tuple[JournalDamagedError | None, int]:
    """The first damage of a journal, if any, and the number of incomplete bytes at its end.

    The intact lines are replayed too, because their replay may contradict the recorded results.
    """
    damage: JournalDamagedError | None = None
    try:
        content = read_journal(path)
    except JournalDamagedError as error:
        damage, content = error, error.intact
    if content.header is not None:
        try:
            replay(content, path)
        except JournalDamagedError as error:
            damage = error
    elif damage is None:
        raise CompanionError(f"nothing to rescue: no game was begun in {_shown(path)}")
    return damage, content.torn_bytes


def _check_place(path: Path, folder: Path) -> None:
    """Refuse a file that is not a journal, or that is not in the games folder."""
    real, games = path.resolve(), folder.resolve()
    found = game_in_folder(real)
    is_in_place = found is not None and found[0] == games
    if not is_in_place and not has_valid_line(read_file(path)):
        raise CompanionError(f"{_shown(path)} is not a journal of a game: nothing was changed")
    if not real.is_relative_to(games):
        raise CompanionError(
            f"{_shown(real)} is not in the games folder {_shown(folder)}: nothing was changed; if "
            f"it is to be changed there, add --folder {_shown(real.parent)}"
        )


def _ask(question: str) -> None:
    """Return after a yes; otherwise raise an error."""
    if not sys.stdin.isatty():
        raise CompanionError(f"nothing was changed: {question} Repeat the command with --yes")
    try:
        answer = input(f"{question} [y/N] ")
    except EOFError:
        answer = ""
    if answer.strip().lower() not in ("y", "yes"):
        raise CompanionError("nothing was changed")


def _shown(path: Path) -> str:
    return one_line(str(path), MAX_FILE_NAME_LENGTH)
