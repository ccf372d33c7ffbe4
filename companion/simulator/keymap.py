"""The simulator's keys: each is bound to an `action_...` method of `Simulator`."""

from __future__ import annotations

from textual.binding import Binding, BindingType

from companion.games.marrakech import PIPS
from companion.simulator.controls import ROLL_KEY
from companion.simulator.faults import FAULT_INFO

KEY_BINDINGS: list[BindingType] = [
    Binding("up", "tap('NORTH')"),
    Binding("right", "tap('EAST')"),
    Binding("down", "tap('SOUTH')"),
    Binding("left", "tap('WEST')"),
    Binding("enter,space", "tap('OK')"),
    Binding("backspace", "tap('BACK')"),
    Binding("O", "hold('OK')"),
    Binding("B", "hold('BACK')"),
    Binding("P", "hold_both"),
    *(Binding(str(pips), f"tap_die({pips})") for pips in PIPS),
    Binding("r,R", f"tap_die({ROLL_KEY})"),
    *(Binding(info.key, f"fault('{fault.name}')") for fault, info in FAULT_INFO.items()),
    Binding("a,A", "page"),
    Binding("f1,question_mark", "help"),
    Binding("q", "quit"),
    Binding("ctrl+q,ctrl+c", "quit", priority=True),
]
