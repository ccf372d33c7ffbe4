"""Durability: whatever the LEDs have confirmed is stored exactly once, whenever the power goes.

A process plays a whole session on mocked pins and a virtual SPI bus, and kills itself at a call of
the filesystem. The frames on the bus show what it had confirmed by then. A power cut may also lose
what was not synced: see `test_journal_writer`, and the torn tails below.
"""

from __future__ import annotations

import asyncio
import os
import shutil
import signal
import sys
import traceback
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from random import Random

import pytest
from helpers.table.random_session import RandomSession, SessionInput, Step
from helpers.table.table_driver import changes
from helpers.table.virtual_table import FrameRecorder, VirtualTable, bits, virtual_table_config

from companion.daemon.wiring import preferences_of
from companion.light.frame import render_frame
from companion.storage.game_store import StampedEntry, fingerprint
from companion.table.conversation import ArchiveGame, BeginGame, Conversation, Stage
from companion.table.scenes.scene import Scene
from companion.table.scenes.stage_scenes import PENDING, RailStatus, scene_of, with_status
from companion.testing.faulty_filesystem import CrashMoment, FaultyFilesystem
from companion.testing.virtual_time import run

# Other tests may have left threads behind. The forked processes do not use any.
pytestmark = pytest.mark.filterwarnings(
    "ignore:This process .* is multi-threaded:DeprecationWarning"
)

SESSION = RandomSession(2, preferences_of(virtual_table_config()))
PRESSES = [press for step in SESSION.steps for press in step]
MAX_PROCESSES = 2
"""How many processes run at a time."""


# --- Confirmations, read from the LEDs ----------------------------------------------------


def expected_scene(conversation: Conversation) -> Scene:
    return with_status(scene_of(conversation), RailStatus(is_simulated=True))


def confirming_frame(press: SessionInput) -> int | None:
    """The frame that confirms a press, or None if no frame does so unambiguously."""
    if press.commands_after == press.commands_before:
        return None
    before, light = expected_scene(press.before), bits(render_frame(expected_scene(press.after), 0))
    known = {bits(render_frame(before, at)) for at in changes(before, 5000)}
    return None if light in known else light


CONFIRMING_FRAMES = [confirming_frame(press) for press in PRESSES]


class ConfirmationReporter(FrameRecorder):
    """Writes to a pipe at once what is pressed, and what the LEDs confirm."""

    def __init__(self, loop: asyncio.AbstractEventLoop, report: int) -> None:
        super().__init__(loop)
        self._report = report
        self._expected_frame: int | None = None
        self._command_count = 0

    def expect_frame(self, light: int | None, command_count: int) -> None:
        os.write(self._report, b"pressed %d\n" % command_count)
        self._expected_frame, self._command_count = light, command_count

    def transfer(self, data: bytes) -> None:
        super().transfer(data)
        if (
            self._expected_frame is not None
            and self.bits() & ~(1 << PENDING) == self._expected_frame
        ):
            os.write(self._report, b"confirmed %d\n" % self._command_count)
            self._expected_frame = None


async def play_session(folder: Path, filesystem: FaultyFilesystem, report: int) -> None:
    reporter = ConfirmationReporter(asyncio.get_running_loop(), report)
    with VirtualTable(folder, filesystem=filesystem, recorder=reporter) as virtual_table:
        for press, light in zip(PRESSES, CONFIRMING_FRAMES, strict=True):
            reporter.expect_frame(light, press.commands_after)
            await virtual_table.press(press.name)
            assert virtual_table.stage is press.after.stage, press.name


# --- Stored games -------------------------------------------------------------------------

StoredGames = tuple[tuple[bytes, ...], bytes]
"""The journals of the archived games, and of the current one."""


def stored_games(folder: Path) -> StoredGames:
    """A file without a complete line does not contain a game."""
    archived = [path.read_bytes() for path in sorted((folder / "archive").glob("*.jsonl"))]
    game = folder / "game.jsonl"
    now = game.read_bytes() if game.exists() else b""
    return tuple(data for data in archived if data), now if b"\n" in now else b""


def stored_games_after_each_command(folder: Path) -> list[StoredGames]:
    """Derived from the files after a whole session: lines are only ever appended."""
    archived, last = stored_games(folder)
    games = iter([data.splitlines(keepends=True) for data in (*archived, last)])
    lines: list[bytes] = []
    done: tuple[bytes, ...] = ()
    now = b""
    stored: list[StoredGames] = [((), b"")]
    for command in SESSION.commands:
        match command:
            case BeginGame():
                lines = next(games)
                now = lines.pop(0)
            case ArchiveGame():
                done, now = (*done, now), b""
            case StampedEntry():
                now += lines.pop(0)
        stored.append((done, now))
    assert stored[-1] == (archived, last)
    return stored


