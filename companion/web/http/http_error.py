"""The error that a request handler raises to refuse a request."""

from __future__ import annotations

from companion.errors import CompanionError
from companion.i18n.message import Message
from companion.i18n.renderer import TextRenderer


class HttpError(CompanionError):
    """An HTTP status and its reason, which app.py renders in the phone's language."""

    def __init__(self, status: int, message: Message) -> None:
        super().__init__(TextRenderer().render(message))
        self.status = status
        self.message = message
