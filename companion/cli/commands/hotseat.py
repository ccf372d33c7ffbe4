"""`marrakech hotseat`: a game in the terminal, all players at one keyboard.

With `--record FILE` the game is saved after every step. If the file exists, that game continues.
"""

from __future__ import annotations

import argparse
from random import Random, SystemRandom

from companion.adapters.die import deal
from companion.cli.arguments import add_rules_arguments, read_options, whole_number
from companion.cli.hotseat.prompts import HotseatGame
from companion.cli.hotseat.record_file import RecordFile
from companion.errors import CompanionError, counted, listed, one_line
from companion.games.marrakech import (
    COLOURS,
    Colour,
    Record,
    Setup,
    colour_named,
    new_game,
    record_text,
    usual_players,
)
from companion.games.marrakech.market import parse_facing

_SETUP_ARGUMENTS = ("players", "booklet", "option", "names", "colours", "facing", "told_piles")
"""Arguments for a new game only: a record contains their values."""


def add_arguments(parser: argparse.ArgumentParser) -> None:
    add_rules_arguments(parser)
    parser.set_defaults(booklet=None)
    parser.add_argument(
        "--players", type=whole_number(), metavar="N", help="2, 3 or 4 (default: ask)"
    )
    parser.add_argument(
        "--names", metavar="A,B,C", help="names in seating order, separated by commas"
    )
    parser.add_argument(
        "--colours",
        metavar="R,B,N",
        help="colours in seating order, as letters or names: red,blue,brown; with two colours per "
        "player: RY,BN or red+yellow,blue+brown",
    )
    parser.add_argument(
        "--facing", metavar="n|e|s|w", help="Assam's direction at the start (default: s)"
    )
    parser.add_argument(
        "--told-piles",
        action="store_true",
        help="two players: shuffle real rugs and type the colour drawn (default: dealt for you)",
    )
    parser.add_argument(
        "--record",
        metavar="FILE",
        help="save the game in this file, or continue it if the file exists",
    )


def run(args: argparse.Namespace) -> int:
    rng = SystemRandom()
    record_file = None if args.record is None else RecordFile(args.record)
    if record_file and record_file.exists():
        record = _resume(record_file, args)
    else:
        if record_file:
            record_file.check()
        record = _start(args, rng)
        if record_file:
            record_file.save(record_text(record))
    HotseatGame(record, rng, record_file).play()
    return 0


def _resume(record_file: RecordFile, args: argparse.Namespace) -> Record:
    given = [name for name in _SETUP_ARGUMENTS if _is_given(getattr(args, name))]
    if given:
        flags = listed([f"--{name.replace('_', '-')}" for name in given], "and")
        raise CompanionError(
            f"{record_file.shown_name} is a game already begun: leave out {flags}, or name another "
            "file"
        )
    record = record_file.read()
    if not record.final().is_over:
        record_file.check()
    return record


def _is_given(value: object) -> bool:
    return value is not None and value is not False and value != []


def _start(args: argparse.Namespace, rng: Random) -> Record:
    if args.booklet is None:
        args.booklet = "en"
    options = read_options(args)
    facing = parse_facing("s" if args.facing is None else args.facing)
    colours = None if args.colours is None else _parse_colours(args.colours)
    if colours is None:
        players = usual_players(_ask_players() if args.players is None else args.players, options)
    elif args.players not in (None, len(colours)):
        raise CompanionError(
            f"--colours names {counted(len(colours), 'player')}, and --players {args.players}"
        )
    else:
        players = colours
    setup = Setup(players, options)
    names = _parse_names(args.names, len(players))
    piles = deal(setup, rng)
    if args.told_piles and piles is None:
        raise CompanionError("--told-piles is for two players with shuffled piles")
    start = new_game(setup, facing=facing, piles=None if args.told_piles else piles)
    return Record(start, booklet=args.booklet, names=names)


def _ask_players() -> int:
    while True:
        try:
            answer = input("How many players, 2, 3 or 4? [4] ").strip() or "4"
        except EOFError:
            raise CompanionError("no answer: give the number of players with --players") from None
        if answer in ("2", "3", "4"):
            return int(answer)
        print(f"  '{one_line(answer)}' is not a number of players: use 2, 3 or 4")


def _parse_names(text: str | None, players: int) -> tuple[str, ...]:
    names = tuple(name.strip() for name in text.split(",")) if text else ()
    if names and len(names) != players:
        count = counted(len(names), "name")
        raise CompanionError(f"{count} for {players} players: {', '.join(names)}")
    return names


def _parse_colours(text: str) -> tuple[tuple[Colour, ...], ...]:
    """Parse `R,B,N` or `red,blue,brown`; with two colours, `RY,BN` or `red+yellow,blue+brown`."""
    return tuple(_parse_players_colours(word.strip()) for word in text.split(","))


def _parse_players_colours(word: str) -> tuple[Colour, ...]:
    letters = {colour.letter for colour in COLOURS}
    parts = list(word) if word and set(word.upper()) <= letters else word.split("+")
    return tuple(colour_named(part.strip()) for part in parts)
