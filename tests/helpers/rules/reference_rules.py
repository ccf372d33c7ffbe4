"""A second, independent implementation of the rules, for tests.

Written from the printed rules, and slow on purpose. It shares no code and no tables with the
companion: squares are (x, y), the market is a dict, regions are searched.
"""

from __future__ import annotations

import copy

Square = tuple[int, int]  # (x, y), x = 0..6 west to east, y = 0..6 north to south
Rug = tuple[str, int]  # (colour, number): the n-th rug of its colour to leave the pile is n
Action = tuple[object, ...]  # ("roll", 3), ("lay", frozenset({(3, 4), (3, 5)})), ...
Event = dict[str, object]

ENGLISH = {
    "bankruptcy": "out",
    "covering": "no-whole-rug",
    "two_player": "shuffled",
    "turn_order": "classic",
    "pivot": "must",
    "purse": "thirty",
    "tie_break": "dirhams",
    "box": "60",
}
MARKET = [(x, y) for y in range(7) for x in range(7)]
AHEAD = {"N": (0, -1), "E": (1, 0), "S": (0, 1), "W": (-1, 0)}
RIGHT = {"N": "E", "E": "S", "S": "W", "W": "N"}
LEFT = {"N": "W", "W": "S", "S": "E", "E": "N"}


def neighbours(square: Square) -> list[Square]:
    """The two to four squares that share a side with this one."""
    x, y = square
    return [s for s in [(x, y - 1), (x + 1, y), (x, y + 1), (x - 1, y)] if s in MARKET]


def step(square: Square, facing: str, loops: str) -> tuple[Square, str]:
    """One step straight ahead. Leaving the market and returning through a loop is one step."""
    x, y = square
    dx, dy = AHEAD[facing]
    if (x + dx, y + dy) in MARKET:
        return (x + dx, y + dy), facing
    if loops == "ne-sw":
        return follow_loop(square, facing)
    # nw-se is the same cardboard turned a quarter clockwise: (x, y) becomes (6 - y, x). Turn Assam
    # back, let him walk, and turn him forward again.
    (x, y), facing = follow_loop((y, 6 - x), LEFT[facing])
    return (6 - y, x), RIGHT[facing]


def follow_loop(square: Square, facing: str) -> tuple[Square, str]:
    """Leave the market from an edge square, three-quarter loops at north-east and south-west."""
    x, y = square
    if facing == "N":
        if x == 6:
            return (x, y), "W"
        if x in (0, 2, 4):
            return (x + 1, y), "S"
        return (x - 1, y), "S"
    if facing == "S":
        if x == 0:
            return (x, y), "E"
        if x in (2, 4, 6):
            return (x - 1, y), "N"
        return (x + 1, y), "N"
    if facing == "E":
        if y == 0:
            return (x, y), "S"
        if y in (2, 4, 6):
            return (x, y - 1), "W"
        return (x, y + 1), "W"
    if y == 6:
        return (x, y), "N"
    if y in (0, 2, 4):
        return (x, y + 1), "E"
    return (x, y - 1), "E"


def region(top: dict[Square, Rug], square: Square) -> list[set[Square]]:
    """The connected squares of this square's colour, by distance: [{square}, ...].

    Only top rugs count, and only shared sides connect. An empty square has no region.
    """
    if square not in top:
        return []
    colour = top[square][0]
    rings = [{square}]
    seen = {square}
    while True:
        ring = {n for s in rings[-1] for n in neighbours(s) if n in top and top[n][0] == colour}
        ring -= seen
        if not ring:
            return rings
        rings.append(ring)
        seen |= ring


