"""Notices on the simulator's screen that are not messages of the table."""

from __future__ import annotations

from companion.i18n.message import Message
from companion.table.conversation import Conversation


class Notices:
    """A hint, a line of the log, and messages about the start.

    The log line and the start messages are removed when the conversation changes.
    """

    def __init__(self) -> None:
        self.hint = ""
        """About the last key press: why it did nothing, or what it did if that is not visible."""
        self.log_line = ""
        self.start_messages: tuple[Message, ...] = ()
        self._logged_in: Conversation | None = None
        self._started_in: Conversation | None = None

    def show_log_line(self, text: str, conversation: Conversation) -> None:
        self.log_line, self._logged_in = text, conversation

    def show_start_messages(
        self, messages: tuple[Message, ...], conversation: Conversation
    ) -> None:
        self.start_messages, self._started_in = messages, conversation

    def remove_outdated(self, conversation: Conversation) -> None:
        if conversation is not self._logged_in:
            self.log_line = ""
        if conversation is not self._started_in:
            self.start_messages = ()
