"""`marrakech games`: lists, shows, exports and rescues games.

Only `rescue` locks and changes files. The other actions are safe while a table is running.
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
from companion.cli.game_rescue import rescue_game
from companion.cli.market_text import draw_count, draw_market, draw_players, has_colours
from companion.config.file import load_config
from companion.errors import MAX_FILE_NAME_LENGTH, CompanionError, counted, listed, one_line
from companion.games.marrakech import record_text
from companion.storage.archive import Archive
from companion.storage.export import GameExport, export_to_json, read_game_export
from companion.storage.games_folder import ARCHIVE_FOLDER, CURRENT_GAME_FILE
from companion.storage.journal_reader import describe_torn_tail, read_journal
from companion.storage.output_file import create_output_file

CURRENT_GAME = "now"
SIMULATED = "simulated"
MAX_ERROR_LENGTH = 1000
"""Of the reason why a game cannot be read; it contains a file name."""
_GAME_HELP = f"a number from the list, '{CURRENT_GAME}' for the game in progress, or a file"


def add_arguments(parser: argparse.ArgumentParser) -> None:
    _add_folder_arguments(parser, None)
    actions = parser.add_subparsers(dest="action", metavar="ACTION")
    for name, text in ACTIONS.items():
        sub = actions.add_parser(name, help=text, description=text[0].upper() + text[1:] + ".")
        sub.add_argument("game", help=_GAME_HELP)
        _add_folder_arguments(sub, argparse.SUPPRESS)
        if name == "rescue":
            sub.add_argument("--yes", action="store_true", help="do not ask before files change")
        if name == "export":
            sub.add_argument(
                "--json", action="store_true", help="print everything as a JSON document"
            )
            sub.add_argument(
                "--output", metavar="FILE", help="write to this new file instead of standard output"
            )


def _add_folder_arguments(parser: argparse.ArgumentParser, default: str | None) -> None:
    """Add the arguments that may come before or after the action."""
    parser.add_argument(
        "--config",
        type=Path,
        default=default,
        metavar="FILE",
        help="config file (default: the first marrakech.toml found)",
    )
    parser.add_argument(
        "--folder",
        type=Path,
        default=default,
        metavar="DIR",
        help="folder of the games (default: from the config)",
    )
    parser.add_argument(
        "--simulated",
        action="store_true",
        default=default or False,
        help="use the games of 'marrakech play', which have their own folder",
    )


def run(args: argparse.Namespace) -> int:
    args.is_default_folder = args.folder is None and not args.simulated
    if args.folder is None:
        config, _ = load_config(args.config, environ=os.environ, cwd=Path.cwd())
        folder = config.journal_folder(os.environ)
        args.folder = folder / SIMULATED if args.simulated else folder
    {None: _list, "show": _show, "export": _export, "rescue": _rescue}[args.action](args)
    return 0


ACTIONS = {
    "show": "draw a game's position and print its record",
    "export": "export a game as a game record, or with all details as JSON",
    "rescue": "restore the intact part of a damaged game, and keep the damaged file",
}


# --- The list -----------------------------------------------------------------------------


def _list(args: argparse.Namespace) -> None:
    is_empty = True
    for line in _list_lines(args.folder):
        is_empty = False
        print(line)
    if is_empty:
        print(f"no games in {_shown_path(args.folder)} yet")
    if (
        is_empty
        and args.is_default_folder
        and (simulated_games := len(list(_list_lines(args.folder / SIMULATED))))
    ):
        are, them = ("is", "it") if simulated_games == 1 else ("are", "them")
        count = counted(simulated_games, "simulated game")
        print(f"{count} {are} in another folder: 'marrakech games --simulated' lists {them}")


def _list_lines(folder: Path) -> Iterator[str]:
    """The game in progress, then the archive in the order of play."""
    current = folder / CURRENT_GAME_FILE
    if _has_game(current):
        yield _list_line(CURRENT_GAME, current)
    archive = Archive(folder / ARCHIVE_FOLDER)
    for number in archive.numbers():
        yield _list_line(str(number), archive.path_of(number))


def _has_game(path: Path) -> bool:
    """Whether a game has begun in this file. True also for a file that cannot be read."""
    try:
        return read_journal(path).header is not None
    except CompanionError:
        return True


def _list_line(label: str, path: Path) -> str:
    try:
        return fold(f"{label:>4}  {_summary(read_game_export(path))}")
    except CompanionError as error:
        return f"{label:>4}  cannot be read: {one_line(str(error), MAX_ERROR_LENGTH)}"


def _summary(export: GameExport) -> str:
    """`2026-03-01 20:14  Amina, Bruno and Chloé (fr), 45 turns: won by Amina with 62`"""
    state = export.game.state
    mark = "SIMULATED  " if export.is_simulated else ""
    who = listed([_player(export, seat) for seat in range(len(state.setup.players))], "and")
    details = f"({export.game.beginning.booklet}), {counted(export.turns, 'turn')}"
    torn_bytes = export.content.torn_bytes
    tail = f"; {describe_torn_tail(torn_bytes, is_removed=False)}" if torn_bytes else ""
    return f"{_start_time(export.begun)}  {mark}{who} {details}: {_outcome(export)}{tail}"


def _player(export: GameExport, seat: int) -> str:
    """A player's name, or the colours if there is no name."""
    name = export.names[seat] if export.names else ""
    return one_line(name, 20) or export.game.state.setup.name(seat)


