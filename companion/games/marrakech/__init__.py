"""The complete rules of Marrakech, without I/O, clock or randomness.

    state = new_game(Setup(usual_players(4)))
    state, events = apply(state, Orient(Facing.EAST))
    state, events = apply(state, Rolled(3))
    legal_actions(state)

`legal_actions` is the only source of what is legal. `apply` returns a new position and the events
that led to it. `position_text` and `record_text` write positions and games as text. `Stepper` plays
the same game without checks, for search.
"""

from companion.games.marrakech.actions import (
    Action,
    Drew,
    Lay,
    Orient,
    Pay,
    Pivot,
    ReturnRug,
    Rolled,
)
from companion.games.marrakech.booklets import BOOKLETS, Booklet, booklet_named
from companion.games.marrakech.corrections import (
    correct_assam,
    correct_dirhams,
    correct_square,
)
from companion.games.marrakech.events import (
    Drawn,
    Ended,
    Event,
    Laid,
    Oriented,
    Paid,
    Pivoted,
    Returned,
    Standing,
    Tribute,
    Walked,
    WentOut,
)
from companion.games.marrakech.market import (
    DIE,
    PIPS,
    Facing,
    Placement,
    Step,
    parse_placement,
    parse_square,
    square_at,
    square_name,
)
from companion.games.marrakech.options import OPTIONS, Options
from companion.games.marrakech.rug import COLOURS, Colour, Rug, colour_named
from companion.games.marrakech.rules import apply, legal_actions
from companion.games.marrakech.setup import Setup, usual_players
from companion.games.marrakech.state import Phase, State, new_game
from companion.games.marrakech.stepper import Stepper
from companion.games.marrakech.text.notation import parse_position, position_text
from companion.games.marrakech.text.record import Record, record_text
from companion.games.marrakech.text.record_reader import parse_record

__all__ = [
    "BOOKLETS",
    "COLOURS",
    "DIE",
    "OPTIONS",
    "PIPS",
    "Action",
    "Booklet",
    "Colour",
    "Drawn",
    "Drew",
    "Ended",
    "Event",
    "Facing",
    "Laid",
    "Lay",
    "Options",
    "Orient",
    "Oriented",
    "Paid",
    "Pay",
    "Phase",
    "Pivot",
    "Pivoted",
    "Placement",
    "Record",
    "ReturnRug",
    "Returned",
    "Rolled",
    "Rug",
    "Setup",
    "Standing",
    "State",
    "Step",
    "Stepper",
    "Tribute",
    "Walked",
    "WentOut",
    "apply",
    "booklet_named",
    "colour_named",
    "correct_assam",
    "correct_dirhams",
    "correct_square",
    "legal_actions",
    "new_game",
    "parse_placement",
    "parse_position",
    "parse_record",
    "parse_square",
    "position_text",
    "record_text",
    "square_at",
    "square_name",
    "usual_players",
]
