"""The simulator as players see it: by keyboard, from set-up to quitting and on."""

from __future__ import annotations

import asyncio
from collections.abc import Coroutine
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from helpers.patience import PATIENCE_S
from helpers.table.simulator_user import SimulatorUser, looking_at, quick

from companion.adapters.hardware import VirtualHardware
from companion.config.model import Config
from companion.daemon.wiring import open_table
from companion.errors import CompanionError
from companion.games.marrakech.market import SIZE
from companion.simulator import app as simulator
from companion.simulator.app import Simulator, run_simulator
from companion.simulator.market import Market
from companion.simulator.palette import UNLIT
from companion.storage.journal_reader import JournalDamagedError
from companion.table.conversation import Stage


def run(scene: Coroutine[Any, Any, None]) -> None:
    asyncio.run(scene)


async def play_first_turn(guest: SimulatorUser) -> None:
    await guest.set_up()
    await guest.press("2", Stage.LAY)
    await guest.press("enter", Stage.ORIENT)


def test_first_turn_is_played_by_ok_ok_ok_die_ok(tmp_path: Path) -> None:
    async def scene() -> None:
        async with looking_at(tmp_path) as guest:
            await guest.read("A new game players › booklet › colours › board 4 players.")
            await guest.set_up()
            await guest.read("seat 1 ≡≡ Red seat 2 ∙∙ Yellow seat 3 ◆◆ Blue seat 4 ✕✕ Brown")
            await guest.press("2", Stage.LAY)
            await guest.read(
                "≡≡ Red: your turn turn + roll › pay › lay Lay the red rug on c7 and d7. "
                "Directions offer another place, OK when it lies there. "
                "✓ Red rolled 2: Assam walks to d6 and faces south."
            )
            await guest.press("enter", Stage.ORIENT)
            await guest.read(
                "∙∙ Yellow: your turn turn + roll › pay › lay Assam faces south. Turn him left or "
                "right or leave him, then press what the die shows. "
                "✓ Red laid a red rug on c7 and d7."
            )
            await guest.read(
                "dirhams halves score rugs ≡≡ Red 30 2 32 11 ▶∙∙ Yellow 30 0 30 12 "
                "◆◆ Blue 30 0 30 12 ✕✕ Brown 30 0 30 12"
            )
            assert guest.position() == (
                "......./......./......./......./......./......./..R1R1... "
                "d6s orient Y R:30:11,Y:30:12,B:30:12,N:30:12 -"
            )

    run(scene())


def test_light_is_what_the_chip_was_sent(tmp_path: Path) -> None:
    async def scene() -> None:
        async with looking_at(tmp_path) as guest:
            await guest.until(lambda: any(map(any, guest.market.light)), "light")
            assert _rows(guest.market) == _FOUR
            assert guest.market.light[8 + 2] == (255, 0, 0)
            canvas, (x, y) = guest.market.canvas, guest.market.plan.middle(2, 1)
            assert canvas is not None
            assert canvas.pixels[y][x - 1] == (255, 0, 0)

    run(scene())


def test_matrix_that_is_mounted_otherwise_shows_the_same_with_its_rail_elsewhere(
    tmp_path: Path,
) -> None:
    """The simulator is a table at which everything is mounted as the config says."""

    async def scene() -> None:
        usual = Config()
        mounted = replace(usual.matrix, rotation=90, mirrored=True, rail="north-west")
        async with looking_at(tmp_path, replace(usual, matrix=mounted)) as guest:
            market = guest.market
            await guest.until(lambda: _rows(market) == _FOUR, "the number of players")
            assert market.plan.rail == "north-west"
            x, y = market.plan.middle(0, SIZE)
            assert y < 2 * market.plan.loops_above
            await guest.until(lambda: _shines(market, x, y), "the first seat, in the north")

    run(scene())


_FOUR = "..#.#.. ..#.#.. ..###.. ....#.. ....#.."


def _rows(market: Market) -> str:
    """What is lit over the market, but for its first and last row."""
    lit = ["#" if any(led) else "." for led in market.light]
    return " ".join("".join(lit[y * 8 : y * 8 + SIZE]) for y in range(1, 6))


def _shines(market: Market, x: int, y: int) -> bool:
    return market.canvas is not None and market.canvas.pixels[y][x] != UNLIT


def test_colour_matrix_shines_in_colour(tmp_path: Path) -> None:
    async def scene() -> None:
        config = replace(Config(), matrix=replace(Config().matrix, kind="apa102"))
        async with looking_at(tmp_path, config) as guest:
            await guest.set_up()
            rail = slice(7 * 8, 7 * 8 + 4)
            await guest.until(
                lambda: (
                    guest.market.light[rail]
                    == ((255, 40, 30), (255, 190, 0), (40, 110, 255), (190, 80, 10))
                ),
                "the seats in their colours",
            )

    run(scene())