def _start_time(begun: str) -> str:
    try:
        return f"{datetime.fromisoformat(begun):%Y-%m-%d %H:%M}"
    except ValueError:
        return one_line(begun, 16) or "-"


def _outcome(export: GameExport) -> str:
    state = export.game.state
    ranking = state.ranking()
    best = [row for row in ranking if row.rank == 1]
    names = listed([_player(export, row.player) for row in best], "and")
    if state.is_over:
        return f"won by {names} with {best[0].score}"
    if len(best) == len(ranking):
        return f"unfinished, all have {best[0].score}"
    return f"unfinished, {names} {'lead' if len(best) > 1 else 'leads'} with {best[0].score}"


# --- One game -----------------------------------------------------------------------------


def _find_path(args: argparse.Namespace) -> Path:
    game: str = args.game
    if game == CURRENT_GAME:
        path: Path = args.folder / CURRENT_GAME_FILE
        if not _has_game(path):
            raise CompanionError(f"no game is in progress in {_shown_path(args.folder)}")
        return path
    if game.isascii() and game.isdigit() and len(game) < 10:
        return Archive(args.folder / ARCHIVE_FOLDER).path_of(int(game))
    path = Path(game)
    shown_name = one_line(game, MAX_FILE_NAME_LENGTH)
    try:
        is_file_there = bool(game) and path.is_file()
    except OSError as error:
        raise CompanionError(f"cannot read {shown_name}: {error.strerror}") from None
    if not is_file_there:
        raise CompanionError(f"'{shown_name}' is not a game: use {_GAME_HELP}")
    return path


def _show(args: argparse.Namespace) -> None:
    export = read_game_export(_find_path(args))
    game, names, is_coloured = export.game, export.names, has_colours()
    # Assam may be turned already while the die is not yet rolled.
    state = game.state._replace(facing=game.now.facing)
    print(fold(_summary(export)))
    print()
    print(*draw_market(state, is_coloured=is_coloured), sep="\n")
    print()
    if state.is_over:
        print(*draw_count(state, names), sep="\n")
    else:
        print(*draw_players(state, names, is_coloured=is_coloured), sep="\n")
    print()
    print(record_text(export.record()), end="")


def _export(args: argparse.Namespace) -> None:
    export = read_game_export(_find_path(args))
    if args.json:
        text = json.dumps(export_to_json(export), ensure_ascii=False, indent=2) + "\n"
    else:
        text = record_text(export.record())
    # A lone surrogate cannot be encoded as UTF-8; JSON accepts the escape.
    data = text.encode("utf-8", "backslashreplace")
    if args.output is None:
        print(data.decode(), end="")
    else:
        _write_new(args.output, data)
    if export.content.torn_bytes:
        print(
            f"marrakech: {describe_torn_tail(export.content.torn_bytes, is_removed=False)}",
            file=sys.stderr,
        )


def _write_new(name: str, data: bytes) -> None:
    """Write a new file; never overwrite one."""
    if name in ("", "-"):
        raise CompanionError("--output needs the name of a file")
    with create_output_file(Path(name)) as file:
        file.write(data)


# --- Rescue -------------------------------------------------------------------------------


def _rescue(args: argparse.Namespace) -> None:
    path = _find_path(args)
    rescue_game(
        path,
        args.folder,
        is_confirmed=args.yes,
        summarize=lambda: fold(f"  {_summary(read_game_export(path))}"),
    )


def _shown_path(path: Path) -> str:
    return one_line(str(path), MAX_FILE_NAME_LENGTH)
