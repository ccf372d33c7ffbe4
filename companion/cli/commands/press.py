"""`marrakech press`: presses buttons of the running table."""

from __future__ import annotations

import argparse
from collections.abc import Iterator
from typing import Any

from companion.cli.snapshot_text import draw_messages, printable
from companion.control.client import (
    ControlClient,
    NoTableError,
    add_socket_argument,
    open_client,
    table_in,
)
from companion.errors import CompanionError, unknown
from companion.table.inputs import Button

REFUSED = 1
_BUTTONS = tuple(button.value for button in Button)
_HOLDABLE = (Button.OK.value, Button.BACK.value)


def add_arguments(parser: argparse.ArgumentParser) -> None:
    parser.add_argument(
        "words",
        nargs="+",
        metavar="KEY",
        help="north, east, south, west, ok, back, die 1 to die 4, or roll; several are pressed in "
        "order until one is refused",
    )
    parser.add_argument("--hold", action="store_true", help="hold OK or BACK instead of tapping it")
    add_socket_argument(parser)


def run(args: argparse.Namespace) -> int:
    presses = list(parse_presses(args.words, is_held=args.hold))
    with open_client(args.socket) as client:
        return _press(client, presses)


def parse_presses(words: list[str], *, is_held: bool) -> Iterator[tuple[str, dict[str, Any]]]:
    """Yield the name and the request members of each press."""
    if is_held and (len(words) > 1 or words[0].lower() not in _HOLDABLE):
        raise CompanionError("--hold is for one press of ok or back")
    rest = iter(words)
    for word in rest:
        match word.lower():
            case "die":
                pips = next(rest, "")
                if pips not in ("1", "2", "3", "4"):
                    raise CompanionError("'die' must be followed by a number: 1, 2, 3 or 4")
                yield f"die {pips}", {"die": int(pips)}
            case "roll":
                yield "roll", {"roll": True}
            case button if button in _BUTTONS:
                yield button, {"button": button} | ({"hold": True} if is_held else {})
            case _:
                raise CompanionError(unknown("key", word, (*_BUTTONS, "die", "roll")))


def _press(client: ControlClient, presses: list[tuple[str, dict[str, Any]]]) -> int:
    """Press in order until one is refused, and print the resulting messages."""
    table: dict[str, Any] = {}
    for number, (name, members) in enumerate(presses):
        answer = client.ask("press", **members)
        if not answer["ok"]:
            if answer.get("refused") is not True:
                raise NoTableError(printable(str(answer.get("error"))))
            print(f"{name} is refused: {printable(str(answer.get('error')))}")
            if left := [name for name, _ in presses[number + 1 :]]:
                print(f"not pressed: {', '.join(left)}")
            return REFUSED
        table = table_in(answer)
    print(*draw_messages(table), sep="\n")
    return 0
