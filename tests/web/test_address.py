"""URLs of the page."""

from __future__ import annotations

import socket
from pathlib import Path
from typing import Any

import pytest

from companion.web import address
from companion.web.address import PageAddress, lan_address, page_address, qr_lines


@pytest.fixture(autouse=True)
def home_network(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(address, "lan_address", lambda: "192.168.1.17")
    monkeypatch.setattr("socket.gethostname", lambda: "kitchen.lan")


@pytest.fixture
def avahi(tmp_path: Path) -> Path:
    (tmp_path / "pid").touch()
    return tmp_path / "pid"


def test_the_url_to_type_has_the_name_and_the_url_to_scan_the_address(avahi: Path) -> None:
    found = page_address("0.0.0.0", 8080, avahi=avahi)
    assert found == PageAddress("http://kitchen.local:8080/", "http://192.168.1.17:8080/")
    assert found.urls == ("http://kitchen.local:8080/", "http://192.168.1.17:8080/")


def test_without_avahi_the_name_is_not_used(tmp_path: Path) -> None:
    found = page_address("0.0.0.0", 8080, avahi=tmp_path / "pid")
    assert found.urls == ("http://192.168.1.17:8080/",)


def test_without_a_network_the_url_is_localhost(
    avahi: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(address, "lan_address", lambda: None)
    assert page_address("0.0.0.0", 8080, avahi=avahi).urls == ("http://127.0.0.1:8080/",)


def test_a_page_that_listens_at_one_address_has_that_url(avahi: Path) -> None:
    assert page_address("127.0.0.1", 8080, avahi=avahi).urls == ("http://127.0.0.1:8080/",)
    assert page_address("fd00::1", 80, avahi=avahi).urls == ("http://[fd00::1]/",)


def test_the_lan_address_is_found_without_sending_anything(monkeypatch: pytest.MonkeyPatch) -> None:
    asked: list[Any] = []

    class FakeSocket(socket.socket):
        def connect(self, where: Any) -> None:  # noqa: ANN401
            asked.append((self.type, where))

        def getsockname(self) -> Any:  # noqa: ANN401
            return ("10.0.0.7", 40000)

    monkeypatch.setattr("socket.socket", FakeSocket)
    assert lan_address() == "10.0.0.7"
    assert asked == [(socket.SOCK_DGRAM, ("192.0.2.1", 9))], (
        "a datagram socket sends nothing on connect"
    )


def test_without_a_route_there_is_no_lan_address(monkeypatch: pytest.MonkeyPatch) -> None:
    class UnroutableSocket(socket.socket):
        def connect(self, where: Any) -> None:  # noqa: ANN401, ARG002
            raise OSError(101, "Network is unreachable")

    monkeypatch.setattr("socket.socket", UnroutableSocket)
    assert lan_address() is None


def test_a_qr_code_is_drawn_in_half_blocks() -> None:
    lines = qr_lines("http://192.168.1.17:8080/")
    assert len(lines) == 15  # 25 modules and a border of 2, two to a line
    plain = [line.replace("\x1b[0m", "") for line in lines]
    assert {len(line) for line in plain} == {29}
    assert set("".join(plain)) == {" ", "█", "▀", "▄"}
