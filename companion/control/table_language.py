"""The language of a table: the one that is set, or that of the booklet it plays by."""

from __future__ import annotations

from collections.abc import Callable

from companion.i18n.catalogue_loader import Library
from companion.i18n.languages import BOOKLETS_LANGUAGE, language_of_booklet
from companion.i18n.renderer import TextRenderer
from companion.table.conversation import Conversation, SettingUp


class TableLanguage:
    """Finds the speech for a conversation."""

    def __init__(self, setting: str, tell: Callable[[str], None] = lambda _: None) -> None:
        """`setting` is that of the config; `tell` is told of a language that cannot be read."""
        self._setting = setting
        self._library = Library(tell)

    def speech(self, conversation: Conversation) -> TextRenderer:
        return self.speech_in(self.language(conversation))

    def language(self, conversation: Conversation) -> str:
        return self._language_by(booklet_of(conversation))

    def speech_by(self, booklet: str) -> TextRenderer:
        """Where there is no conversation yet."""
        return self.speech_in(self._language_by(booklet))

    def speech_in(self, language: str) -> TextRenderer:
        return self._library.speech(language)

    def _language_by(self, booklet: str) -> str:
        is_set = self._setting != BOOKLETS_LANGUAGE
        return self._setting if is_set else language_of_booklet(booklet)


def booklet_of(conversation: Conversation) -> str:
    """The booklet that is played by, or that is leafed to while a game is set up."""
    page = conversation.page
    return page.booklet if isinstance(page, SettingUp) else conversation.playing.beginning.booklet
