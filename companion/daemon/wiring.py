"""The one place where a table is put together, and taken apart in reverse.

Light comes first: the matrix is opened and lit before anything else is even imported, because a
small Pi takes its time for the rest.
"""

from __future__ import annotations

import fcntl
import os
from collections.abc import Callable, Mapping
from contextlib import ExitStack, closing, suppress
from datetime import datetime
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Any, TypeAlias

from companion.adapters.hardware import Hardware, matrix_on
from companion.adapters.matrix import Matrix, SpiDevice
from companion.adapters.reconnecting_matrix import ReconnectingMatrix
from companion.config.model import Config
from companion.errors import CompanionError
from companion.light.frame import DARK, Picture
from companion.table.scenes.scene import MATRIX, Ink, led_at

if TYPE_CHECKING:
    import asyncio

    from companion.adapters.gpio_buttons import Pins
    from companion.adapters.pad_health import PadHealth
    from companion.adapters.reconnecting_buttons import ReconnectingButtons
    from companion.adapters.serial_pad import SerialPad
    from companion.daemon.controller import Controller
    from companion.daemon.display import Display
    from companion.daemon.worker_thread import Worker
    from companion.storage.filesystem import Filesystem
    from companion.table.conversation import Chance, Preferences

_MIDDLE = led_at(3, 3)
WAKING: Picture = (*DARK[:_MIDDLE], Ink.WHITE, *DARK[_MIDDLE + 1 :])
"""First light: the middle of the market, where Assam will stand."""
_EXCLAMATION = {led_at(3, row) for row in (0, 1, 2, 3, 4, 6)}
WRONG: Picture = tuple(Ink.RED if led in _EXCLAMATION else None for led in range(len(DARK)))
"""Last light: an exclamation mark, when the companion had to give up. The log says why."""

MakeWorker: TypeAlias = "Callable[[asyncio.AbstractEventLoop, str], Worker]"


class Table:
    """A table that is put together. `close` takes it apart; twice is no trouble."""

    def __init__(
        self,
        daemon: Controller,
        screen: Display,
        buttons: ReconnectingButtons,
        parts: ExitStack,
        *,
        pad: SerialPad | None,
        workers: Mapping[str, Worker],
        cut_bytes: int = 0,
    ) -> None:
        self.daemon = daemon
        self.screen = screen
        self.workers = workers
        self.cut_bytes = cut_bytes
        """How much of a torn journal was cut off, which nobody was ever shown."""
        self.stuck = buttons.stuck_at_start
        """Contacts that were closed at the start, and mean nothing until they open."""
        self._buttons = buttons
        self._pad = pad
        self._parts = parts

    @property
    def pins(self) -> Pins | None:
        """Where the buttons are, once they can be had."""
        return self._buttons.pins

    def pad_health(self) -> PadHealth | None:
        """How the die pad is; None if there is to be none."""
        return None if self._pad is None else self._pad.health

    def close(self) -> None:
        self._parts.close()


def open_lit(
    config: Config, hardware: Hardware, clock: Callable[[], datetime] = datetime.now
) -> Matrix:
    """Open the matrix and show that somebody is at home."""
    device = hardware.open_spi(config)
    try:
        return _lit(config, device, clock(), WAKING)
    except OSError:
        device.close()
        raise


def _lit(config: Config, device: SpiDevice, now: datetime, shown: Picture) -> Matrix:
    matrix = matrix_on(device, config.matrix, brightness=config.matrix.brightness_at(now))
    matrix.show(shown)
    return matrix


def light_first(config: Config, hardware: Hardware) -> ReconnectingMatrix:
    """Light the matrix if that can be done now. If not, it is tried again as the table goes on."""
    matrix = ReconnectingMatrix(partial(open_lit, config, hardware))
    with suppress(OSError, CompanionError):  # the screen hears of it, and says so
        matrix.open()
    return matrix


def leave_sign(
    config: Config, hardware: Hardware, clock: Callable[[], datetime] = datetime.now
) -> None:
    """Leave a sign on the matrix that lasts after the end: something is wrong."""
    with suppress(OSError, CompanionError):
        device = hardware.open_spi(config)
        with closing(device):
            _lit(config, device, clock(), WRONG)


