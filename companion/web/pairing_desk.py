"""Phones that were paired: each has a token in a cookie, and may press until it has expired.

The code is checked by the table, over the control socket; what is kept here is who has shown it.
Nothing is written down: when the page's process ends, phones pair anew. No I/O.
"""

from __future__ import annotations

import hmac
import secrets
from collections import deque
from collections.abc import Callable
from hashlib import sha256
from time import monotonic

COOKIE = "marrakech_phone"
MOST_PHONES = 16
LASTS_S = 12 * 3600
"""An evening, and a breakfast."""
TRIES = 10
TRIES_IN_S = 60.0
"""The table counts wrong codes itself; this keeps a flood of them away from it."""
_TOKEN_BYTES = 32
_LONGEST_TOKEN = 64


class PairingDesk:
    def __init__(
        self,
        clock: Callable[[], float] = monotonic,
        make_token: Callable[[], str] = lambda: secrets.token_urlsafe(_TOKEN_BYTES),
    ) -> None:
        self._clock = clock
        self._make_token = make_token
        self._phones: deque[tuple[bytes, float]] = deque(maxlen=MOST_PHONES)
        """Digests of tokens, and when they expire: the oldest first, and first to go."""
        self._tries: deque[float] = deque(maxlen=TRIES)

    def may_try(self) -> bool:
        """Whether a code may be tried now; if so, that counts as a try."""
        now = self._clock()
        if len(self._tries) == TRIES and now - self._tries[0] < TRIES_IN_S:
            return False
        self._tries.append(now)
        return True

    def admit(self) -> str:
        """The token of a phone that has shown the code."""
        token = self._make_token()
        self._phones.append((_digest(token), self._clock() + LASTS_S))
        return token

    def is_paired(self, token: str | None) -> bool:
        """The same time is taken for every token, right or wrong."""
        now = self._clock()
        while self._phones and self._phones[0][1] <= now:
            self._phones.popleft()
        if token is None or len(token) > _LONGEST_TOKEN:
            return False
        asked, found = _digest(token), False
        for digest, _ in self._phones:
            found |= hmac.compare_digest(digest, asked)
        return found


def _digest(token: str) -> bytes:
    return sha256(token.encode(errors="replace")).digest()
