"""Sessions of paired phones: a token in a cookie, valid for some hours. No I/O.

The table checks the pairing code; this module remembers which phones have sent the right one.
Sessions live in memory: when the page's process restarts, phones pair again.

The table itself limits guessing: five wrong tries void a code, and it shows a new one only when a
player asks for it (companion/control/pairing.py). The rate limits here only keep a flood of tries
away from the table, and one client's flood from locking out others. Each address has its own tries,
and all addresses together have a limit that also holds for a client that changes addresses.
"""

from __future__ import annotations

import hmac
import secrets
from collections import deque
from collections.abc import Callable
from hashlib import sha256
from ipaddress import IPv6Address, IPv6Network, ip_address
from time import monotonic

SESSION_COOKIE = "marrakech_phone"
MAX_PHONES = 16
SESSION_S = 12 * 3600
"""Long enough for an evening of games and the next morning."""
TRIES_PER_ADDRESS = 10
TRIES_TOTAL = 600
TRIES_WINDOW_S = 60.0
MAX_ADDRESSES = 128
"""Addresses whose tries are remembered."""
_IPV6_NETWORK_BITS = 64
"""A client can use all IPv6 addresses of its network."""
_TOKEN_BYTES = 32
_MAX_TOKEN_LENGTH = 64


class Sessions:
    def __init__(
        self,
        clock: Callable[[], float] = monotonic,
        make_token: Callable[[], str] = lambda: secrets.token_urlsafe(_TOKEN_BYTES),
    ) -> None:
        self._clock = clock
        self._make_token = make_token
        self._phones: deque[tuple[bytes, float]] = deque(maxlen=MAX_PHONES)
        """Digests of tokens and when they expire, the oldest first."""
        self._tries: deque[float] = deque(maxlen=TRIES_TOTAL)
        self._tries_by_client: dict[str, deque[float]] = {}
        """In the order of the last try; the oldest is dropped first."""

    def allow_try(self, address: str) -> bool:
        """Count a try from this address, unless it or all together have used up theirs."""
        now, client = self._clock(), client_key(address)
        tries = self._tries_by_client.get(client) or deque(maxlen=TRIES_PER_ADDRESS)
        if _is_exhausted(tries, now) or _is_exhausted(self._tries, now):
            return False
        tries.append(now)
        self._tries.append(now)
        self._tries_by_client.pop(client, None)
        self._tries_by_client[client] = tries
        if len(self._tries_by_client) > MAX_ADDRESSES:
            del self._tries_by_client[next(iter(self._tries_by_client))]
        return True

    def create_session(self) -> str:
        """The token for a phone that has sent the right code."""
        token = self._make_token()
        self._phones.append((_digest(token), self._clock() + SESSION_S))
        return token

    def is_paired(self, token: str | None) -> bool:
        """Takes the same time for every token, right or wrong."""
        now = self._clock()
        while self._phones and self._phones[0][1] <= now:
            self._phones.popleft()
        if token is None or len(token) > _MAX_TOKEN_LENGTH:
            return False
        wanted, found = _digest(token), False
        for digest, _ in self._phones:
            found |= hmac.compare_digest(digest, wanted)
        return found


def client_key(address: str) -> str:
    """The key under which tries of this address are counted."""
    try:
        found = ip_address(address.partition("%")[0])
    except ValueError:
        return ""
    if not isinstance(found, IPv6Address):
        return str(found)
    return str(found.ipv4_mapped or IPv6Network((int(found), _IPV6_NETWORK_BITS), strict=False))


def _is_exhausted(tries: deque[float], now: float) -> bool:
    """Whether the maximum was reached within the time window."""
    return len(tries) == tries.maxlen and now - tries[0] < TRIES_WINDOW_S


def _digest(token: str) -> bytes:
    return sha256(token.encode(errors="replace")).digest()
