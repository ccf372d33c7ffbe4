"""What a scenario puts in the place of the world: a disk that can be filled, chance that is known
beforehand, and a chip whose light is kept on film."""

from __future__ import annotations

import asyncio
import errno
import os
from bisect import bisect_right
from collections import deque
from pathlib import Path

from companion.adapters.virtual.spi import Chip, Light
from companion.errors import CompanionError
from companion.games.marrakech import Colour, Setup
from companion.scenario.statements import DiskState
from companion.storage.filesystem import OS_FILESYSTEM

_FAULTS = {DiskState.FULL: errno.ENOSPC, DiskState.READONLY: errno.EROFS}


class UnforeseenError(CompanionError, RuntimeError):
    """Chance is asked for something, and the scenario does not say what it gives."""


class PropDisk:
    """The real disk, unless it is said to be full or read-only, until the plug is pulled."""

    def __init__(self, state: DiskState) -> None:
        self.state = state
        self._files: set[int] = set()
        self._is_gone = False

    def pull_plug(self) -> None:
        """Nothing reaches the disk any more; the system lets go of what was open."""
        self._is_gone = True
        for file in list(self._files):
            self.close(file)

    def open(self, path: Path, *, is_new: bool = False) -> int:
        self._refuse(DiskState.READONLY)
        file = OS_FILESYSTEM.open(path, is_new=is_new)
        self._files.add(file)
        return file

    def write(self, file: int, data: memoryview) -> int:
        if self.state is DiskState.FULL and not self._is_gone:
            OS_FILESYSTEM.write(file, data[: len(data) // 2])  # there is room for half of it
        self._refuse(DiskState.FULL, DiskState.READONLY)
        return OS_FILESYSTEM.write(file, data)

    def cut(self, file: int, length: int) -> None:
        self._refuse(DiskState.READONLY)
        OS_FILESYSTEM.cut(file, length)

    def fdatasync(self, file: int) -> None:  # noqa: ARG002 - as the disk has it
        """Nobody pulls the real plug of a scenario: what is written is there."""
        self._refuse()

    def close(self, file: int) -> None:
        if file in self._files:  # its number may be somebody else's file by now
            self._files.remove(file)
            OS_FILESYSTEM.close(file)

    def rename(self, path: Path, target: Path) -> None:
        self._refuse(DiskState.READONLY)
        OS_FILESYSTEM.rename(path, target)

    def fsync_folder(self, folder: Path) -> None:  # noqa: ARG002 - as fdatasync
        self._refuse()

    def _refuse(self, *states: DiskState) -> None:
        if self._is_gone:
            raise OSError(errno.EIO, os.strerror(errno.EIO))
        if self.state in states:
            raise OSError(_FAULTS[self.state], os.strerror(_FAULTS[self.state]))


class KnownChance:
    """Gives what the scenario says, and nothing else."""

    def __init__(self) -> None:
        self.rolls: deque[int] = deque()
        self.piles: tuple[tuple[Colour, ...], ...] | None = None
        self.codes: deque[str] = deque()

    def roll(self) -> int:
        if not self.rolls:
            raise UnforeseenError("the companion rolls: say before what comes, like 'rolls 3'")
        return self.rolls.popleft()

    def code(self) -> str:
        if not self.codes:
            raise UnforeseenError("the companion makes a code: say before which, like 'code 0417'")
        return self.codes.popleft()

    def deal(self, setup: Setup) -> tuple[tuple[Colour, ...], ...] | None:
        if not setup.has_two_colours or setup.options.two_player != "shuffled":
            return None
        if self.piles is None:
            raise UnforeseenError(
                "the companion deals: say before which piles, like 'deals RY… BN…'"
            )
        return self.piles


class FilmedChip:
    """A chip on the bus, and all the light it has given since."""

    def __init__(self, loop: asyncio.AbstractEventLoop, chip: Chip) -> None:
        self._loop = loop
        self._chip = chip
        self._times = [loop.time()]
        self._lights = [chip.light()]

    def transfer(self, data: bytes) -> None:
        self._chip.transfer(data)
        self._keep()

    def light(self) -> Light:
        return self._chip.light()

    def lose_power(self) -> None:
        """It forgets all it was told, and is dark."""
        self._chip = type(self._chip)()
        self._keep()

    def light_at(self, time: float) -> Light:
        """What was lit at that time, when all that happened then had happened."""
        return self._lights[max(bisect_right(self._times, time) - 1, 0)]

    def lights_between(self, begin: float, end: float) -> list[Light]:
        """What was lit at `begin`, and every change until `end`."""
        inside = [
            light
            for time, light in zip(self._times, self._lights, strict=True)
            if begin < time <= end
        ]
        return [self.light_at(begin), *inside]

    def _keep(self) -> None:
        light, now = self._chip.light(), self._loop.time()
        if self._times[-1] == now:
            self._lights[-1] = light
        else:
            self._times.append(now)
            self._lights.append(light)
