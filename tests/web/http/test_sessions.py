"""Phones that were paired: how many, for how long, and what a flood of codes comes to."""

from __future__ import annotations

from itertools import count

import pytest

from companion.web.http.sessions import (
    LASTS_S,
    MOST_ADDRESSES,
    MOST_PHONES,
    TRIES,
    TRIES_IN_S,
    TRIES_OF_ALL,
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
def desk(clock: Clock) -> Sessions:
    numbers = count(1)
    return Sessions(clock, lambda: f"token {next(numbers)}")


def test_a_phone_is_paired_by_its_token_and_by_no_other(desk: Sessions) -> None:
    token = desk.make_context()
    assert token == "token 1"
    assert desk.is_paired(token)
    for wrong in (None, "", "token", "token 2", "token 1 ", "TOKEN 1", "tokén 1", "\ud800"):
        assert not desk.is_paired(wrong), wrong


def test_a_token_lasts_twelve_hours(desk: Sessions, clock: Clock) -> None:
    token = desk.make_context()
    clock.now += LASTS_S - 1
    assert desk.is_paired(token)
    clock.now += 1
    assert not desk.is_paired(token)
    assert LASTS_S == 12 * 3600


def test_the_phone_that_came_first_goes_when_there_are_too_many(desk: Sessions) -> None:
    tokens = [desk.make_context() for _ in range(MOST_PHONES)]
    assert all(map(desk.is_paired, tokens))
    newest = desk.make_context()
    assert [desk.is_paired(token) for token in (*tokens, newest)] == [False] + [True] * 16


def test_every_token_is_compared_whichever_is_right(
    desk: Sessions, monkeypatch: pytest.MonkeyPatch
) -> None:
    """So that the time it takes tells nobody how near he is."""
    tokens = [desk.make_context() for _ in range(5)]
    compared: list[bool] = []

    def compare(one: bytes, other: bytes) -> bool:
        assert len(one) == len(other) == 32
        compared.append(one == other)
        return one == other

    monkeypatch.setattr("companion.web.http.sessions.hmac.compare_digest", compare)
    for token in (tokens[0], tokens[4], "wrong"):
        compared.clear()
        desk.is_paired(token)
        assert len(compared) == 5


def test_a_token_cannot_be_guessed() -> None:
    desk = Sessions()
    tokens = {desk.make_context() for _ in range(10)}
    assert len(tokens) == 10
    assert {len(token) for token in tokens} == {43}  # 256 bits


def try_all(desk: Sessions, address: str) -> int:
    """How many codes are tried from there, at once."""
    tried = 0
    while desk.may_try(address):
        tried += 1
    return tried


def test_no_more_than_so_many_codes_are_tried_in_a_minute(desk: Sessions, clock: Clock) -> None:
    for _ in range(TRIES):
        assert desk.may_try(HERE)
        clock.now += 1
    assert not desk.may_try(HERE)
    clock.now += TRIES_IN_S - TRIES - 0.5
    assert not desk.may_try(HERE), "a try that was not allowed does not count"
    clock.now += 0.5
    assert desk.may_try(HERE)
    assert not desk.may_try(HERE)
    clock.now += 1
    assert desk.may_try(HERE)


def test_a_stranger_leaves_their_tries_to_the_others(desk: Sessions) -> None:
    assert try_all(desk, HERE) == TRIES
    assert try_all(desk, THERE) == TRIES


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
def test_who_has_many_addresses_is_one_visitor(
    desk: Sessions, one: str, other: str, is_same: bool
) -> None:
    assert try_all(desk, one) == TRIES
    assert try_all(desk, other) == (0 if is_same else TRIES)


def test_all_together_have_a_limit_too_and_few_are_remembered(desk: Sessions, clock: Clock) -> None:
    """Else whoever takes another address for each code would flood the table."""
    tried = sum(desk.may_try(f"10.0.{n // 250}.{n % 250}") for n in range(TRIES_OF_ALL + 50))
    assert tried == TRIES_OF_ALL
    assert len(desk._tries_of) == MOST_ADDRESSES
    assert not desk.may_try(HERE)
    assert len(desk._tries_of) == MOST_ADDRESSES
    clock.now += TRIES_IN_S
    assert try_all(desk, HERE) == TRIES


def test_who_tries_on_is_not_the_one_who_is_forgotten(desk: Sessions) -> None:
    for n in range(TRIES):
        assert desk.may_try(HERE)
        for m in range(20):
            desk.may_try(f"10.0.{n}.{m}")
    assert not desk.may_try(HERE)
