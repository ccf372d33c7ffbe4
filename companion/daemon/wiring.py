"""The composition root: builds a table from its parts, and closes them in reverse order.

The matrix is opened and lit before anything else is imported, because imports are slow on a small
Pi.
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

from companion.adapters.hardware import Hardware, open_configured_matrix
from companion.adapters.matrix import Matrix, SpiDevice
from companion.adapters.reconnecting_matrix import ReconnectingMatrix
from companion.config.model import Config
from companion.errors import CompanionError
from companion.light.frame import DARK, LedFrame
from companion.table.scenes.scene import MATRIX, Ink, led_at

if TYPE_CHECKING:
    import asyncio

    from companion.adapters.gpio.pin_factory import Pins
    from companion.adapters.gpio.reconnecting_buttons import ReconnectingButtons
    from companion.adapters.pad_health import PadHealth
    from companion.adapters.serial_pad import SerialPad
    from companion.daemon.controller import Controller
    from companion.daemon.display import Display
    from companion.daemon.worker_thread import Worker
    from companion.storage.filesystem import Filesystem
    from companion.table.conversation import Preferences, RandomSource

_MIDDLE = led_at(3, 3)
WAKING: LedFrame = (*DARK[:_MIDDLE], Ink.WHITE, *DARK[_MIDDLE + 1 :])
"""The first frame: the centre of the market, where Assam will stand."""
_EXCLAMATION = {led_at(3, row) for row in (0, 1, 2, 3, 4, 6)}
WRONG: LedFrame = tuple(Ink.RED if led in _EXCLAMATION else None for led in range(len(DARK)))
"""The last frame after a fault: an exclamation mark. The log says why."""

MakeWorker: TypeAlias = "Callable[[asyncio.AbstractEventLoop, str], Worker]"


class Table:
    """An open table. `close` closes its parts and is idempotent."""

    def __init__(
        self,
        controller: Controller,
        display: Display,
        buttons: ReconnectingButtons,
        parts: ExitStack,
        *,
        pad: SerialPad | None,
        workers: Mapping[str, Worker],
        torn_bytes: int = 0,
    ) -> None:
        self.controller = controller
        self.display = display
        self.workers = workers
        self.torn_bytes = torn_bytes
        """Bytes of an unfinished entry that were cut off the journal's end."""
        self.stuck_contacts = buttons.stuck_at_start
        """Contacts that were closed at the start; they are ignored until they open."""
        self._buttons = buttons
        self._pad = pad
        self._parts = parts

    @property
    def pins(self) -> Pins | None:
        """The pin factory of the buttons, once it could be opened."""
        return self._buttons.pins

    @property
    def pins_description(self) -> str:
        """Which GPIO chip is used; empty for mock pins, or until it could be opened."""
        return self._buttons.description

    def pad_health(self) -> PadHealth | None:
        """The state of the die pad; None if none is configured."""
        return None if self._pad is None else self._pad.health

    def close(self) -> None:
        self._parts.close()


def open_lit(
    config: Config, hardware: Hardware, clock: Callable[[], datetime] = datetime.now
) -> Matrix:
    """Open the matrix and show the first frame."""
    device = hardware.open_spi(config)
    try:
        return _lit(config, device, clock(), WAKING)
    except OSError:
        device.close()
        raise


def _lit(config: Config, device: SpiDevice, now: datetime, shown: LedFrame) -> Matrix:
    matrix = open_configured_matrix(
        device, config.matrix, brightness=config.matrix.brightness_at(now)
    )
    matrix.show(shown)
    return matrix


def light_first(config: Config, hardware: Hardware) -> ReconnectingMatrix:
    """Open the matrix and light it. If that fails, the display retries later."""
    matrix = ReconnectingMatrix(partial(open_lit, config, hardware))
    with suppress(OSError, CompanionError):  # the display finds out, and reports it
        matrix.open()
    return matrix


