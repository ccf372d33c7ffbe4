"""The English catalogue: every sentence a player reads.

A key names a sentence, never a piece of one. Names and colours stand where no language has to
inflect them: before a colon, or alone. A pair is a text for one thing and one for any other number,
chosen by `{count}`.
"""

from __future__ import annotations

from companion.i18n.english_page import PAGE
from companion.i18n.english_rules import RULES
from companion.i18n.english_simulator import SIMULATOR
from companion.i18n.english_table import TABLE

ENGLISH: dict[str, str | tuple[str, str]] = {**TABLE, **RULES, **SIMULATOR, **PAGE}

assert len(ENGLISH) == sum(map(len, (TABLE, RULES, SIMULATOR, PAGE))), "a key stands twice"
