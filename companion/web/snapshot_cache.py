"""What a phone is told of the table: the account, and what the page adds to it.

It is worked out once for each change, and said once in each language that is listened to, however
many phones there are. What the page adds is worked out from the account; where that fails, it is
left out, and the table is shown all the same.
"""

from __future__ import annotations

import json
from collections.abc import Callable
from typing import Any

from companion.i18n.renderer import TextRenderer
from companion.i18n.wire_form import Renderer, WireRenderer, spoken
from companion.web.table_client import TableClient

Plain = dict[str, Any]
OddsOf = Callable[[str], Plain | None]
PaymentOf = Callable[[str, Plain | None, Renderer], Plain | None]


class SnapshotCache:
    """The bytes of the newest account: for phones that are paired, and for those that are not."""

    def __init__(
        self,
        feed: TableClient,
        odds_of: OddsOf | None,
        payment_of: PaymentOf,
        tell: Callable[[str], None] = lambda _: None,
    ) -> None:
        self._feed = feed
        self._odds_of = odds_of
        """None where the setting is off."""
        self._payment_of = payment_of
        self._tell = tell
        self._version = -1
        self._plain: Plain = {}
        """Before it is said in a language."""
        self._said: dict[str, Plain] = {}
        """In each language that is listened to."""
        self._made: dict[tuple[str, bool], bytes] = {}

    def json_for(self, speech: TextRenderer, *, is_paired: bool) -> bytes | None:
        """None while the table cannot be reached."""
        if (table := self._feed.table) is None:
            return None
        if self._version != self._feed.version:
            self._plain, self._said, self._made = self._work_out(table), {}, {}
            self._version = self._feed.version
        language = speech.language
        if (language, is_paired) not in self._made:
            if language not in self._said:
                self._said[language] = spoken(self._plain, speech)
            told = {"language": language, "paired": is_paired, **self._said[language]}
            self._made[language, is_paired] = dump(told)
        return self._made[language, is_paired]

    def _work_out(self, table: Plain) -> Plain:
        game = table.get("game") or {}
        position, tribute = game.get("position"), game.get("tribute")
        odds = payment = None
        if position is not None:
            if self._odds_of is not None:
                odds = self._try(self._odds_of, position)
            payment = self._try(self._payment_of, position, tribute, WireRenderer())
        return {"table": table, "odds": odds, "payment": payment}

    def _try(self, work: Callable[..., Plain | None], *values: object) -> Plain | None:
        try:
            return work(*values)
        except Exception as error:
            self._tell(f"a fault in {work.__name__}: {type(error).__name__}: {error}")
            return None


def dump(plain: object) -> bytes:
    return json.dumps(plain, separators=(",", ":")).encode()
