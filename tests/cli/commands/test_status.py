"""`marrakech status`: the running table as text and as JSON."""

from __future__ import annotations

import json
import socket
import subprocess
import sys
import urllib.request
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from helpers.patience import PATIENCE_S
from helpers.table.command_runner import run_commands
from helpers.table.table_driver import TableDriver, game_at, started_game
from helpers.table.virtual_table import virtual_table_config

from companion import __version__
from companion.adapters.pad_health import PadHealth, PadState
from companion.cli.commands import status
from companion.cli.commands.status import page_lines
from companion.cli.main import main
from companion.cli.snapshot_text import draw_snapshot
from companion.control.snapshot import snapshot_of
from companion.i18n.message import message
from companion.pad.messages import Identity
from companion.table.scenes.stage_scenes import LinkState, RailStatus
from companion.table.view import TableView

SET_UP = ["press", "ok", "ok", "ok", "ok", "die", "3"]


def drawn(driver: TableDriver, status: RailStatus | None = None, **more: Any) -> str:  # noqa: ANN401
    view = TableView(driver.conversation, status or RailStatus())
    return "\n".join(draw_snapshot(snapshot_of(view, **more)))


def test_a_table_before_its_first_game(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (result,) = run_commands(tmp_path, ["status"], capsys=capsys)
    assert (result.code, result.err) == (0, "")
    assert result.out.splitlines()[:3] == [
        "SIMULATED: this is not a real table",
        "A new game",
        "  4 players. Directions change it, OK goes on.",
    ]
    assert "Turn" not in result.out


def test_a_game_is_shown_with_players_leds_and_companion() -> None:
    assert (
        drawn(started_game("east 3 ok", names=("Ana", "", "", "")), uptime_s=75)
        == f"""\
Yellow: your turn
  ✓ Ana laid a red rug on g2 and g3.
  Assam faces east. Turn him left or right or leave him, then press what the die shows.

Turn 2. Assam is on g4 and faces east.
   R  Ana (red)         30 dirhams +  2 visible =  32   11 rugs left
→  Y  yellow            30 dirhams +  0 visible =  30   12 rugs left
   B  blue              30 dirhams +  0 visible =  30   12 rugs left
   N  brown             30 dirhams +  0 visible =  30   12 rugs left

· · · · · · · W
· · · · · · · ·
· · · · · · · ·
· · · · · · W ·
· · · · · · Y ·
· · · · · · · ·
· · · · · · · ·
· Y · · · · · ·

Die pad: none.
Companion {__version__}, running for 1 min, 3 entries, saved.""".replace(
            "· · · · · · · Y", "· · · · · · · W", 1
        )
    )


def test_refusals_and_problems_are_shown() -> None:
    view = TableView(
        started_game("3").conversation,
        RailStatus(is_unsaved=True, link=LinkState.DOWN),
        message("no.rolled_already"),
        (message("trouble.disk_full"),),
    )
    lines = list(draw_snapshot(snapshot_of(view)))
    assert "  ✗ The die is in already. BACK takes it back." in lines
    assert any(line.startswith("  ! The disk is full, and") for line in lines)
    assert "Die pad: no longer responding." in lines
    assert lines[-1].endswith("1 entry, NOT saved.")


def test_a_finished_game_has_its_score() -> None:
    over = f"Y1Y1.....{'/.......' * 6} d4s over R R:29:0,Y:28:0,B:31:0,N:31:0 -"
    assert drawn(game_at(over)).splitlines()[:11] == [
        "2 players share the win",
        "  Red: 29 + 0 = 29 points",
        "  Yellow: 28 + 2 = 30 points",
        "  Brown: 31 + 0 = 31 points",
        "  Blue: 31 + 0 = 31 points",
        "  OK puts the game into the archive and begins a new one.",
        "",
        "   R  red               29 dirhams +  0 visible =  29   0 rugs left",
        "   Y  yellow            28 dirhams +  2 visible =  30   0 rugs left",
        "   B  blue              31 dirhams +  0 visible =  31   0 rugs left",
        "   N  brown             31 dirhams +  0 visible =  31   0 rugs left",
    ]


@pytest.mark.parametrize(
    ("pad", "text"),
    [
        (
            PadHealth(PadState.CONNECTED, "/dev/pad", Identity(1, 5, (1, 2, 3), b"abcd", 0, 9)),
            "Die pad: connected at /dev/pad, firmware 1.2.3.",
        ),
        (
            PadHealth(PadState.SEARCHING, message=message("pad.absent")),
            "Die pad: searching. No die pad is plugged in: plug it in, or play without it.",
        ),
    ],
)
def test_the_pad_state_is_shown(pad: PadHealth, text: str) -> None:
    assert drawn(TableDriver(), pad=pad).splitlines()[-2] == text


@pytest.mark.parametrize(
    ("seconds", "text"),
    [(0, "0 s"), (59.9, "59 s"), (60, "1 min"), (3599, "59 min"), (12_000, "3 h 20 min"),
     (187_200, "2 d 4 h")],
)  # fmt: skip
def test_uptime_has_readable_units(seconds: float, text: str) -> None:
    assert drawn(TableDriver(), uptime_s=seconds).endswith(f"running for {text}.")


def test_control_characters_in_names_are_escaped(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    config = virtual_table_config()
    config = replace(config, game=replace(config.game, names=("A\x1b[2J", "", "", "")))
    results = run_commands(tmp_path, SET_UP, ["status"], capsys=capsys, config=config)
    assert "\x1b" not in results[0].out + results[1].out
    assert "A\\x1b[2J: your turn" in results[1].out


def test_json_is_the_whole_snapshot(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    _, result = run_commands(tmp_path, SET_UP, ["status", "--json"], capsys=capsys)
    table = json.loads(result.out)
    assert (result.code, result.err) == (0, "")
    assert (table["version"], table["stage"], table["simulated"]) == (1, "lay", True)
    assert table["game"]["path"] == ["d5", "d6", "d7"]


# --- The page -----------------------------------------------------------------------------


def test_the_address_of_the_page_is_below_its_qr_code() -> None:
    *code, last = page_lines({"host": "127.0.0.1", "port": 8081})
    assert last == "Page for phones: http://127.0.0.1:8081/"
    assert len(code) > 10


def test_page_option_fails_for_a_table_without_a_page(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(status, "PAGE_TIMEOUT_S", 0.02)
    monkeypatch.setattr(status, "POLL_INTERVAL_S", 0.01)
    (result,) = run_commands(tmp_path, ["status", "--page"], capsys=capsys)
    assert (result.code, result.out) == (2, "")
    assert result.err == (
        "marrakech: the table has no page for phones: see [web] in marrakech.toml, and the table's "
        "log\n"
    )


def test_status_prints_the_address_of_the_served_page(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        port = free.getsockname()[1]
    config = tmp_path / "page.toml"
    config.write_text(f'[web]\nhost = "127.0.0.1"\nport = {port}\n')
    command = [sys.executable, "-P", "-m", "companion", "serve", "--virtual"]
    command += ["--folder", str(tmp_path), "--config", str(config)]
    with subprocess.Popen(command, stdout=subprocess.PIPE, text=True) as table:
        try:
            assert table.stdout is not None
            lines = [table.stdout.readline() for _ in range(3)]
            assert lines[2].startswith("the page for phones is ready on port ")
            path = tmp_path / "control.sock"
            assert main(["status", "--page", "--socket", str(path)]) == 0
            address = capsys.readouterr().out.split()[-1]
            with urllib.request.urlopen(address, timeout=PATIENCE_S) as page:
                assert page.status == 200
                assert b"<title>" in page.read()
        finally:
            table.terminate()
