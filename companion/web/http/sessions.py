"""Phones that were paired: each has a token in a cookie, and may press until it has expired.

The code is checked by the table, over the control socket; what is kept here is who has shown it.
Nothing is written down: when the page's process ends, phones pair anew. No I/O.

Nobody gets a code by trying here. It is the table that keeps guessers out, whoever they are: five
wrong tries make a code void, and the next is shown only when somebody at the table wants it, so
that a guess is right once in two thousand showings (companion/daemon/pairing.py). What is counted
here only keeps a flood away from the table, and one visitor's flood from the others: each address
has tries of its own, and all of them together have many more than anybody needs. Whoever changes
addresses so often that his own are forgotten still has only those of all.
"""

from __future__ import annotations

import hmac
import secrets
from collections import deque
from collections.abc import Callable
from hashlib import sha256
from ipaddress import IPv6Address, IPv6Network, ip_address
from time import monotonic

COOKIE = "marrakech_phone"
MOST_PHONES = 16
LASTS_S = 12 * 3600
"""An evening, and a breakfast."""
TRIES = 10
"""Of one address."""
TRIES_OF_ALL = 600
TRIES_IN_S = 60.0
MOST_ADDRESSES = 128
"""Whose tries are remembered."""
_NET_BITS = 64
"""Of an IPv6 address: whoever has one has all that begin like it."""
_TOKEN_BYTES = 32
_LONGEST_TOKEN = 64


class Sessions:
    def __init__(
        self,
        clock: Callable[[], float] = monotonic,
        make_token: Callable[[], str] = lambda: secrets.token_urlsafe(_TOKEN_BYTES),
    ) -> None:
        self._clock = clock
        self._make_token = make_token
        self._phones: deque[tuple[bytes, float]] = deque(maxlen=MOST_PHONES)
        """Digests of tokens, and when they expire: the oldest first, and first to go."""
        self._tries: deque[float] = deque(maxlen=TRIES_OF_ALL)
        self._tries_of: dict[str, deque[float]] = {}
        """By address: who tried last is last, and who did so longest ago is forgotten first."""

    def may_try(self, address: str) -> bool:
        """Whether a code may be tried now, from there; if so, that counts as a try."""
        now, visitor = self._clock(), visitor_at(address)
        tries = self._tries_of.get(visitor) or deque(maxlen=TRIES)
        if _is_enough(tries, now) or _is_enough(self._tries, now):
            return False
        tries.append(now)
        self._tries.append(now)
        self._tries_of.pop(visitor, None)
        self._tries_of[visitor] = tries
        if len(self._tries_of) > MOST_ADDRESSES:
            del self._tries_of[next(iter(self._tries_of))]
        return True

    def make_context(self) -> str:
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


def visitor_at(address: str) -> str:
    """Who is counted as one."""
    try:
        found = ip_address(address.partition("%")[0])
    except ValueError:
        return ""
    if not isinstance(found, IPv6Address):
        return str(found)
    return str(found.ipv4_mapped or IPv6Network((int(found), _NET_BITS), strict=False))


def _is_enough(tries: deque[float], now: float) -> bool:
    """Whether there were as many as there may be, and the first is not long ago."""
    return len(tries) == tries.maxlen and now - tries[0] < TRIES_IN_S


def _digest(token: str) -> bytes:
    return sha256(token.encode(errors="replace")).digest()
