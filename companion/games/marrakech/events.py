"""What happened, as data: the light and the phone are drawn from exactly this."""

from __future__ import annotations

from dataclasses import dataclass

from companion.games.marrakech.market import Facing, Placement, Step
from companion.games.marrakech.rug import Colour, Rug


@dataclass(frozen=True, slots=True)
class Oriented:
    """Assam was turned (or left) before the roll."""

    player: int
    facing: Facing


@dataclass(frozen=True, slots=True)
class Walked:
    """Assam walked; one entry of the path for each pip, through edge loops too."""

    player: int
    path: tuple[Step, ...]


@dataclass(frozen=True, slots=True)
class Tribute:
    """A debt: `region` are its squares in counting order, Assam's first, growing outward."""

    payer: int
    owner: int
    colour: Colour
    region: tuple[int, ...]

    @property
    def due(self) -> int:
        return len(self.region)


@dataclass(frozen=True, slots=True)
class Paid:
    """Dirhams changed hands: `paid` is less than `due` when the purse was too small."""

    payer: int
    owner: int
    due: int
    paid: int


@dataclass(frozen=True, slots=True)
class WentOut:
    """A player is out: his unlaid rugs are back in the box, his visible ones are neutral."""

    player: int
    returned: tuple[tuple[Colour, int], ...]
    neutral: tuple[int, ...]


@dataclass(frozen=True, slots=True)
class Drawn:
    """The next rug of a shuffled pile turned out to have this colour."""

    player: int
    colour: Colour


@dataclass(frozen=True, slots=True)
class Laid:
    """A rug lies on the market; `covers` says what is under its first and its second square."""

    player: int
    rug: Rug
    placement: Placement
    covers: tuple[Rug | None, Rug | None]


@dataclass(frozen=True, slots=True)
class Returned:
    """A rug went back into the box, because it could lie nowhere."""

    player: int
    rug: Rug


@dataclass(frozen=True, slots=True)
class Pivoted:
    """Assam was turned at the end of the turn."""

    player: int
    facing: Facing


@dataclass(frozen=True, slots=True)
class Standing:
    """One row of the final count. A player who is out has no score."""

    rank: int
    player: int
    dirhams: int
    visible: int
    is_out: bool

    @property
    def score(self) -> int | None:
        return None if self.is_out else self.dirhams + self.visible


@dataclass(frozen=True, slots=True)
class Ended:
    """The game is over; the ranking, best first."""

    ranking: tuple[Standing, ...]


Event = Oriented | Walked | Tribute | Paid | WentOut | Drawn | Laid | Returned | Pivoted | Ended
