"""What a set-up can be, in plain values fit for JSON: for whoever draws a form."""

from __future__ import annotations

from typing import Any

from companion.config.model import LONGEST_NAME, NAMES
from companion.games.marrakech import BOOKLETS, COLOURS, OPTIONS, Options
from companion.games.marrakech.setup import RUGS_FOR
from companion.i18n.message import Book, Message
from companion.i18n.wire_form import Renderer


def choices(speech: Renderer) -> dict[str, Any]:
    """Booklets come with what they decide otherwise than the first value of each option."""
    return {
        "booklets": [
            {
                "id": booklet.code,
                "title": speech.word(Book(booklet.code)),
                "options": booklet.options.differences(Options()),
            }
            for booklet in BOOKLETS.values()
        ],
        "options": [
            {
                "name": name,
                "title": speech.say(Message(f"option.{name}")),
                "values": [
                    {"value": value, "meaning": speech.say(Message(f"option.{name}.{value}"))}
                    for value in values
                ],
            }
            for name, values in OPTIONS.items()
        ],
        "colours": [colour.label for colour in COLOURS],
        "limits": {
            "players": {"least": min(RUGS_FOR), "most": max(RUGS_FOR)},
            "names": NAMES,
            "longest_name": LONGEST_NAME,
        },
    }
