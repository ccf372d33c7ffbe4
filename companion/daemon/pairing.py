"""Pairing: a phone may press once somebody at the table has read it the code from the matrix.

A code is for those who see the table, and four digits can be guessed: so it lasts two minutes, a
few wrong tries make it void, and only so many are looked at in a minute. Every showing makes a new
one, and the last that was shown is the only one. Time comes in by a clock. No I/O.
"""

from __future__ import annotations

import hmac
import secrets
from collections import deque
from collections.abc import Callable

from companion.i18n.message import Message, message

DIGITS = 4
SHOWN_S = 60.0
"""How long the matrix shows it, unless a button is pressed before."""
VALID_S = 120.0
"""After it was shown: it is read, carried round the table and typed."""
TRIES = 5
"""Wrong ones, until the code is void."""
TRIES_A_MINUTE = 10
"""Whatever the code, right or wrong."""
_MINUTE_S = 60.0


def new_code() -> str:
    """Nobody can foresee it. The first digit may be 0."""
    return f"{secrets.randbelow(10**DIGITS):0{DIGITS}}"


class Pairing:
    """The code of one table, and what was tried on it."""

    def __init__(self, clock: Callable[[], float], make_code: Callable[[], str] = new_code) -> None:
        self._clock = clock
        self._make_code = make_code
        self._code: str | None = None
        self._shown_at = 0.0
        self._wrong = 0
        """Tries on this code."""
        self._tries: deque[float] = deque(maxlen=TRIES_A_MINUTE)
        """When the last ones were looked at."""

    def show(self) -> str:
        """A new code, that is shown from now on; the one before is void."""
        self._code = self._make_code()
        self._shown_at = self._clock()
        self._wrong = 0
        return self._code

    def refusal(self, code: str) -> Message | None:
        """Why this code pairs nobody; None if it does. Several phones may use the same one.

        A try is not counted while there is no code to be guessed.
        """
        now = self._clock()
        if self._code is None or now - self._shown_at >= VALID_S:
            self._code = None
            return message("pair.no_code")
        if len(self._tries) == TRIES_A_MINUTE and now - self._tries[0] < _MINUTE_S:
            return message("pair.too_many")
        self._tries.append(now)
        if hmac.compare_digest(code.encode(errors="replace"), self._code.encode()):
            return None
        self._wrong += 1
        if self._wrong == TRIES:
            self._code = None
            return message("pair.void")
        return message("pair.wrong", count=TRIES - self._wrong)