@dataclass(frozen=True)
class ReferenceRun:
    """The result of a session without a crash."""

    calls: list[str]
    """The filesystem calls."""
    stored: list[StoredGames]
    """The stored games after each command."""
    reported: list[str]


@pytest.fixture(scope="module")
def reference(tmp_path_factory: pytest.TempPathFactory) -> ReferenceRun:
    folder = tmp_path_factory.mktemp("reference")
    filesystem = FaultyFilesystem(skips_sync=True)
    report, reported = os.pipe()
    os.set_blocking(reported, False)
    run(play_session(folder, filesystem, reported))
    os.close(reported)
    with os.fdopen(report) as lines:
        return ReferenceRun(
            filesystem.calls, stored_games_after_each_command(folder), lines.read().splitlines()
        )


def test_session_has_every_kind_of_entry_and_is_confirmed_by_the_leds(
    reference: ReferenceRun,
) -> None:
    kinds = {
        type(command.entry).__name__
        for command in SESSION.commands
        if isinstance(command, StampedEntry)
    }
    assert kinds == {
        "Act", "Aim", "CorrectAssam", "CorrectDirhams", "CorrectSquare", "Face", "Redo",
        "Restored", "Undo",
    }  # fmt: skip
    assert len(reference.stored[-1][0]) == 2
    assert reference.calls.count("write") == len(SESSION.commands) - 2
    awaited = sum(light is not None for light in CONFIRMING_FRAMES)
    assert awaited > 0.9 * len(SESSION.steps)
    confirmed = [line for line in reference.reported if line.startswith("confirmed")]
    assert len(confirmed) == awaited


# --- Crashes ------------------------------------------------------------------------------


def crash_points(calls: list[str], random: Random) -> Iterator[tuple[int, CrashMoment]]:
    """Call numbers and moments to crash at: around each write and its sync.

    Around the begin, the archiving and the resuming of a game, all of these points, and also after
    every other call; elsewhere, one random point for each write.
    """
    writes = [number for number, name in enumerate(calls) if name == "write"]
    others = [number for number, name in enumerate(calls) if name not in ("write", "fdatasync")]
    for number in others:
        yield number, CrashMoment.AFTER
    for number in writes:
        around = [(number, moment) for moment in CrashMoment] + [(number + 1, CrashMoment.AFTER)]
        is_quiet = 5 < number < len(calls) - 5 and not any(abs(number - n) < 3 for n in others)
        yield from [random.choice(around)] if is_quiet else around


@dataclass
class CrashingProcess:
    """A process that plays the session until it kills itself."""

    call: int
    moment: CrashMoment
    folder: Path
    pid: int
    report: int

    @classmethod
    def start(cls, call: int, moment: CrashMoment, folder: Path) -> CrashingProcess:
        report, reported = os.pipe()
        pid = os.fork()
        if pid:
            os.close(reported)
            return cls(call, moment, folder, pid, report)
        sys.settrace(None)  # a killed process cannot report its coverage
        try:
            filesystem = FaultyFilesystem(skips_sync=True, crash_at=(call, moment))
            run(play_session(folder, filesystem, reported))
            os.write(reported, b"it survived\n")
        except BaseException:
            os.write(reported, traceback.format_exc().encode())
        finally:
            os._exit(1)

    def wait_until_killed(self) -> tuple[int, int]:
        """How many commands were confirmed, and how many the presses led to."""
        with os.fdopen(self.report) as lines:
            reported = lines.read().splitlines()
        _, status = os.waitpid(self.pid, 0)
        assert os.WIFSIGNALED(status), "\n".join(reported)
        assert os.WTERMSIG(status) == signal.SIGKILL
        counts = {"confirmed": 0, "pressed": 0}
        for line in reported:
            what, number = line.split()
            assert int(number) >= counts[what]
            counts[what] = int(number)
        return counts["confirmed"], counts["pressed"]


def remaining_steps(command_count: int) -> list[Step]:
    """The steps that follow the first `command_count` commands."""
    following = []
    for step in SESSION.steps:
        last = step[-1]
        if step[0].commands_before >= command_count:
            following.append(step)
        elif (
            last.commands_after > command_count
        ):  # a die key began the game, and has to roll as well
            following.append((last,))
    return following


