"""What goes wrong and what is well again, a line each, for the system's journal."""

from __future__ import annotations

from collections.abc import Callable

from companion.daemon.controller import TableView
from companion.i18n.message import Message
from companion.i18n.renderer import TextRenderer


class TroubleLog:
    """Says each trouble when it comes and when it is gone; never the same twice in a row."""

    def __init__(self, say: Callable[[str], None]) -> None:
        self._say = say
        self._known: tuple[Message, ...] = ()
        self._speech = TextRenderer()

    def hear(self, view: TableView) -> None:
        known, self._known = self._known, view.trouble
        for one in view.trouble:
            if one not in known:
                self._say(self._speech.say(one))
        for one in known:
            if one not in view.trouble:
                self._say(f"No longer: {self._speech.say(one)}")
