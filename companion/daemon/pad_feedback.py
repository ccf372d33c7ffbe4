"""What the daemon and the die pad say of each other.

The pad's LED asks for a number when the table waits for one, and answers how it was taken; the rail
and the words say how the pad is.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from companion.adapters.pad_health import PadHealth, PadState
from companion.pad.messages import Flash, Mode
from companion.table.conversation import Stage
from companion.table.scenes.stage_scenes import Link

if TYPE_CHECKING:
    from companion.adapters.serial_pad import SerialPad
    from companion.daemon.controller import Controller, TableView

_WAITS_FOR_A_NUMBER = (Stage.SETTING, Stage.ORIENT, Stage.ROLL)
_LINKS = {
    PadState.CONNECTED: Link.UP,
    PadState.QUIET: Link.DOWN,
    PadState.LOST: Link.DOWN,
    PadState.WRONG_VERSION: Link.DOWN,
}

_NO_TROUBLE = ("pad.searching", "pad.absent", "pad.silent")


class PadFeedback:
    """Between one daemon and one pad; all on the loop."""

    def __init__(self, daemon: Controller) -> None:
        self._daemon = daemon
        self._pad: SerialPad | None = None

    def begin(self, pad: SerialPad) -> None:
        self._pad = pad
        self._daemon.watch(self._watch)
        self._daemon.when_die_is_answered = self._flash
        self._watch(self._daemon.view)

    def tell(self, health: PadHealth) -> None:
        """A pad that was never there is no trouble: it can be played without."""
        link, said = _LINKS.get(health.state, Link.NONE), health.said
        is_trouble = said is not None and said.key not in _NO_TROUBLE
        self._daemon.tell_link(link, said if is_trouble else None)

    def _watch(self, view: TableView) -> None:
        assert self._pad is not None
        waits = view.conversation.stage in _WAITS_FOR_A_NUMBER
        self._pad.show(Mode.NUMBER if waits else Mode.NOTHING)

    def _flash(self, is_done: bool) -> None:
        assert self._pad is not None
        self._pad.flash(Flash.ACCEPTED if is_done else Flash.REFUSED)
