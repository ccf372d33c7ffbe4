"""`marrakech games`: what was played at the table, and what is being played.

Looking at games locks and changes nothing, also while the table plays on. Only `rescue` does.
"""

from __future__ import annotations

import argparse
import json
import os
import sys
from collections.abc import Iterator
from datetime import datetime
from pathlib import Path

from companion.cli.arguments import fold
from companion.cli.market_text import draw_count, draw_market, draw_players, has_colours
from companion.config.file import load_config
from companion.errors import LONGEST_FILE, CompanionError, counted, listed, one_line
from companion.games.marrakech import record_text
from companion.storage.archive import ARCHIVE_FOLDER, Archive, rescue, set_aside
from companion.storage.export import GameExport, json_of, read_game_export
from companion.storage.game_store import CURRENT, replay
from companion.storage.journal_reader import JournalDamagedError, read_journal, torn_text
from companion.storage.new_file import new_file

NOW = "now"
SIMULATED = "simulated"
LONGEST = 1000
"""What is told of a game that cannot be read, with the name of its file."""
_WHICH = f"a number of the list, '{NOW}' for the game in progress, or a file"


def add_arguments(parser: argparse.ArgumentParser) -> None:
    _add_places(parser, None)
    actions = parser.add_subparsers(dest="action", metavar="ACTION")
    for name, text in ACTIONS.items():
        sub = actions.add_parser(name, help=text, description=text[0].upper() + text[1:] + ".")
        sub.add_argument("game", help=_WHICH)
        _add_places(sub, argparse.SUPPRESS)
        if name == "export":
            sub.add_argument("--json", action="store_true", help="everything, as a JSON document")
            sub.add_argument("--output", metavar="FILE", help="write a new file, not to the screen")


def _add_places(parser: argparse.ArgumentParser, default: str | None) -> None:
    """Where the games are may be said before the action or after it."""
    parser.add_argument(
        "--config", type=Path, default=default, metavar="FILE", help="use this marrakech.toml"
    )
    parser.add_argument(
        "--folder",
        type=Path,
        default=default,
        metavar="DIR",
        help="where the games are (default: as the config says)",
    )
    parser.add_argument(
        "--simulated",
        action="store_true",
        default=default or False,
        help="the games of 'marrakech play', which are kept apart",
    )


def run(args: argparse.Namespace) -> int:
    args.is_usual = args.folder is None and not args.simulated
    if args.folder is None:
        config, _ = load_config(args.config, environ=os.environ, cwd=Path.cwd())
        folder = config.journal_folder(os.environ)
        args.folder = folder / SIMULATED if args.simulated else folder
    {None: _list, "show": _show, "export": _export, "rescue": _rescue}[args.action](args)
    return 0


ACTIONS = {
    "show": "draw a game as it stands, and say how it was played",
    "export": "write a game as a game record, or everything about it as JSON",
    "rescue": "go on with a damaged game as far as it is intact, and keep the damaged file",
}


# --- The list -----------------------------------------------------------------------------


def _list(args: argparse.Namespace) -> None:
    is_empty = True
    for line in _lines(args.folder):
        is_empty = False
        print(line)
    if is_empty:
        print(f"no games in {_told(args.folder)} yet")
    if is_empty and args.is_usual and (played := len(list(_lines(args.folder / SIMULATED)))):
        are, them = ("is", "it") if played == 1 else ("are", "them")
        told = f"{counted(played, 'simulated game')} {are} kept apart"
        print(f"{told}: 'marrakech games --simulated' lists {them}")


def _lines(folder: Path) -> Iterator[str]:
    """The game in progress, then the archive, the latest last."""
    current = folder / CURRENT
    if _has_game(current):
        yield _line(NOW, current)
    archive = Archive(folder / ARCHIVE_FOLDER)
    for number in archive.numbers():
        yield _line(str(number), archive.path_of(number))


def _has_game(path: Path) -> bool:
    """Whether there is something to tell, if only that it cannot be read."""
    try:
        return read_journal(path).header is not None
    except CompanionError:
        return True


def _line(label: str, path: Path) -> str:
    try:
        return fold(f"{label:>4}  {_summary(read_game_export(path))}")
    except CompanionError as error:
        return f"{label:>4}  cannot be read: {one_line(str(error), LONGEST)}"


def _summary(chronicle: GameExport) -> str:
    """`2026-03-01 20:14  Amina, Bruno and Chloé (fr), 45 turns: won by Amina with 62`"""
    state = chronicle.game.state
    mark = "SIMULATED  " if chronicle.is_simulated else ""
    who = listed([_player(chronicle, seat) for seat in range(len(state.setup.players))], "and")
    played = f"({chronicle.game.beginning.booklet}), {counted(chronicle.turns, 'turn')}"
    torn = chronicle.reading.torn
    tail = f"; {torn_text(torn, is_cut=False)}" if torn else ""
    return f"{_when(chronicle.begun)}  {mark}{who} {played}: {_outcome(chronicle)}{tail}"


