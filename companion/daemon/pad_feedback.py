"""Feedback between the controller and the die pad.

The pad's LED shows when the table waits for the die, and how a key was taken. The rail and the
messages show the state of the pad.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from companion.adapters.pad_health import PadHealth, PadState
from companion.pad.messages import Flash, Mode
from companion.table.conversation import Stage
from companion.table.scenes.stage_scenes import LinkState

if TYPE_CHECKING:
    from companion.adapters.serial_pad import SerialPad
    from companion.daemon.controller import Controller
    from companion.table.view import TableView

_STAGES_WAITING_FOR_DIE = (Stage.SETTING, Stage.ORIENT, Stage.ROLL)
_LINKS = {
    PadState.CONNECTED: LinkState.UP,
    PadState.QUIET: LinkState.DOWN,
    PadState.LOST: LinkState.DOWN,
    PadState.WRONG_VERSION: LinkState.DOWN,
}
_NOT_TROUBLE = ("pad.searching", "pad.absent", "pad.silent")
"""A pad that was never connected is not a problem: the table can be played without."""


class PadFeedback:
    """Connects one controller with one pad. All on the loop."""

    def __init__(self, controller: Controller) -> None:
        self._controller = controller
        self._pad: SerialPad | None = None

    def start(self, pad: SerialPad) -> None:
        self._pad = pad
        self._controller.watch(self._handle_view)
        self._controller.on_die_result = self._flash
        self._handle_view(self._controller.view)

    def handle_health(self, health: PadHealth) -> None:
        """Report the pad's state to the controller."""
        link, text = _LINKS.get(health.state, LinkState.NONE), health.message
        is_trouble = text is not None and text.key not in _NOT_TROUBLE
        self._controller.set_link(link, text if is_trouble else None)

    def _handle_view(self, view: TableView) -> None:
        assert self._pad is not None
        is_waiting = view.conversation.stage in _STAGES_WAITING_FOR_DIE
        self._pad.set_mode(Mode.NUMBER if is_waiting else Mode.NOTHING)

    def _flash(self, is_done: bool) -> None:
        assert self._pad is not None
        self._pad.flash(Flash.ACCEPTED if is_done else Flash.REFUSED)
