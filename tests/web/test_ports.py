"""Where the page listens: at its port, or one of the next, and how much is kept for a phone."""

from __future__ import annotations

import socket

import pytest

from companion.web import server
from companion.web.server import MOST_PORTS, PortTakenError, listen


def test_where_a_port_is_taken_one_of_the_next_is() -> None:
    with listen("127.0.0.1", 0) as first:
        taken = first.getsockname()[1]
        with listen("127.0.0.1", taken) as second:
            assert taken < second.getsockname()[1] < taken + MOST_PORTS


def test_where_all_are_taken_that_is_said(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(server, "MOST_PORTS", 1)
    with listen("127.0.0.1", 0) as first:
        taken = first.getsockname()[1]
        with pytest.raises(PortTakenError) as refused:
            listen("127.0.0.1", taken)
    assert str(refused.value) == (
        f"port {taken} is taken by another program: set [web] port in the config to one that is "
        "free"
    )


def test_an_address_that_is_not_ours_is_told() -> None:
    with pytest.raises(PortTakenError) as refused:
        listen("192.0.2.1", 8080)
    assert str(refused.value) == (
        "the page cannot listen at 192.0.2.1, port 8080 (Cannot assign requested address): set "
        "[web] host and port in the config"
    )


def test_the_kernel_keeps_little_for_a_phone_that_does_not_read() -> None:
    with listen("127.0.0.1", 0) as listening:
        kept = listening.getsockopt(socket.SOL_SOCKET, socket.SO_SNDBUF)
        assert kept == 2 * 64 * 1024  # Linux counts its own bookkeeping too
