"""The language of a table: the configured one, or that of the booklet in use."""

from __future__ import annotations

import logging

from companion.i18n.catalogue_loader import RendererLoader
from companion.i18n.languages import BOOKLET_LANGUAGE, language_of_booklet
from companion.i18n.renderer import TextRenderer
from companion.table.conversation import Conversation, SettingUp

logger = logging.getLogger(__name__)


class TableLanguage:
    """Finds the renderer for a conversation. `setting` is `language` of the config."""

    def __init__(self, setting: str) -> None:
        self._setting = setting
        self._loader = RendererLoader(logger.warning)

    def renderer(self, conversation: Conversation) -> TextRenderer:
        return self.renderer_for(self.language(conversation))

    def language(self, conversation: Conversation) -> str:
        return self._language_of(booklet_of(conversation))

    def renderer_for_booklet(self, booklet: str) -> TextRenderer:
        """For when there is no conversation yet."""
        return self.renderer_for(self._language_of(booklet))

    def renderer_for(self, language: str) -> TextRenderer:
        return self._loader.load(language)

    def _language_of(self, booklet: str) -> str:
        is_set = self._setting != BOOKLET_LANGUAGE
        return self._setting if is_set else language_of_booklet(booklet)


def booklet_of(conversation: Conversation) -> str:
    """The booklet of the game, or the one selected in the set-up."""
    activity = conversation.activity
    if isinstance(activity, SettingUp):
        return activity.booklet
    return conversation.active_game.beginning.booklet
