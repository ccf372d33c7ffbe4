"""The JSON that phones get of the table: its snapshot, with odds and payment added.

It is built once per change and rendered once per language in use, for any number of phones. If the
odds or the payment cannot be computed, they are left out.
"""

from __future__ import annotations

import json
import logging
from collections.abc import Callable

from companion.i18n.renderer import TextRenderer
from companion.i18n.wire_form import Renderer, WireRenderer, render_wire
from companion.json_types import JsonObject
from companion.web.table_client import TableClient

OddsOf = Callable[[str], JsonObject | None]
PaymentOf = Callable[[str, JsonObject | None, Renderer], JsonObject | None]
_LOGGER = logging.getLogger(__name__)


class SnapshotCache:
    """The newest snapshot as bytes, by language and for paired and unpaired phones."""

    def __init__(
        self, table_client: TableClient, odds_of: OddsOf | None, payment_of: PaymentOf
    ) -> None:
        """`odds_of` is None if the config turns the odds off."""
        self._table_client = table_client
        self._odds_of = odds_of
        self._payment_of = payment_of
        self._version = -1
        self._unrendered: JsonObject = {}
        self._rendered: dict[str, JsonObject] = {}
        self._bytes: dict[tuple[str, bool], bytes] = {}

    def json_for(self, renderer: TextRenderer, *, is_paired: bool) -> bytes | None:
        """None while the table cannot be reached."""
        if (snapshot := self._table_client.snapshot) is None:
            return None
        if self._version != self._table_client.version:
            self._unrendered, self._rendered, self._bytes = self._extend(snapshot), {}, {}
            self._version = self._table_client.version
        language = renderer.language
        if (language, is_paired) not in self._bytes:
            if language not in self._rendered:
                self._rendered[language] = render_wire(self._unrendered, renderer)
            members = {"language": language, "paired": is_paired, **self._rendered[language]}
            self._bytes[language, is_paired] = dump_json(members)
        return self._bytes[language, is_paired]

    def _extend(self, snapshot: JsonObject) -> JsonObject:
        game = snapshot.get("game") or {}
        position, tribute = game.get("position"), game.get("tribute")
        odds = payment = None
        if position is not None:
            if self._odds_of is not None:
                odds = _try(self._odds_of, position)
            payment = _try(self._payment_of, position, tribute, WireRenderer())
        return {"table": snapshot, "odds": odds, "payment": payment}


def _try(function: Callable[..., JsonObject | None], *values: object) -> JsonObject | None:
    try:
        return function(*values)
    except Exception as error:
        _LOGGER.error("%s failed: %s: %s", function.__name__, type(error).__name__, error)
        return None


def dump_json(value: object) -> bytes:
    return json.dumps(value, separators=(",", ":")).encode()
