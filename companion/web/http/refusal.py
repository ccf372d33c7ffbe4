"""What the page's server refuses: a status of HTTP, and why, in the words of the catalogue."""

from __future__ import annotations

from companion.errors import CompanionError
from companion.i18n.message import Message
from companion.i18n.renderer import TextRenderer


class Refusal(CompanionError):
    """Raised wherever a request is looked at; app.py makes the answer of it."""

    def __init__(self, status: int, said: Message) -> None:
        super().__init__(TextRenderer().say(said))
        self.status = status
        self.said = said
