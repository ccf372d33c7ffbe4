"""`marrakech hotseat`: a game in the terminal, everybody at one keyboard.

With `--record FILE` the game is written down after every step, and goes on from there when the
file exists.
"""

from __future__ import annotations

import argparse
from random import Random, SystemRandom

from companion.adapters.die import deal
from companion.cli.arguments import add_rules_arguments, options_of, whole_number
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

_BEGINNING = ("players", "booklet", "option", "names", "colours", "facing", "told_piles")
"""What is decided before the first turn, and is in the record afterwards."""


def add_arguments(parser: argparse.ArgumentParser) -> None:
    add_rules_arguments(parser)
    parser.set_defaults(booklet=None)
    parser.add_argument(
        "--players", type=whole_number(), metavar="N", help="2, 3 or 4 (asked if not given)"
    )
    parser.add_argument("--names", metavar="A,B,C", help="names in seating order, with commas")
    parser.add_argument(
        "--colours",
        metavar="R,B,N",
        help="colours in seating order, letters or names: red,blue,brown; with two colours each "
        "RY,BN or red+yellow,blue+brown",
    )
    parser.add_argument(
        "--facing", metavar="n|e|s|w", help="where Assam faces at the start (default: s)"
    )
    parser.add_argument(
        "--told-piles",
        action="store_true",
        help="two players: you shuffle real rugs and say which colour comes (else they are dealt)",
    )
    parser.add_argument(
        "--record", metavar="FILE", help="write the game down here; go on with it if it exists"
    )


def run(args: argparse.Namespace) -> int:
    chance = SystemRandom()
    keeper = None if args.record is None else RecordFile(args.record)
    if keeper and keeper.exists():
        record = _go_on(keeper, args)
    else:
        if keeper:
            keeper.check()
        record = _begin(args, chance)
        if keeper:
            keeper.save(record_text(record))
    HotseatGame(record, chance, keeper).play()
    return 0


def _go_on(keeper: RecordFile, args: argparse.Namespace) -> Record:
    given = [name for name in _BEGINNING if _is_given(getattr(args, name))]
    if given:
        flags = listed([f"--{name.replace('_', '-')}" for name in given], "and")
        raise CompanionError(
            f"{keeper.name} is a game already begun: leave out {flags}, or name another file"
        )
    record = keeper.read()
    if not record.final().is_over:
        keeper.check()
    return record


def _is_given(value: object) -> bool:
    return value is not None and value is not False and value != []


def _begin(args: argparse.Namespace, chance: Random) -> Record:
    if args.booklet is None:
        args.booklet = "en"
    options = options_of(args)
    facing = parse_facing("s" if args.facing is None else args.facing)
    chosen = None if args.colours is None else _colours(args.colours)
    if chosen is None:
        players = usual_players(_ask_players() if args.players is None else args.players, options)
    elif args.players not in (None, len(chosen)):
        raise CompanionError(
            f"--colours names {counted(len(chosen), 'player')}, and --players {args.players}"
        )
    else:
        players = chosen
    setup = Setup(players, options)
    names = _names(args.names, len(players))
    piles = deal(setup, chance)
    if args.told_piles and piles is None:
        raise CompanionError("--told-piles is for two players with shuffled piles")
    start = new_game(setup, facing=facing, piles=None if args.told_piles else piles)
    return Record(start, booklet=args.booklet, names=names)


def _ask_players() -> int:
    while True:
        try:
            answer = input("How many players, 2, 3 or 4? [4] ").strip() or "4"
        except EOFError:
            raise CompanionError("no answer: say how many play with --players") from None
        if answer in ("2", "3", "4"):
            return int(answer)
        print(f"  '{one_line(answer)}' is no number of players: use 2, 3 or 4")


def _names(text: str | None, players: int) -> tuple[str, ...]:
    names = tuple(name.strip() for name in text.split(",")) if text else ()
    if names and len(names) != players:
        told = counted(len(names), "name")
        raise CompanionError(f"{told} for {players} players: {', '.join(names)}")
    return names


def _colours(text: str) -> tuple[tuple[Colour, ...], ...]:
    """`R,B,N` or `red,blue,brown`; `RY,BN` or `red+yellow,blue+brown` with two colours each."""
    return tuple(_colours_of_one(word.strip()) for word in text.split(","))


def _colours_of_one(word: str) -> tuple[Colour, ...]:
    letters = {colour.letter for colour in COLOURS}
    parts = list(word) if word and set(word.upper()) <= letters else word.split("+")
    return tuple(colour_named(part.strip()) for part in parts)