class Game:
    """One game. `apply` changes it in place and returns the events."""

    def __init__(
        self,
        players: list[list[str]],
        *,
        options: dict[str, str] | None = None,
        loops: str = "ne-sw",
        facing: str = "S",
        piles: list[list[str]] | None = None,
    ) -> None:
        self.players = [list(colours) for colours in players]
        self.options = {**ENGLISH, **(options or {})}
        self.loops = loops
        self.facing = facing
        self.assam: Square = (3, 3)
        self.mover = 0
        self.out: set[int] = set()
        self.top: dict[Square, Rug] = {}
        self.hand: str | None = None
        self.phase = self._first_phase()

        seats = len(players)
        purse = 30
        if self.options["purse"] == "share-120":
            purse = {2: 60, 3: 40, 4: 30}[seats]
        self.dirhams = [purse] * seats

        has_two_colours = len(players[0]) == 2
        rugs = 12 if seats == 4 or has_two_colours else 15
        self.start = {colour: rugs for colours in players for colour in colours}
        self.left = dict(self.start)

        self.piles: list[list[str]] | None = None  # the rest of each known pile, next rug first
        if has_two_colours and self.options["two_player"] == "alternating":
            self.piles = [[first, second] * 12 for first, second in players]
        elif has_two_colours and piles is not None:
            self.piles = [list(pile) for pile in piles]

    def copy(self) -> Game:
        return copy.deepcopy(self)

    # Legal actions

    def legal(self) -> list[Action]:
        """All legal actions. Empty if the game is over."""
        turns = [LEFT[self.facing], RIGHT[self.facing]]
        if self.phase == "orient":
            return [("orient", facing) for facing in [self.facing, *turns]]
        if self.phase == "roll":
            return [("roll", pips) for pips in (1, 2, 3, 4)]
        if self.phase == "pay":
            return [("pay",)]
        if self.phase == "draw":
            return [("draw", colour) for colour in self.players[self.mover]]
        if self.phase == "lay":
            placements = self._placements()
            return [("lay", squares) for squares in placements] if placements else [("return",)]
        if self.phase == "pivot":
            if self.options["pivot"] == "may":
                turns.append(self.facing)
            return [("pivot", facing) for facing in turns]
        return []

    def _placements(self) -> list[frozenset[Square]]:
        """Each pair of squares the mover may lay a rug on."""
        found: list[frozenset[Square]] = []
        for near in neighbours(self.assam):
            for other in neighbours(near):
                pair = frozenset({near, other})
                if other != self.assam and pair not in found and self._may_cover(near, other):
                    found.append(pair)
        return found

    def _may_cover(self, one: Square, other: Square) -> bool:
        """Whether the mover may cover these two squares with one rug."""
        if one not in self.top or other not in self.top:
            return True
        if self.options["covering"] == "two-colours":
            return self.top[one][0] != self.top[other][0]
        if self.top[one] != self.top[other]:
            return True
        is_own = self.top[one][0] in self.players[self.mover]
        return self.options["covering"] == "own-rug-allowed" and is_own

    # Applying actions

    def apply(self, action: Action) -> list[Event]:
        """Apply a legal action and return its events. ValueError if it is not legal."""
        if action not in self.legal():
            raise ValueError(f"{action!r} is not legal in phase {self.phase!r}")
        kind = action[0]
        if kind == "orient":
            self.facing = str(action[1])
            self.phase = "roll"
            return [{"event": "oriented", "facing": self.facing}]
        if kind == "roll":
            assert isinstance(action[1], int)
            return self._walk(action[1])
        if kind == "pay":
            return self._pay()
        if kind == "draw":
            self.hand = str(action[1])
            self.phase = "lay"
            return [{"event": "drew", "player": self.mover, "colour": self.hand}]
        if kind == "lay":
            assert isinstance(action[1], frozenset)
            return self._lay(action[1])
        if kind == "return":
            colour = self._take_rug()[0]
            returned: Event = {"event": "returned", "player": self.mover, "colour": colour}
            return [returned, *self._after_rug()]
        self.facing = str(action[1])
        pivoted: Event = {"event": "pivoted", "facing": self.facing}
        self._next_player()
        return [pivoted]

    def _walk(self, pips: int) -> list[Event]:
        path: list[tuple[Square, str]] = []
        for _ in range(pips):
            self.assam, self.facing = step(self.assam, self.facing, self.loops)
            path.append((self.assam, self.facing))
        walked: Event = {"event": "walked", "path": path}

        owner = self._creditor()
        if owner is None:
            self._prepare_rug()
            return [walked]
        self.phase = "pay"
        owed: Event = {
            "event": "owed",
            "payer": self.mover,
            "owner": owner,
            "colour": self.top[self.assam][0],
            "due": self._due(),
            "rings": region(self.top, self.assam),
        }
        return [walked, owed]

    def _creditor(self) -> int | None:
        """The opponent, not out, whose rug Assam stands on."""
        if self.assam not in self.top:
            return None
        colour = self.top[self.assam][0]
        for player, colours in enumerate(self.players):
            if colour in colours and player != self.mover and player not in self.out:
                return player
        return None

    def _due(self) -> int:
        return sum(len(ring) for ring in region(self.top, self.assam))

    def _pay(self) -> list[Event]:
        payer, owner, due = self.mover, self._creditor(), self._due()
        assert owner is not None
        paid = min(due, self.dirhams[payer])
        self.dirhams[payer] -= paid
        self.dirhams[owner] += paid
        events: list[Event] = [
            {"event": "paid", "payer": payer, "owner": owner, "due": due, "paid": paid}
        ]
        if paid == due or self.options["bankruptcy"] == "spare":
            self._prepare_rug()
            return events

        # The payer could not pay in full: he is out, and his turn ends.
        colours = self.players[payer]
        events.append(
            {
                "event": "went_out",
                "player": payer,
                "returned": {colour: self.left[colour] for colour in colours},
                "neutral": self._visible(payer),
            }
        )
        self.out.add(payer)
        for colour in colours:
            self.left[colour] = 0
        if self.piles is not None:
            self.piles[payer] = []
        if self._is_over():
            return [*events, self._end()]
        self._next_player()
        return events

    def _prepare_rug(self) -> None:
        """Set the colour in hand if it is known; otherwise the next phase is draw."""
        colours = [colour for colour in self.players[self.mover] if self.left[colour] > 0]
        if self.piles is not None:
            self.hand = self.piles[self.mover][0]
        elif len(colours) == 1:
            self.hand = colours[0]
        self.phase = "draw" if self.hand is None else "lay"

    def _take_rug(self) -> Rug:
        """Remove the rug in hand from the pile, to the market or to the box."""
        assert self.hand is not None
        colour = self.hand
        rug = (colour, self.start[colour] - self.left[colour] + 1)
        self.left[colour] -= 1
        if self.piles is not None:
            self.piles[self.mover].pop(0)
        self.hand = None
        return rug

    def _lay(self, squares: frozenset[Square]) -> list[Event]:
        rug = self._take_rug()
        covers = {square: self.top.get(square) for square in squares}
        for square in squares:
            self.top[square] = rug
        laid: Event = {"event": "laid", "player": self.mover, "rug": rug, "covers": covers}
        return [laid, *self._after_rug()]

    def _after_rug(self) -> list[Event]:
        if self._is_over():
            return [self._end()]
        if self.options["turn_order"] == "pivot-last":
            self.phase = "pivot"
        else:
            self._next_player()
        return []

    # Turns and the end

    def _first_phase(self) -> str:
        return "roll" if self.options["turn_order"] == "pivot-last" else "orient"

    def _has_rug(self, player: int) -> bool:
        return any(self.left[colour] > 0 for colour in self.players[player])

    def _next_player(self) -> None:
        """The next player clockwise who is not out and has a rug left."""
        seats = len(self.players)
        self.mover = (self.mover + 1) % seats
        while self.mover in self.out or not self._has_rug(self.mover):
            self.mover = (self.mover + 1) % seats
        self.phase = self._first_phase()

    def _is_over(self) -> bool:
        still_in = [player for player in range(len(self.players)) if player not in self.out]
        return len(still_in) == 1 or not any(self._has_rug(player) for player in still_in)

    def _end(self) -> Event:
        self.phase = "over"
        return {"event": "ended", "ranking": self.ranking()}

    def _visible(self, player: int) -> set[Square]:
        """The squares whose top rug is this player's."""
        return {s for s, (colour, _) in self.top.items() if colour in self.players[player]}

    def ranking(self) -> list[dict[str, object]]:
        """Rows by rank, then seat. Equals share a rank (1, 1, 3), and so do all who are out."""
        merits: list[tuple[int, ...]] = []  # greater is better
        for player in range(len(self.players)):
            dirhams, visible = self.dirhams[player], len(self._visible(player))
            tie_break = {"dirhams": dirhams, "visible-rugs": visible, "shared": 0}
            merit = (1, dirhams + visible, tie_break[self.options["tie_break"]])
            merits.append((0,) if player in self.out else merit)

        ranks = [1 + sum(other > merit for other in merits) for merit in merits]
        rows = sorted((rank, player) for player, rank in enumerate(ranks))
        return [self._row(rank, player) for rank, player in rows]

    def _row(self, rank: int, player: int) -> dict[str, object]:
        dirhams, visible = self.dirhams[player], len(self._visible(player))
        is_out = player in self.out
        return {
            "rank": rank,
            "player": player,
            "dirhams": dirhams,
            "visible": visible,
            "score": None if is_out else dirhams + visible,
            "out": is_out,
        }
