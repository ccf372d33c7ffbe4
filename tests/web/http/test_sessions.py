"""Sessions of paired phones, and limits of tries."""

from __future__ import annotations

from itertools import count

import pytest

from companion.web.http.sessions import (
    MAX_ADDRESSES,
    MAX_PHONES,
    SESSION_S,
    TRIES_PER_ADDRESS,
    TRIES_TOTAL,
    TRIES_WINDOW_S,
    Sessions,
)

HERE, THERE = "192.168.1.20", "192.168.1.21"


class Clock:
    now = 1000.0

    def __call__(self) -> float:
        return self.now


@pytest.fixture
def clock() -> Clock:
    return Clock()


@pytest.fixture
def sessions(clock: Clock) -> Sessions:
    numbers = count(1)
    return Sessions(clock, lambda: f"token {next(numbers)}")


def test_a_phone_is_paired_by_its_exact_token(sessions: Sessions) -> None:
    token = sessions.create_session()
    assert token == "token 1"
    assert sessions.is_paired(token)
    for wrong in (None, "", "token", "token 2", "token 1 ", "TOKEN 1", "tokén 1", "\ud800"):
        assert not sessions.is_paired(wrong), wrong


def test_a_token_lasts_twelve_hours(sessions: Sessions, clock: Clock) -> None:
    token = sessions.create_session()
    clock.now += SESSION_S - 1
    assert sessions.is_paired(token)
    clock.now += 1
    assert not sessions.is_paired(token)
    assert SESSION_S == 12 * 3600


def test_the_oldest_session_is_dropped_when_there_are_too_many(sessions: Sessions) -> None:
    tokens = [sessions.create_session() for _ in range(MAX_PHONES)]
    assert all(map(sessions.is_paired, tokens))
    newest = sessions.create_session()
    assert [sessions.is_paired(token) for token in (*tokens, newest)] == [False] + [True] * 16


def test_every_stored_token_is_compared(
    sessions: Sessions, monkeypatch: pytest.MonkeyPatch
) -> None:
    """So that the time taken does not show how near a guess is."""
    tokens = [sessions.create_session() for _ in range(5)]
    compared: list[bool] = []

    def compare(one: bytes, other: bytes) -> bool:
        assert len(one) == len(other) == 32
        compared.append(one == other)
        return one == other

    monkeypatch.setattr("companion.web.http.sessions.hmac.compare_digest", compare)
    for token in (tokens[0], tokens[4], "wrong"):
        compared.clear()
        sessions.is_paired(token)
        assert len(compared) == 5


def test_a_token_cannot_be_guessed() -> None:
    sessions = Sessions()
    tokens = {sessions.create_session() for _ in range(10)}
    assert len(tokens) == 10
    assert {len(token) for token in tokens} == {43}  # 256 bits


def try_all(sessions: Sessions, address: str) -> int:
    """Try codes until refused; returns how many were allowed."""
    tried = 0
    while sessions.allow_try(address):
        tried += 1
    return tried


def test_tries_per_minute_are_limited(sessions: Sessions, clock: Clock) -> None:
    for _ in range(TRIES_PER_ADDRESS):
        assert sessions.allow_try(HERE)
        clock.now += 1
    assert not sessions.allow_try(HERE)
    clock.now += TRIES_WINDOW_S - TRIES_PER_ADDRESS - 0.5
    assert not sessions.allow_try(HERE), "a refused try does not count"
    clock.now += 0.5
    assert sessions.allow_try(HERE)
    assert not sessions.allow_try(HERE)
    clock.now += 1
    assert sessions.allow_try(HERE)


def test_each_address_has_its_own_tries(sessions: Sessions) -> None:
    assert try_all(sessions, HERE) == TRIES_PER_ADDRESS
    assert try_all(sessions, THERE) == TRIES_PER_ADDRESS


@pytest.mark.parametrize(
    ("one", "other", "is_same"),
    [
        ("2001:db8:0:1::5", "2001:db8:0:1:ffff::9", True),
        ("2001:db8:0:1::5", "2001:db8:0:2::5", False),
        ("fe80::1%wlan0", "fe80::2%wlan0", True),
        ("::ffff:192.168.1.20", "192.168.1.20", True),
        ("::ffff:192.168.1.20", "::ffff:192.168.1.21", False),
        ("", "nonsense", True),
    ],
)
def test_addresses_of_one_ipv6_network_count_as_one_client(
    sessions: Sessions, one: str, other: str, is_same: bool
) -> None:
    assert try_all(sessions, one) == TRIES_PER_ADDRESS
    assert try_all(sessions, other) == (0 if is_same else TRIES_PER_ADDRESS)


def test_all_addresses_together_have_a_limit_and_few_are_remembered(
    sessions: Sessions, clock: Clock
) -> None:
    """Else a client that changes its address for each try could flood the table."""
    tried = sum(sessions.allow_try(f"10.0.{n // 250}.{n % 250}") for n in range(TRIES_TOTAL + 50))
    assert tried == TRIES_TOTAL
    assert len(sessions._tries_by_client) == MAX_ADDRESSES
    assert not sessions.allow_try(HERE)
    assert len(sessions._tries_by_client) == MAX_ADDRESSES
    clock.now += TRIES_WINDOW_S
    assert try_all(sessions, HERE) == TRIES_PER_ADDRESS


def test_an_address_that_keeps_trying_is_not_forgotten(sessions: Sessions) -> None:
    for n in range(TRIES_PER_ADDRESS):
        assert sessions.allow_try(HERE)
        for m in range(20):
            sessions.allow_try(f"10.0.{n}.{m}")
    assert not sessions.allow_try(HERE)