async def resume_and_play(
    folder: Path, reference: ReferenceRun, *, steps: int | None = None
) -> int:
    """Start again and play on. Returns how many commands had been stored."""
    with VirtualTable(folder, filesystem=FaultyFilesystem(skips_sync=True)) as virtual_table:
        stored = stored_games(folder)
        assert stored in reference.stored, "not a prefix of the session"
        command_count = reference.stored.index(stored)
        last = SESSION.commands[command_count - 1] if command_count else None
        if isinstance(last, StampedEntry):
            assert fingerprint(virtual_table.conversation.active_game) == last.fingerprint
            assert virtual_table.stage in (Stage.RESUME, Stage.OVER)
        if isinstance(last, ArchiveGame) or last is None:
            assert virtual_table.stage is Stage.PLAYERS
        if virtual_table.stage is Stage.RESUME:
            await virtual_table.press("ok")
        for step in remaining_steps(command_count)[:steps]:
            for press in step:
                await virtual_table.press(press.name)
            assert virtual_table.stage is step[-1].after.stage
            assert stored_games(folder) == reference.stored[step[-1].commands_after]
    return command_count


def crashed_processes(reference: ReferenceRun, folder: Path) -> Iterator[CrashingProcess]:
    """A process for each crash point, some running ahead of the consumer."""
    running: list[CrashingProcess] = []
    points = sorted(crash_points(reference.calls, Random(1)), key=lambda point: point[0])
    try:
        for number, (call, moment) in enumerate(points):
            running.append(CrashingProcess.start(call, moment, folder / str(number)))
            if len(running) == MAX_PROCESSES:
                yield running.pop(0)
        while running:
            yield running.pop(0)
    finally:
        for process in running:  # after a failure
            process.wait_until_killed()


def test_confirmed_entries_are_stored_once_wherever_the_process_is_killed(
    reference: ReferenceRun, tmp_path: Path
) -> None:
    """Before, in the middle of and after each write, after its sync, and around each rename."""
    random = Random(1)
    command_counts = []
    for process in crashed_processes(reference, tmp_path):
        confirmed, pressed = process.wait_until_killed()
        steps = None if random.random() < 0.1 else 1
        try:
            command_count = run(resume_and_play(process.folder, reference, steps=steps))
            assert confirmed <= command_count <= pressed
        except AssertionError as error:
            name = reference.calls[process.call]
            raise AssertionError(f"killed {process.moment.value} {name} {process.call}") from error
        shutil.rmtree(process.folder)
        command_counts.append(command_count)
    assert len(command_counts) > reference.calls.count("write")
    assert set(command_counts) >= {0, 1, len(SESSION.commands)}


# --- Torn tails ---------------------------------------------------------------------------


def lengths_within_last_two_lines(data: bytes) -> range:
    """Every length from the start of the second last line to the whole."""
    lines = data.splitlines(keepends=True)
    return range(len(data) - len(lines[-2]) - len(lines[-1]), len(data) + 1)


async def resume_torn_journal(
    folder: Path, whole: bytes, torn: bytes, reference: ReferenceRun
) -> None:
    folder.mkdir()
    (folder / "game.jsonl").write_bytes(torn)
    for number, game in enumerate(reference.stored[-1][0], start=1):
        (folder / "archive").mkdir(exist_ok=True)
        (folder / "archive" / f"{number:04}.jsonl").write_bytes(game)
    with VirtualTable(folder, filesystem=FaultyFilesystem(skips_sync=True)) as virtual_table:
        stored = reference.stored[-1][0], torn[: torn.rfind(b"\n") + 1]
        assert stored_games(folder) == stored
        assert virtual_table.table.torn_bytes == len(torn) - len(stored[1])
        assert virtual_table.stage is Stage.RESUME
        await asyncio.sleep(0.001)
        assert virtual_table.recorder.bits() == bits(
            render_frame(expected_scene(virtual_table.conversation), 0)
        )
        await virtual_table.press("ok")
        for step in remaining_steps(reference.stored.index(stored)):
            await virtual_table.press(" ".join(press.name for press in step))
        assert virtual_table.journal == whole


@pytest.mark.parametrize("fill", [b"", b"\0"], ids=["cut", "zeros"])
def test_game_goes_on_from_the_complete_entries_wherever_the_last_ones_are_torn(
    reference: ReferenceRun, tmp_path: Path, fill: bytes
) -> None:
    """Truncated at every byte of the last two lines, or with zeros from there on."""
    whole = reference.stored[-1][1]
    for length in lengths_within_last_two_lines(whole):
        torn = whole[:length] + fill * (len(whole) - length)
        run(resume_torn_journal(tmp_path / str(length), whole, torn, reference))
        shutil.rmtree(tmp_path / str(length))
