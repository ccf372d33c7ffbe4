"""The simulator on the screen and by keyboard: set-up, turns, quitting and restarting."""

from __future__ import annotations

import asyncio
from collections.abc import Coroutine
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from helpers.patience import PATIENCE_S
from helpers.table.simulator_user import SimulatorUser, fast_retry_config, open_simulator

from companion.adapters.hardware import VirtualHardware
from companion.config.model import Config
from companion.daemon.wiring import open_table
from companion.errors import CompanionError
from companion.games.marrakech.market import SIZE
from companion.simulator import app as simulator
from companion.simulator.app import Simulator, run_simulator
from companion.simulator.board_view.market import Market
from companion.simulator.board_view.palette import UNLIT
from companion.storage.journal_reader import JournalDamagedError
from companion.table.conversation import Stage


def run(check: Coroutine[Any, Any, None]) -> None:
    asyncio.run(check)


async def play_first_turn(user: SimulatorUser) -> None:
    await user.go_to_setting()
    await user.press("2", Stage.LAY)
    await user.press("enter", Stage.ORIENT)
    await user.wait_until(lambda: " orient Y " in user.position(), "the market shows the rug")


def test_first_turn_takes_enter_three_times_a_die_key_and_enter(tmp_path: Path) -> None:
    async def check() -> None:
        async with open_simulator(tmp_path) as user:
            await user.wait_for_text("A new game players › booklet › colours › board 4 players.")
            await user.go_to_setting()
            await user.wait_for_text(
                "seat 1 ≡≡ Red seat 2 ∙∙ Yellow seat 3 ◆◆ Blue seat 4 ✕✕ Brown"
            )
            await user.press("2", Stage.LAY)
            await user.wait_for_text(
                "≡≡ Red: your turn turn + roll › pay › lay Lay the red rug on c7 and d7. "
                "Directions offer another place, OK when it lies there. "
                "✓ Red rolled 2: Assam walks to d6 and faces south."
            )
            await user.press("enter", Stage.ORIENT)
            await user.wait_for_text(
                "∙∙ Yellow: your turn turn + roll › pay › lay Assam faces south. Turn him left or "
                "right or leave him, then OK rolls, or press what the die shows. "
                "✓ Red laid a red rug on c7 and d7."
            )
            await user.wait_for_text(
                "dirhams halves score rugs ≡≡ Red 30 2 32 11 ▶∙∙ Yellow 30 0 30 12 "
                "◆◆ Blue 30 0 30 12 ✕✕ Brown 30 0 30 12"
            )
            assert user.position() == (
                "......./......./......./......./......./......./..R1R1... "
                "d6s orient Y R:30:11,Y:30:12,B:30:12,N:30:12 -"
            )

    run(check())


def test_market_shows_the_leds_of_the_chip(tmp_path: Path) -> None:
    async def check() -> None:
        async with open_simulator(tmp_path) as user:
            await user.wait_until(lambda: any(map(any, user.market.light)), "light")
            assert _lit_rows(user.market) == _DIGIT_4
            assert user.market.light[8 + 2] == (255, 0, 0)
            canvas, (x, y) = user.market.canvas, user.market.board_layout.middle(2, 1)
            assert canvas is not None
            assert canvas.pixels[y][x - 1] == (255, 0, 0)

    run(check())


def test_rotated_matrix_shows_the_same_with_the_rail_on_another_edge(
    tmp_path: Path,
) -> None:
    """The virtual matrix is mounted as the config says."""

    async def check() -> None:
        default = Config()
        matrix = replace(default.matrix, rotation=90, mirrored=True, rail="north-west")
        async with open_simulator(tmp_path, replace(default, matrix=matrix)) as user:
            market = user.market
            await user.wait_until(lambda: _lit_rows(market) == _DIGIT_4, "the number of players")
            assert market.board_layout.rail == "north-west"
            x, y = market.board_layout.middle(0, SIZE)
            assert y < 2 * market.board_layout.loops_above
            await user.wait_until(
                lambda: _is_lit(market, x, y), "the LED of the first seat, in the north"
            )

    run(check())


