"""Logs problems of the table: one line when a problem appears, one when it is gone."""

from __future__ import annotations

import logging

from companion.i18n.message import Message
from companion.i18n.renderer import TextRenderer
from companion.table.view import TableView

logger = logging.getLogger(__name__)


class TroubleLog:
    """Compares each view with the one before."""

    def __init__(self) -> None:
        self._known: tuple[Message, ...] = ()
        self._renderer = TextRenderer()

    def handle_view(self, view: TableView) -> None:
        known, self._known = self._known, view.trouble
        for one in view.trouble:
            if one not in known:
                logger.warning(self._renderer.render(one))
        for one in known:
            if one not in view.trouble:
                logger.info("No longer: %s", self._renderer.render(one))
