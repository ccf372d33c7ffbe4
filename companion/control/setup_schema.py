"""What a set-up form can offer, as JSON."""

from __future__ import annotations

from typing import Any

from companion.config.model import MAX_NAME_LENGTH, MAX_NAMES
from companion.games.marrakech import BOOKLETS, COLOURS, OPTIONS, Options
from companion.games.marrakech.setup import RUGS_FOR
from companion.i18n.message import BookletName, Message
from companion.i18n.wire_form import Renderer


def setup_choices(renderer: Renderer) -> dict[str, Any]:
    """Each booklet comes with the options in which it differs from the defaults."""
    return {
        "booklets": [
            {
                "id": booklet.code,
                "title": renderer.render_value(BookletName(booklet.code)),
                "options": booklet.options.differences(Options()),
            }
            for booklet in BOOKLETS.values()
        ],
        "options": [
            {
                "name": name,
                "title": renderer.render(Message(f"option.{name}")),
                "values": [
                    {"value": value, "meaning": renderer.render(Message(f"option.{name}.{value}"))}
                    for value in values
                ],
            }
            for name, values in OPTIONS.items()
        ],
        "colours": [colour.label for colour in COLOURS],
        "limits": {
            "players": {"least": min(RUGS_FOR), "most": max(RUGS_FOR)},
            "names": MAX_NAMES,
            "longest_name": MAX_NAME_LENGTH,
        },
    }