def open_table(
    loop: asyncio.AbstractEventLoop,
    config: Config,
    hardware: Hardware,
    folder: Path,
    *,
    matrix: Matrix | None = None,
    chance: Chance | None = None,
    make_worker: MakeWorker | None = None,
    disk: Filesystem | None = None,
    begun: Callable[[], str] | None = None,
    clock: Callable[[], datetime] = datetime.now,
    make_code: Callable[[], str] | None = None,
    is_locked: bool = False,
) -> Table:
    """Put a table together. Whatever fails, what was opened before is closed again.

    `is_locked` says that the caller has the folder for itself already.
    """
    with ExitStack() as parts:
        matrix = matrix or open_lit(config, hardware, clock)
        parts.callback(close_matrix, matrix)

        from companion.adapters.die import Chance as OwnChance
        from companion.adapters.reconnecting_buttons import ReconnectingButtons
        from companion.daemon.controller import Controller
        from companion.daemon.display import Display
        from companion.daemon.matrix_maintenance import MatrixMaintenance
        from companion.daemon.pairing import Pairing, new_code
        from companion.daemon.worker_thread import ThreadWorker
        from companion.storage.filesystem import OS_FILESYSTEM
        from companion.storage.game_store import GameStore
        from companion.table.conversation import fresh, resumed
        from companion.table.scenes.stage_scenes import Status

        make = make_worker or ThreadWorker
        if not is_locked:
            parts.callback(os.close, lock_folder(folder))
        keeper = GameStore(folder, about=_about(hardware, begun), disk=disk or OS_FILESYSTEM)
        parts.callback(keeper.close)
        game, cut = keeper.load()
        painter = make(loop, "painter")
        parts.callback(painter.close)
        screen = Display(
            loop,
            matrix,
            painter,
            status=Status(is_simulated=hardware.is_simulated),
            rest_after_s=config.table.rest_after_s,
        )
        parts.callback(screen.close)
        parts.callback(MatrixMaintenance(loop, screen, config.matrix, clock).close)
        scribe = make(loop, "scribe")
        parts.callback(scribe.close)
        customs = customs_of(config)
        daemon = Controller(
            loop,
            fresh(customs) if game is None else resumed(customs, game),
            keeper=keeper,
            scribe=scribe,
            screen=screen,
            chance=chance or OwnChance(),
            hold_ms=config.buttons.hold_ms,
            retry_s=config.journal.retry_s,
            pairing=Pairing(loop.time, make_code or new_code),
        )
        parts.callback(daemon.close)
        buttons = ReconnectingButtons(
            loop, config, hardware, daemon.deliver, partial(daemon.tell_trouble, "buttons")
        )
        parts.callback(buttons.close)
        pad = _open_pad(loop, config, hardware, daemon, parts)
        workers = {"painter": painter, "scribe": scribe}
        return Table(
            daemon, screen, buttons, parts.pop_all(), pad=pad, workers=workers, cut_bytes=cut
        )


def _open_pad(
    loop: asyncio.AbstractEventLoop,
    config: Config,
    hardware: Hardware,
    daemon: Controller,
    parts: ExitStack,
) -> SerialPad | None:
    """The die pad, if there is to be one: its keys are heard, its LED says what came of them."""
    from companion.daemon.pad_feedback import PadFeedback

    manners = PadFeedback(daemon)
    pad = hardware.open_pad(loop, config, daemon.deliver, manners.tell)
    if pad is not None:
        parts.callback(pad.close)
        manners.begin(pad)
        pad.start()
    return pad


def lock_folder(folder: Path) -> int:
    """Make the folder if need be, and keep it for this table alone until the file is closed.

    A journal is locked as well, but there may be none yet.
    """
    try:
        folder.mkdir(parents=True, exist_ok=True)
        opened = os.open(folder, os.O_RDONLY | os.O_DIRECTORY)
    except OSError as error:
        raise CompanionError(
            f"games cannot be kept in {folder} ({error.strerror}): let the companion's user write "
            "there, or give another with --folder"
        ) from None
    try:
        fcntl.flock(opened, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except OSError:
        os.close(opened)
        raise CompanionError(
            f"another companion keeps its games in {folder}: stop it first"
        ) from None
    return opened


def customs_of(config: Config) -> Preferences:
    """What the config says of how this table likes to play."""
    from companion.table.conversation import Preferences

    game = config.game
    return Preferences(
        players=game.players,
        booklet=game.booklet,
        options=dict(game.options),
        deals_piles=game.piles == "dealt",
        names=game.names,
        facing=config.facing(),
        ok_rolls=config.die.input != "keys",
        has_keys_too=config.die.input == "both",
    )


def _about(hardware: Hardware, begun: Callable[[], str] | None) -> Callable[[], Mapping[str, Any]]:
    """What the header of a journal says beside how the game begins."""

    def about() -> Mapping[str, Any]:
        now = begun() if begun else datetime.now().astimezone().isoformat(timespec="seconds")
        return {"begun": now, "simulated": hardware.is_simulated}

    return about


def close_matrix(matrix: Matrix) -> None:
    """A matrix that is gone cannot be darkened, and need not be."""
    with suppress(OSError):
        matrix.close()


assert len(WAKING) == MATRIX * MATRIX
