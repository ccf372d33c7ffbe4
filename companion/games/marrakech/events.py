"""Events: what an action caused. Scenes, messages and records are made from them."""

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
    """Assam walked. The path has one step for each pip, through edge loops too."""

    player: int
    path: tuple[Step, ...]


@dataclass(frozen=True, slots=True)
class Tribute:
    """Tribute is due. `region` has its squares in counting order, from Assam's square outward."""

    payer: int
    owner: int
    colour: Colour
    region: tuple[int, ...]

    @property
    def due(self) -> int:
        return len(self.region)


@dataclass(frozen=True, slots=True)
class Paid:
    """Tribute was paid. `paid` is less than `due` if the payer had too few dirhams."""

    payer: int
    owner: int
    due: int
    paid: int


@dataclass(frozen=True, slots=True)
class WentOut:
    """A player is out. His unlaid rugs go back into the box, his visible ones become neutral."""

    player: int
    returned: tuple[tuple[Colour, int], ...]
    neutral: tuple[int, ...]


@dataclass(frozen=True, slots=True)
class Drawn:
    """The next rug of a shuffled pile was drawn."""

    player: int
    colour: Colour


@dataclass(frozen=True, slots=True)
class Laid:
    """A rug was laid. `covers` are the rugs under its first and its second square."""

    player: int
    rug: Rug
    placement: Placement
    covers: tuple[Rug | None, Rug | None]


@dataclass(frozen=True, slots=True)
class Returned:
    """A rug went back into the box, because it could not be laid anywhere."""

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
    """The game is over. The ranking is sorted, best first."""

    ranking: tuple[Standing, ...]


Event = Oriented | Walked | Tribute | Paid | WentOut | Drawn | Laid | Returned | Pivoted | Ended
