"""Shows the pairing code on the matrix, in place of the scene, for a limited time."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING

from companion.control.pairing import SHOWN_S, Pairing
from companion.table.scenes.scene import Scene
from companion.table.scenes.turn_scenes import code_scene

if TYPE_CHECKING:
    import asyncio


class PairingDisplay:
    """The code's scene while it is shown. `on_timeout` is called when its time is over."""

    def __init__(
        self,
        loop: asyncio.AbstractEventLoop,
        pairing: Pairing,
        on_timeout: Callable[[], None],
    ) -> None:
        self._loop = loop
        self.pairing = pairing
        self._on_timeout = on_timeout
        self.scene: Scene | None = None
        """None while no code is shown."""
        self.is_on = False
        self._timer: asyncio.TimerHandle | None = None

    def show(self) -> str:
        """Make a new code and its scene; the code before is void."""
        code = self.pairing.show()
        self.scene, self.is_on = code_scene(code), True
        self._stop_timer()
        self._timer = self._loop.call_later(SHOWN_S, self._on_timeout)
        return code

    def hide(self) -> None:
        """Idempotent."""
        self.scene, self.is_on = None, False
        self._stop_timer()

    def close(self) -> None:
        """Stop the timer. A code that is shown stays. Idempotent."""
        self._stop_timer()

    def _stop_timer(self) -> None:
        if self._timer is not None:
            self._timer.cancel()
            self._timer = None
