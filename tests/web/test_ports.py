"""The listening socket: its port and buffers."""

from __future__ import annotations

import socket

import pytest

from companion.web import server
from companion.web.server import MAX_PORTS_TRIED, ListenError, listen


def test_the_next_free_port_is_used() -> None:
    with listen("127.0.0.1", 0) as first:
        taken = first.getsockname()[1]
        with listen("127.0.0.1", taken) as second:
            assert taken < second.getsockname()[1] < taken + MAX_PORTS_TRIED


def test_without_a_free_port_the_error_says_what_to_do(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(server, "MAX_PORTS_TRIED", 1)
    with listen("127.0.0.1", 0) as first:
        taken = first.getsockname()[1]
        with pytest.raises(ListenError) as refused:
            listen("127.0.0.1", taken)
    assert str(refused.value) == (
        f"port {taken} is in use by another program: set [web] port in the config to one that "
        "is free"
    )


def test_a_foreign_address_is_refused() -> None:
    with pytest.raises(ListenError) as refused:
        listen("192.0.2.1", 8080)
    assert str(refused.value) == (
        "the page cannot listen at 192.0.2.1, port 8080 (Cannot assign requested address): set "
        "[web] host and port in the config"
    )


def test_kernel_buffers_are_small() -> None:
    with listen("127.0.0.1", 0) as listening:
        size = listening.getsockopt(socket.SOL_SOCKET, socket.SO_SNDBUF)
        assert size == 2 * 64 * 1024  # Linux doubles the value for its own bookkeeping
