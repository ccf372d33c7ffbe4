"""Pairing codes: a phone may press buttons after somebody typed the code that the matrix shows.

Four digits can be guessed, so a code is valid for two minutes, a few wrong attempts make it void,
and attempts are limited per minute. Each code shown makes the one before void. No I/O: the clock is
a parameter.
"""

from __future__ import annotations

import hmac
import secrets
from collections import deque
from collections.abc import Callable

from companion.i18n.message import Message, message

DIGITS = 4
SHOWN_S = 60.0
"""How long the matrix shows it, unless a button is pressed."""
VALID_S = 120.0
"""After it was first shown: enough to read it, pass it on and type it."""
MAX_WRONG_ATTEMPTS = 5
"""Wrong attempts until the code is void."""
ATTEMPTS_PER_MINUTE = 10
"""All attempts, right or wrong."""
_MINUTE_S = 60.0


def new_code() -> str:
    """A random code. The first digit may be 0."""
    return f"{secrets.randbelow(10**DIGITS):0{DIGITS}}"


class Pairing:
    """The code of one table, and the attempts to guess it."""

    def __init__(self, clock: Callable[[], float], make_code: Callable[[], str] = new_code) -> None:
        self._clock = clock
        self._make_code = make_code
        self._code: str | None = None
        self._shown_at = 0.0
        self._wrong = 0
        """Wrong attempts for this code."""
        self._attempts: deque[float] = deque(maxlen=ATTEMPTS_PER_MINUTE)
        """Times of the last attempts."""

    def show(self) -> str:
        """Make a new code; the one before is void."""
        self._code = self._make_code()
        self._shown_at = self._clock()
        self._wrong = 0
        return self._code

    def refusal(self, code: str) -> Message | None:
        """Why this code is refused; None if it is right. Several phones may use the same code.

        Attempts are not counted while no code is valid.
        """
        now = self._clock()
        if self._code is None or now - self._shown_at >= VALID_S:
            self._code = None
            return message("pair.no_code")
        if len(self._attempts) == ATTEMPTS_PER_MINUTE and now - self._attempts[0] < _MINUTE_S:
            return message("pair.too_many")
        self._attempts.append(now)
        if hmac.compare_digest(code.encode(errors="replace"), self._code.encode()):
            return None
        self._wrong += 1
        if self._wrong == MAX_WRONG_ATTEMPTS:
            self._code = None
            return message("pair.void")
        return message("pair.wrong", count=MAX_WRONG_ATTEMPTS - self._wrong)
