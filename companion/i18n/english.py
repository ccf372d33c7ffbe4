"""The English catalogue: every sentence a player reads.

A key names a whole sentence, never a part. Names and colours are placed where no language has to
inflect them: before a colon, or alone. A pair is the singular and the plural, chosen by `{count}`.
"""

from __future__ import annotations

from companion.i18n.english_page import PAGE
from companion.i18n.english_rules import RULES
from companion.i18n.english_simulator import SIMULATOR
from companion.i18n.english_table import TABLE

ENGLISH: dict[str, str | tuple[str, str]] = {**TABLE, **RULES, **SIMULATOR, **PAGE}

assert len(ENGLISH) == sum(map(len, (TABLE, RULES, SIMULATOR, PAGE))), "duplicate key"