def test_light_is_white_where_there_are_no_colours(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    async def scene() -> None:
        monkeypatch.setenv("NO_COLOR", "1")
        async with looking_at(tmp_path) as guest:
            assert set(guest.market.light) == {(0, 0, 0), (255, 255, 255)}

    run(scene())


def test_refusal_is_told_and_goes_with_the_next_press(tmp_path: Path) -> None:
    async def scene() -> None:
        async with looking_at(tmp_path) as guest:
            await guest.begin()
            await guest.pilot.press("up")
            await guest.read("✗ Assam never turns round: north is behind him.")
            await guest.pilot.press("right")
            await guest.read("Assam faces east. Turn him left or right")
            assert "✗" not in guest.words()
            row = next(line for line in guest.screen().splitlines() if "╰4" in line)
            assert row[guest.market.plan.middle(3, 3)[0]] == "▶"

    run(scene())


@pytest.mark.parametrize("size", [(100, 32), (80, 30)])
def test_simulated_stands_on_top_of_everything(tmp_path: Path, size: tuple[int, int]) -> None:
    async def scene() -> None:
        async with looking_at(tmp_path, size=size) as guest:

            def is_told() -> bool:
                return "SIMULATED · no hardware" in guest.screen().splitlines()[0]

            assert is_told()
            await guest.begin()
            assert is_told()
            await guest.press("B", Stage.RESUME)
            assert is_told()
            await guest.press("O", Stage.AUDIT_ASSAM)
            assert is_told()
            await guest.pilot.press("question_mark")
            await guest.until(lambda: "hold OK (compare)" in guest.screen(), "the help")
            assert is_told()

    run(scene())


@pytest.mark.parametrize("size", [(100, 32), (80, 30), (80, 24)])
def test_all_there_is_to_press_is_on_the_screen(tmp_path: Path, size: tuple[int, int]) -> None:
    async def scene() -> None:
        async with looking_at(tmp_path, size=size) as guest:
            await guest.set_up()
            screen = guest.screen()
            for face in ("▲ N", "◀ W", "E ▶", "▼ S", "OK", "BACK", "ROLL", "? help", "q quit"):
                assert face in screen, face
            for name in "abcdefg1234567":
                assert name in screen

    run(scene())


def test_market_grows_and_shrinks_with_the_window(tmp_path: Path) -> None:
    async def scene() -> None:
        async with looking_at(tmp_path) as guest:
            await guest.begin()
            for size, pitch in (((170, 52), 12), ((120, 40), 8), ((80, 24), 4), ((100, 32), 6)):
                await guest.pilot.resize_terminal(*size)
                await guest.until(lambda p=pitch: guest.market.plan.pitch == p, f"{size}")  # type: ignore[misc]
                await guest.read("Red: your turn")
                assert guest.market.size == (guest.market.plan.width, guest.market.plan.rows)

    run(scene())


def test_electronic_die_without_a_pad_has_no_keys_on_the_screen(tmp_path: Path) -> None:
    async def scene() -> None:
        config = replace(Config(), die=replace(Config().die, input="electronic"))
        async with looking_at(tmp_path, config, make_pad=None) as guest:
            await guest.begin()
            await guest.pilot.press("3")
            await guest.read("☞ The keys of the die are on a die pad, and there is none here.")
            await guest.read("then OK rolls.")
            assert not guest.app.query("#die")
            await guest.pilot.press("enter")
            await guest.read("An electronic roll of")
            assert "☞" not in guest.words()

    run(scene())


# --- Coming and going ---------------------------------------------------------------------


def test_game_goes_on_after_a_restart(tmp_path: Path) -> None:
    async def scene() -> None:
        async with looking_at(tmp_path) as guest:
            await play_first_turn(guest)
            position = guest.position()
        async with looking_at(tmp_path) as guest:
            await guest.read("A game is waiting Yellow is to play. OK goes on.")
            assert guest.position() == position
            await guest.press("space", Stage.ORIENT)
            await guest.read("Yellow: your turn")

    run(scene())


def test_quitting_closes_everything(tmp_path: Path) -> None:
    async def scene() -> None:
        app = Simulator(quick(), tmp_path)
        async with app.run_test(size=(100, 32)) as pilot:
            await SimulatorUser(app, pilot).begin()
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

    run(scene())


def test_torn_bytes_are_told_once(tmp_path: Path) -> None:
    async def scene() -> None:
        async with looking_at(tmp_path) as guest:
            await play_first_turn(guest)
        journal = tmp_path / "game.jsonl"
        journal.write_bytes(journal.read_bytes() + b'{"crc":"00')
        async with looking_at(tmp_path) as guest:
            await guest.read(
                "The journal ended in 10 bytes of an entry that was not finished: cut off,"
            )
            await guest.press("enter", Stage.ORIENT)
            await guest.read("Yellow: your turn")
            assert "cut off" not in guest.words()

    run(scene())


class Headless(Simulator):
    """As `run_simulator` runs it, where there is no terminal."""

    def run(self, **_: Any) -> None:  # noqa: ANN401 - as Textual has it
        super().run(headless=True)

    def on_ready(self) -> None:
        """Nobody would quit it, if it did not stop by itself."""
        self.set_timer(PATIENCE_S, self.exit)


def test_damaged_journal_comes_out_as_an_error(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    async def scene() -> None:
        async with looking_at(tmp_path) as guest:
            await play_first_turn(guest)

    run(scene())
    journal = tmp_path / "game.jsonl"
    journal.write_text(journal.read_text().replace('"pips":2', '"pips":4'))
    monkeypatch.setattr(simulator, "Simulator", Headless)
    with pytest.raises(JournalDamagedError, match="line 2"):
        run_simulator(Config(), tmp_path)


def test_games_of_another_companion_are_left_alone(tmp_path: Path) -> None:
    async def scene() -> None:
        async with looking_at(tmp_path) as guest:
            await guest.begin()
            second = Headless(Config(), tmp_path)
            await second.run_async(headless=True)
            assert isinstance(second.stopped_by, CompanionError)
            assert "another companion keeps its games" in str(second.stopped_by)

    run(scene())


def test_fault_in_a_callback_stops_it_and_comes_out(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    class Broken(Headless):
        def on_ready(self) -> None:
            super().on_ready()

            def fail() -> None:
                raise ZeroDivisionError("a fault of ours")

            asyncio.get_running_loop().call_soon(fail)

    monkeypatch.setattr(simulator, "Simulator", Broken)
    with pytest.raises(ZeroDivisionError, match="a fault of ours"):
        run_simulator(Config(), tmp_path)