def _player(chronicle: GameExport, seat: int) -> str:
    """The name, or the colours where there is none."""
    name = chronicle.names[seat] if chronicle.names else ""
    return one_line(name, 20) or chronicle.game.state.setup.name(seat)


def _when(begun: str) -> str:
    try:
        return f"{datetime.fromisoformat(begun):%Y-%m-%d %H:%M}"
    except ValueError:
        return one_line(begun, 16) or "-"


def _outcome(chronicle: GameExport) -> str:
    state = chronicle.game.state
    ranking = state.ranking()
    best = [row for row in ranking if row.rank == 1]
    names = listed([_player(chronicle, row.player) for row in best], "and")
    if state.is_over:
        return f"won by {names} with {best[0].score}"
    if len(best) == len(ranking):
        return f"unfinished, all have {best[0].score}"
    return f"unfinished, {names} {'lead' if len(best) > 1 else 'leads'} with {best[0].score}"


# --- One game -----------------------------------------------------------------------------


def _path_of(args: argparse.Namespace) -> Path:
    which: str = args.game
    if which == NOW:
        path: Path = args.folder / CURRENT
        if not _has_game(path):
            raise CompanionError(f"no game is in progress in {_told(args.folder)}")
        return path
    if which.isascii() and which.isdigit() and len(which) < 10:
        return Archive(args.folder / ARCHIVE_FOLDER).path_of(int(which))
    path = Path(which)
    told = one_line(which, LONGEST_FILE)
    try:
        is_there = bool(which) and path.is_file()
    except OSError as error:
        raise CompanionError(f"cannot read {told}: {error.strerror}") from None
    if not is_there:
        raise CompanionError(f"'{told}' is no game: name {_WHICH}")
    return path


def _show(args: argparse.Namespace) -> None:
    chronicle = read_game_export(_path_of(args))
    game, names, is_coloured = chronicle.game, chronicle.names, has_colours()
    # As he stands on the cardboard: he may be turned already, and the die not be in.
    state = game.state._replace(facing=game.now.facing)
    print(fold(_summary(chronicle)))
    print()
    print(*draw_market(state, is_coloured=is_coloured), sep="\n")
    print()
    if state.is_over:
        print(*draw_count(state, names), sep="\n")
    else:
        print(*draw_players(state, names, is_coloured=is_coloured), sep="\n")
    print()
    print(record_text(chronicle.record()), end="")


def _export(args: argparse.Namespace) -> None:
    chronicle = read_game_export(_path_of(args))
    if args.json:
        text = json.dumps(json_of(chronicle), ensure_ascii=False, indent=2) + "\n"
    else:
        text = record_text(chronicle.record())
    # Half of a surrogate pair is no UTF-8; JSON reads this.
    data = text.encode("utf-8", "backslashreplace")
    if args.output is None:
        print(data.decode(), end="")
    else:
        _write_new(args.output, data)
    if chronicle.reading.torn:
        print(f"marrakech: {torn_text(chronicle.reading.torn, is_cut=False)}", file=sys.stderr)


def _write_new(name: str, data: bytes) -> None:
    """A file that is there already is somebody's: it stays as it is."""
    if name in ("", "-"):
        raise CompanionError("--output needs the name of a file")
    with new_file(Path(name)) as file:
        file.write(data)


# --- Rescue -------------------------------------------------------------------------------


def _rescue(args: argparse.Namespace) -> None:
    path = _path_of(args)
    told = _told(path)
    damage, torn = _damage(path)
    if damage is None:
        print(
            f"nothing to rescue: {told} is whole"
            + (f"; {torn_text(torn, is_cut=False)}" if torn else "")
        )
        return
    if damage.intact.header is None:
        kept = set_aside(path)
        print(f"nothing can be rescued of {told}: line {damage.line} does not begin a game")
        print(f"the damaged file is kept as {_told(kept)}; a new game can begin")
        return
    kept = rescue(path, damage.intact)
    count = len(damage.intact.entries)
    entries = "1 entry is" if count == 1 else f"{count} entries are"
    print(f"{entries} intact, and the game in {told} now:")
    print(fold(f"  {_summary(read_game_export(path))}"))
    print(f"the damaged file is kept as {_told(kept)}")


def _damage(path: Path) -> tuple[JournalDamagedError | None, int]:
    """What is wrong with a journal, and how much is merely torn off its end.

    The part before a damaged line may itself come out otherwise than it was played.
    """
    damage: JournalDamagedError | None = None
    try:
        reading = read_journal(path)
    except JournalDamagedError as error:
        damage, reading = error, error.intact
    if reading.header is not None:
        try:
            replay(reading, path)
        except JournalDamagedError as error:
            damage = error
    elif damage is None:
        raise CompanionError(f"nothing to rescue: no game was begun in {_told(path)}")
    return damage, reading.torn


def _told(path: Path) -> str:
    return one_line(str(path), LONGEST_FILE)
