"""Power may go at any time: what the light has confirmed is there afterwards, once.

A process plays a whole evening through pins, daemon and bus, and is killed by the system at a disk
call; the light on its bus, decoded, says what it had confirmed by then. For what a power cut may
take beyond that, see `test_journal`, and the torn ends here.
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
from helpers.storage.deadly_filesystem import DeadlyDisk, When, points
from helpers.table.random_session import Press, RandomSession, Step
from helpers.table.table_driver import changes
from helpers.table.virtual_table import Film, VirtualTable, bits, sitting_config

from companion.daemon.wiring import customs_of
from companion.light.frame import picture
from companion.storage.game_store import StampedEntry, fingerprint
from companion.table.conversation import ArchiveGame, BeginGame, Conversation, Stage
from companion.table.scenes.scene import Scene
from companion.table.scenes.stage_scenes import HEARD, Status, scene_of, with_status
from companion.testing.virtual_time import run

# Whatever threads other tests have left behind: the forked processes use none.
pytestmark = pytest.mark.filterwarnings(
    "ignore:This process .* is multi-threaded:DeprecationWarning"
)

EVENING = RandomSession(2, customs_of(sitting_config()))
PRESSES = [press for step in EVENING.steps for press in step]
AT_ONCE = 2
"""How many processes play at a time."""


# --- The light as a witness ---------------------------------------------------------------


def lit(conversation: Conversation) -> Scene:
    return with_status(scene_of(conversation), Status(is_simulated=True))


def confirming(press: Press) -> int | None:
    """The light that confirms it, if it cannot be taken for anything else."""
    if press.notes_after == press.notes_before:
        return None
    before, light = lit(press.before), bits(picture(lit(press.after), 0))
    known = {bits(picture(before, at)) for at in changes(before, 5000)}
    return None if light in known else light


CONFIRMING = [confirming(press) for press in PRESSES]


class Witness(Film):
    """Reports at once what is pressed, and what the light confirms."""

    def __init__(self, loop: asyncio.AbstractEventLoop, report: int) -> None:
        super().__init__(loop)
        self._report = report
        self._awaited: int | None = None
        self._notes = 0

    def await_light(self, light: int | None, notes: int) -> None:
        os.write(self._report, b"pressed %d\n" % notes)
        self._awaited, self._notes = light, notes

    def transfer(self, data: bytes) -> None:
        super().transfer(data)
        if self._awaited is not None and self.bits() & ~(1 << HEARD) == self._awaited:
            os.write(self._report, b"confirmed %d\n" % self._notes)
            self._awaited = None


async def play_evening(folder: Path, disk: DeadlyDisk, report: int) -> None:
    witness = Witness(asyncio.get_running_loop(), report)
    with VirtualTable(folder, disk=disk, film=witness) as sitting:
        for press, light in zip(PRESSES, CONFIRMING, strict=True):
            witness.await_light(light, press.notes_after)
            await sitting.press(press.word)
            assert sitting.stage is press.after.stage, press.word


# --- What is kept -------------------------------------------------------------------------

Kept = tuple[tuple[bytes, ...], bytes]
"""The games of the archive, and the one in progress."""


def kept_in(folder: Path) -> Kept:
    """A file without a whole line is no game."""
    archived = [path.read_bytes() for path in sorted((folder / "archive").glob("*.jsonl"))]
    game = folder / "game.jsonl"
    now = game.read_bytes() if game.exists() else b""
    return tuple(data for data in archived if data), now if b"\n" in now else b""


def kept_after_each_note(folder: Path) -> list[Kept]:
    """From what a whole evening has left, as only ever lines are added and games put away."""
    archived, last = kept_in(folder)
    games = iter([data.splitlines(keepends=True) for data in (*archived, last)])
    lines: list[bytes] = []
    done: tuple[bytes, ...] = ()
    now = b""
    kept: list[Kept] = [((), b"")]
    for note in EVENING.notes:
        match note:
            case BeginGame():
                lines = next(games)
                now = lines.pop(0)
            case ArchiveGame():
                done, now = (*done, now), b""
            case StampedEntry():
                now += lines.pop(0)
        kept.append((done, now))
    assert kept[-1] == (archived, last)
    return kept


@dataclass(frozen=True)
class Undisturbed:
    """What an evening leaves that goes well."""

    calls: list[str]
    """Of the disk."""
    kept: list[Kept]
    """After each note."""
    reported: list[str]


@pytest.fixture(scope="module")
def undisturbed(tmp_path_factory: pytest.TempPathFactory) -> Undisturbed:
    folder = tmp_path_factory.mktemp("undisturbed")
    disk = DeadlyDisk()
    report, reported = os.pipe()
    os.set_blocking(reported, False)
    run(play_evening(folder, disk, reported))
    os.close(reported)
    with os.fdopen(report) as lines:
        return Undisturbed(disk.calls, kept_after_each_note(folder), lines.read().splitlines())


def test_the_evening_has_everything_in_it(undisturbed: Undisturbed) -> None:
    """Every kind of entry, and the light confirms nearly all without a doubt."""
    told = {type(note.told).__name__ for note in EVENING.notes if isinstance(note, StampedEntry)}
    assert told == {
        "Act", "Aim", "CorrectAssam", "CorrectDirhams", "CorrectSquare", "Face", "Ready",
        "TakeBack", "TellAgain",
    }  # fmt: skip
    assert len(undisturbed.kept[-1][0]) == 2
    assert undisturbed.calls.count("write") == len(EVENING.notes) - 2
    awaited = sum(light is not None for light in CONFIRMING)
    assert awaited > 0.9 * len(EVENING.steps)
    confirmed = [line for line in undisturbed.reported if line.startswith("confirmed")]
    assert len(confirmed) == awaited


# --- Killed -------------------------------------------------------------------------------


@dataclass
class Victim:
    """A process that plays the evening until it is killed."""

    at: int
    when: When
    folder: Path
    process: int
    report: int

    @classmethod
    def start(cls, at: int, when: When, folder: Path) -> Victim:
        report, reported = os.pipe()
        process = os.fork()
        if process:
            os.close(reported)
            return cls(at, when, folder, process, report)
        sys.settrace(None)  # nobody will ask a killed process which lines it ran
        try:
            run(play_evening(folder, DeadlyDisk(at, when), reported))
            os.write(reported, b"it survived\n")
        except BaseException:
            os.write(reported, traceback.format_exc().encode())
        finally:
            os._exit(1)

    def bury(self) -> tuple[int, int]:
        """How many notes were confirmed, and how many there may be of what was pressed."""
        with os.fdopen(self.report) as lines:
            reported = lines.read().splitlines()
        _, status = os.waitpid(self.process, 0)
        assert os.WIFSIGNALED(status), "\n".join(reported)
        assert os.WTERMSIG(status) == signal.SIGKILL
        counts = {"confirmed": 0, "pressed": 0}
        for line in reported:
            what, number = line.split()
            assert int(number) >= counts[what]
            counts[what] = int(number)
        return counts["confirmed"], counts["pressed"]


def remaining(notes: int) -> list[Step]:
    """What is to be pressed after so many notes, from the first page or from the game."""
    following = []
    for step in EVENING.steps:
        last = step[-1]
        if step[0].notes_before >= notes:
            following.append(step)
        elif last.notes_after > notes:  # the die began the game, and was to roll as well
            following.append((last,))
    return following


async def go_on(folder: Path, undisturbed: Undisturbed, *, steps: int | None = None) -> int:
    """Start again and play on. Returns how many notes were there."""
    with VirtualTable(folder, disk=DeadlyDisk()) as sitting:
        kept = kept_in(folder)
        assert kept in undisturbed.kept, "this never was a part of the evening"
        notes = undisturbed.kept.index(kept)
        last = EVENING.notes[notes - 1] if notes else None
        if isinstance(last, StampedEntry):
            assert fingerprint(sitting.conversation.playing) == last.fingerprint
            assert sitting.stage in (Stage.RESUME, Stage.OVER)
        if isinstance(last, ArchiveGame) or last is None:
            assert sitting.stage is Stage.PLAYERS
        if sitting.stage is Stage.RESUME:
            await sitting.press("ok")
        for step in remaining(notes)[:steps]:
            for press in step:
                await sitting.press(press.word)
            assert sitting.stage is step[-1].after.stage
            assert kept_in(folder) == undisturbed.kept[step[-1].notes_after]
    return notes


def victims(undisturbed: Undisturbed, folder: Path) -> Iterator[Victim]:
    """Each killed at its point, some at work ahead of who asks."""
    running: list[Victim] = []
    where = sorted(points(undisturbed.calls, Random(1)), key=lambda point: point[0])
    try:
        for number, (at, when) in enumerate(where):
            running.append(Victim.start(at, when, folder / str(number)))
            if len(running) == AT_ONCE:
                yield running.pop(0)
        while running:
            yield running.pop(0)
    finally:
        for victim in running:  # a failure leaves nobody behind
            victim.bury()


def test_nothing_confirmed_is_lost_or_doubled_wherever_the_process_is_killed(
    undisturbed: Undisturbed, tmp_path: Path
) -> None:
    """Before each write, in its middle, before the sync, after it, and around each renaming."""
    to_the_end = Random(1)
    lived = []
    for victim in victims(undisturbed, tmp_path):
        confirmed, pressed = victim.bury()
        steps = None if to_the_end.random() < 0.1 else 1
        try:
            notes = run(go_on(victim.folder, undisturbed, steps=steps))
            assert confirmed <= notes <= pressed
        except AssertionError as error:
            call = undisturbed.calls[victim.at]
            raise AssertionError(f"killed {victim.when.value} {call} {victim.at}") from error
        shutil.rmtree(victim.folder)
        lived.append(notes)
    assert len(lived) > undisturbed.calls.count("write")
    assert set(lived) >= {0, 1, len(EVENING.notes)}


# --- Torn ends ----------------------------------------------------------------------------


def last_two(data: bytes) -> range:
    """Every length from the start of the second last line to the end."""
    lines = data.splitlines(keepends=True)
    return range(len(data) - len(lines[-2]) - len(lines[-1]), len(data) + 1)


async def resume_torn(folder: Path, whole: bytes, torn: bytes, undisturbed: Undisturbed) -> None:
    folder.mkdir()
    (folder / "game.jsonl").write_bytes(torn)
    for number, game in enumerate(undisturbed.kept[-1][0], start=1):
        (folder / "archive").mkdir(exist_ok=True)
        (folder / "archive" / f"{number:04}.jsonl").write_bytes(game)
    with VirtualTable(folder, disk=DeadlyDisk()) as sitting:
        kept = undisturbed.kept[-1][0], torn[: torn.rfind(b"\n") + 1]
        assert kept_in(folder) == kept
        assert sitting.table.cut_bytes == len(torn) - len(kept[1])
        assert sitting.stage is Stage.RESUME
        await asyncio.sleep(0.001)
        assert sitting.film.bits() == bits(picture(lit(sitting.conversation), 0))
        await sitting.press("ok")
        for step in remaining(undisturbed.kept.index(kept)):
            await sitting.say(" ".join(press.word for press in step))
        assert sitting.journal == whole


@pytest.mark.parametrize("fill", [b"", b"\0"], ids=["cut", "zeros"])
def test_wherever_the_last_entries_are_torn_the_whole_ones_are_there_and_the_game_goes_on(
    undisturbed: Undisturbed, tmp_path: Path, fill: bytes
) -> None:
    """Cut at every byte of the last two, or zeros from there on, as file systems leave them."""
    whole = undisturbed.kept[-1][1]
    for length in last_two(whole):
        torn = whole[:length] + fill * (len(whole) - length)
        run(resume_torn(tmp_path / str(length), whole, torn, undisturbed))
        shutil.rmtree(tmp_path / str(length))