def show_fault_sign(
    config: Config, hardware: Hardware, clock: Callable[[], datetime] = datetime.now
) -> None:
    """Show the exclamation mark, which stays on the matrix after the process has ended."""
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
    random_source: RandomSource | None = None,
    make_worker: MakeWorker | None = None,
    filesystem: Filesystem | None = None,
    begun: Callable[[], str] | None = None,
    clock: Callable[[], datetime] = datetime.now,
    make_code: Callable[[], str] | None = None,
    is_locked: bool = False,
) -> Table:
    """Open a table. If a part fails, those opened before are closed.

    `is_locked`: the caller has locked the folder already.
    """
    with ExitStack() as parts:
        matrix = matrix or open_lit(config, hardware, clock)
        parts.callback(close_matrix, matrix)

        from companion.adapters.die import SystemRandomSource
        from companion.adapters.gpio.reconnecting_buttons import ReconnectingButtons
        from companion.control.pairing import Pairing, new_code
        from companion.daemon.controller import Controller
        from companion.daemon.display import Display
        from companion.daemon.matrix_maintenance import MatrixMaintenance
        from companion.daemon.worker_thread import ThreadWorker
        from companion.storage.filesystem import OS_FILESYSTEM
        from companion.storage.game_store import GameStore
        from companion.table.conversation import new_conversation, resumed_conversation
        from companion.table.scenes.stage_scenes import RailStatus

        make = make_worker or ThreadWorker
        if not is_locked:
            parts.callback(os.close, lock_folder(folder))
        store = GameStore(
            folder,
            header_extras=_header_extras(hardware, begun),
            filesystem=filesystem or OS_FILESYSTEM,
        )
        parts.callback(store.close)
        game, torn_bytes = store.load()
        painter = make(loop, "painter")
        parts.callback(painter.close)
        display = Display(
            loop,
            matrix,
            painter,
            status=RailStatus(is_simulated=hardware.is_simulated),
            rest_after_s=config.table.rest_after_s,
        )
        parts.callback(display.close)
        parts.callback(MatrixMaintenance(loop, display, config.matrix, clock).close)
        writer = make(loop, "writer")
        parts.callback(writer.close)
        preferences = preferences_of(config)
        controller = Controller(
            loop,
            resumed_conversation(preferences, game) if game else new_conversation(preferences),
            store=store,
            writer=writer,
            display=display,
            random_source=random_source or SystemRandomSource(),
            hold_ms=config.buttons.hold_ms,
            retry_s=config.journal.retry_s,
            pairing=Pairing(loop.time, make_code or new_code),
        )
        parts.callback(controller.close)
        buttons = ReconnectingButtons(
            loop, config, hardware, controller.deliver, partial(controller.set_trouble, "buttons")
        )
        parts.callback(buttons.close)
        pad = _open_pad(loop, config, hardware, controller, parts)
        return Table(
            controller,
            display,
            buttons,
            parts.pop_all(),
            pad=pad,
            workers={"painter": painter, "writer": writer},
            torn_bytes=torn_bytes,
        )


def _open_pad(
    loop: asyncio.AbstractEventLoop,
    config: Config,
    hardware: Hardware,
    controller: Controller,
    parts: ExitStack,
) -> SerialPad | None:
    """Open the die pad, if one is configured, and connect it with the controller."""
    from companion.daemon.pad_feedback import PadFeedback

    feedback = PadFeedback(controller)
    pad = hardware.open_pad(loop, config, controller.deliver, feedback.handle_health)
    if pad is not None:
        parts.callback(pad.close)
        feedback.start(pad)
        pad.start()
    return pad


def lock_folder(folder: Path) -> int:
    """Create the folder if needed, and lock it until the returned descriptor is closed.

    The journal has a lock of its own, but it may not exist yet.
    """
    try:
        folder.mkdir(parents=True, exist_ok=True)
        opened = os.open(folder, os.O_RDONLY | os.O_DIRECTORY)
    except OSError as error:
        raise CompanionError(
            f"cannot write games to {folder} ({error.strerror}): give the companion's user write "
            "permission there, or another folder with --folder"
        ) from None
    try:
        fcntl.flock(opened, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except OSError:
        os.close(opened)
        raise CompanionError(f"another companion uses {folder}: stop it first") from None
    return opened


def preferences_of(config: Config) -> Preferences:
    """The table preferences of a config."""
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
        has_die_keys=config.die.input == "both",
    )


def _header_extras(
    hardware: Hardware, begun: Callable[[], str] | None
) -> Callable[[], Mapping[str, Any]]:
    """What the header of a journal says beside the set-up of the game."""

    def extras() -> Mapping[str, Any]:
        now = begun() if begun else datetime.now().astimezone().isoformat(timespec="seconds")
        return {"begun": now, "simulated": hardware.is_simulated}

    return extras


def close_matrix(matrix: Matrix) -> None:
    """Close the matrix; one that is unplugged cannot be cleared."""
    with suppress(OSError):
        matrix.close()


assert len(WAKING) == MATRIX * MATRIX