_DIGIT_4 = "..#.#.. ..#.#.. ..###.. ....#.. ....#.."


def _lit_rows(market: Market) -> str:
    """The LEDs over the market without the first and last row, as # and dots."""
    lit = ["#" if any(led) else "." for led in market.light]
    return " ".join("".join(lit[y * 8 : y * 8 + SIZE]) for y in range(1, 6))


def _is_lit(market: Market, x: int, y: int) -> bool:
    return market.canvas is not None and market.canvas.pixels[y][x] != UNLIT


def test_rgb_matrix_shows_colours(tmp_path: Path) -> None:
    async def check() -> None:
        config = replace(Config(), matrix=replace(Config().matrix, kind="apa102"))
        async with open_simulator(tmp_path, config) as user:
            await user.go_to_setting()
            rail = slice(7 * 8, 7 * 8 + 4)
            await user.wait_until(
                lambda: (
                    user.market.light[rail]
                    == ((255, 40, 30), (255, 190, 0), (40, 110, 255), (190, 80, 10))
                ),
                "the seats in their colours",
            )

    run(check())


def test_leds_are_white_without_colours(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    async def check() -> None:
        monkeypatch.setenv("NO_COLOR", "1")
        async with open_simulator(tmp_path) as user:
            assert set(user.market.light) == {(0, 0, 0), (255, 255, 255)}

    run(check())


def test_refusal_is_shown_until_the_next_press(tmp_path: Path) -> None:
    async def check() -> None:
        async with open_simulator(tmp_path) as user:
            await user.start_game()
            await user.pilot.press("up")
            await user.wait_for_text("✗ Assam never turns round: north is behind him.")
            await user.pilot.press("right")
            await user.wait_for_text("Assam faces east. Turn him left or right")
            assert "✗" not in user.panel_text()
            row = next(line for line in user.screen_text().splitlines() if "╰4" in line)
            assert row[user.market.board_layout.middle(3, 3)[0]] == "▶"

    run(check())


@pytest.mark.parametrize("size", [(100, 32), (80, 30)])
def test_simulated_banner_is_on_every_screen(tmp_path: Path, size: tuple[int, int]) -> None:
    async def check() -> None:
        async with open_simulator(tmp_path, size=size) as user:

            def has_banner() -> bool:
                return "SIMULATED · no hardware" in user.screen_text().splitlines()[0]

            assert has_banner()
            await user.start_game()
            assert has_banner()
            await user.press("B", Stage.RESUME)
            assert has_banner()
            await user.press("O", Stage.AUDIT_ASSAM)
            assert has_banner()
            await user.pilot.press("question_mark")
            await user.wait_until(lambda: "hold OK (compare)" in user.screen_text(), "the help")
            assert has_banner()

    run(check())


@pytest.mark.parametrize("size", [(100, 32), (80, 30), (80, 24)])
def test_all_buttons_are_on_the_screen(tmp_path: Path, size: tuple[int, int]) -> None:
    async def check() -> None:
        async with open_simulator(tmp_path, size=size) as user:
            await user.go_to_setting()
            screen = user.screen_text()
            for label in ("▲ N", "◀ W", "E ▶", "▼ S", "OK", "BACK", "ROLL", "? help", "q quit"):
                assert label in screen, label
            for name in "abcdefg1234567":
                assert name in screen

    run(check())


def test_market_fits_the_window(tmp_path: Path) -> None:
    async def check() -> None:
        async with open_simulator(tmp_path) as user:
            await user.start_game()
            for size, pitch in (((170, 52), 12), ((120, 40), 8), ((80, 24), 4), ((100, 32), 6)):
                await user.pilot.resize_terminal(*size)
                await user.wait_until(
                    lambda p=pitch: user.market.board_layout.pitch == p,  # type: ignore[misc]
                    f"{size}",
                )
                await user.wait_for_text("Red: your turn")
                layout = user.market.board_layout
                assert user.market.size == (layout.width, layout.rows)

    run(check())


def test_electronic_die_without_a_pad_has_no_die_keys(tmp_path: Path) -> None:
    async def check() -> None:
        config = replace(Config(), die=replace(Config().die, input="electronic"))
        async with open_simulator(tmp_path, config, make_pad=None) as user:
            await user.start_game()
            await user.pilot.press("3")
            await user.wait_for_text(
                "☞ The keys of the die are on a die pad, and there is none here."
            )
            await user.wait_for_text("then OK rolls.")
            assert not user.app.query("#die")
            await user.pilot.press("enter")
            await user.wait_for_text("An electronic roll of")
            assert "☞" not in user.panel_text()

    run(check())


# --- Start and exit -----------------------------------------------------------------------


def test_game_continues_after_a_restart(tmp_path: Path) -> None:
    async def check() -> None:
        async with open_simulator(tmp_path) as user:
            await play_first_turn(user)
            position = user.position()
        async with open_simulator(tmp_path) as user:
            await user.wait_for_text("A game is waiting Yellow is to play. OK goes on.")
            assert user.position() == position
            await user.press("space", Stage.ORIENT)
            await user.wait_for_text("Yellow: your turn")

    run(check())


def test_quitting_closes_everything(tmp_path: Path) -> None:
    async def check() -> None:
        app = Simulator(fast_retry_config(), tmp_path)
        async with app.run_test(size=(100, 32)) as pilot:
            await SimulatorUser(app, pilot).start_game()
            await pilot.press("q")
        assert app.return_code == 0
        assert not app.hardware.spi.is_open
        assert app.hardware.pad is not None
        assert app.hardware.pad.path == ""
        assert set(app.hardware.chip.light()) == {(0, 0, 0)}
        again = open_table(
            asyncio.get_running_loop(), Config(), VirtualHardware(Config()), tmp_path
        )
        again.close()

    run(check())


def test_torn_journal_is_shown_until_the_first_press(tmp_path: Path) -> None:
    async def check() -> None:
        async with open_simulator(tmp_path) as user:
            await play_first_turn(user)
        journal = tmp_path / "game.jsonl"
        journal.write_bytes(journal.read_bytes() + b'{"crc":"00')
        async with open_simulator(tmp_path) as user:
            await user.wait_for_text(
                "The journal ended in 10 bytes of an entry that was not finished: cut off,"
            )
            await user.press("enter", Stage.ORIENT)
            await user.wait_for_text("Yellow: your turn")
            assert "cut off" not in user.panel_text()

    run(check())


class Headless(Simulator):
    """Runs without a terminal, for `run_simulator`."""

    def run(self, **_: Any) -> None:  # noqa: ANN401 - the signature of Textual
        super().run(headless=True)

    def on_ready(self) -> None:
        """Exit at last if the app does not stop by itself."""
        self.set_timer(PATIENCE_S, self.exit)


def test_damaged_journal_raises_an_error(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    async def check() -> None:
        async with open_simulator(tmp_path) as user:
            await play_first_turn(user)

    run(check())
    journal = tmp_path / "game.jsonl"
    journal.write_text(journal.read_text().replace('"pips":2', '"pips":4'))
    monkeypatch.setattr(simulator, "Simulator", Headless)
    with pytest.raises(JournalDamagedError, match="line 2"):
        run_simulator(Config(), tmp_path)


def test_second_simulator_in_the_same_folder_is_refused(tmp_path: Path) -> None:
    async def check() -> None:
        async with open_simulator(tmp_path) as user:
            await user.start_game()
            second = Headless(Config(), tmp_path)
            await second.run_async(headless=True)
            assert isinstance(second.stopped_by, CompanionError)
            assert "another companion uses" in str(second.stopped_by)

    run(check())


def test_error_in_a_callback_stops_the_app_and_is_raised(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    class Broken(Headless):
        def on_ready(self) -> None:
            super().on_ready()

            def fail() -> None:
                raise ZeroDivisionError("broken on purpose")

            asyncio.get_running_loop().call_soon(fail)

    monkeypatch.setattr(simulator, "Simulator", Broken)
    with pytest.raises(ZeroDivisionError, match="broken on purpose"):
        run_simulator(Config(), tmp_path)
