"""The JSON that crosses the control socket, as types: requests, responses and snapshots.

These are the only definitions. `docs/schema/control.json` is a JSON Schema made from them, and
tests check that what is sent and accepted fits. Text is a sentence of the wanted language, or a
`WireMessage` for clients that asked for `"words": "plain"`.
"""

from __future__ import annotations

from typing import Any, Literal, NotRequired, TypedDict

RequestName = Literal[
    "status", "watch", "version", "press", "show_code", "pair", "choices", "setup"
]

WireMessage = TypedDict("WireMessage", {"say": str, "with": dict[str, Any]})
"""A message as its key and its values (companion/i18n/wire_form.py)."""

Text = str | dict[str, Any]
"""A sentence, or a `WireMessage` or a wire value."""

FacingName = Literal["north", "east", "south", "west"]
LinkName = Literal["none", "up", "down"]


class StatusSnapshot(TypedDict):
    link: LinkName
    heard: bool
    unsaved: bool


class SeatSnapshot(TypedDict):
    called: Text
    colours: list[str]


class SetupSnapshot(TypedDict):
    """The game that is being set up. Seats have colours once these have been chosen."""

    players: int
    booklet: str
    turn_order: str
    loops: str
    options: dict[str, str]
    facing: FacingName
    names: list[str]
    seats: list[SeatSnapshot]


class PlayerSnapshot(TypedDict):
    name: str
    called: Text
    colours: list[str]
    to_play: bool
    dirhams: int
    visible: int
    score: int | None
    rank: int
    out: bool
    rugs: dict[str, int]


class AssamSnapshot(TypedDict):
    square: str
    facing: FacingName


class TopRug(TypedDict):
    rug: str
    colour: str


class TributeSnapshot(TypedDict):
    """Seats are numbered from 0; the region is in counting order."""

    payer: int
    owner: int
    colour: str
    dirhams: int
    region: list[str]


class GameSnapshot(TypedDict):
    position: str
    turn: int
    told: int
    finished: bool
    phase: str
    booklet: str
    loops: str
    options: dict[str, str]
    players: list[PlayerSnapshot]
    assam: AssamSnapshot
    market: list[list[TopRug | None]]
    hand: str | None
    path: list[str]
    tribute: TributeSnapshot | None


class MarkSnapshot(TypedDict):
    meaning: str
    leds: list[int]
    inks: list[str]
    number: int | None
    letters: str


class LightSnapshot(TypedDict):
    """The frame in letters of ink, and the scene: LEDs are numbered, eight to a row."""

    frame: list[str]
    shots: list[list[MarkSnapshot]]
    rail: list[MarkSnapshot]


class PadSnapshot(TypedDict):
    state: str
    port: str | None
    firmware: str | None
    said: Text | None
    frames: dict[str, int]


class PageSnapshot(TypedDict):
    host: str
    port: int


class Snapshot(TypedDict):
    """The table's public state.

    `version` changes when a key is renamed, removed or changes its meaning. New keys may come at
    any time: ignore those that you do not know.
    """

    version: int
    companion: str
    simulated: bool
    uptime_s: float
    sequence: int
    language: str
    stage: str
    title: Text
    todo: list[Text]
    news: list[Text]
    refused: Text | None
    pairing: Text | None
    trouble: list[Text]
    status: StatusSnapshot
    setup: SetupSnapshot | None
    game: GameSnapshot | None
    light: LightSnapshot
    pad: PadSnapshot | None
    page: PageSnapshot | None


class Response(TypedDict):
    """The answer to a request. Which keys it has depends on the request: see server.py."""

    ok: bool
    error: NotRequired[Text]
    refused: NotRequired[bool]
    reason: NotRequired[str]
    saved: NotRequired[bool]
    table: NotRequired[Snapshot]
    choices: NotRequired[dict[str, Any]]
    code: NotRequired[str]
    valid_s: NotRequired[int]
    version: NotRequired[int]
    companion: NotRequired[str]


class Request(TypedDict):
    """A request. Which keys it may have depends on `do`: see protocol.py."""

    do: RequestName
    words: NotRequired[str | None]
    """A language code, or "plain" for messages that the client renders."""
    button: NotRequired[Literal["north", "east", "south", "west", "ok", "back"]]
    hold: NotRequired[bool]
    die: NotRequired[int]
    roll: NotRequired[Literal[True]]
    code: NotRequired[str]
    players: NotRequired[int | None]
    names: NotRequired[list[str] | None]
    booklet: NotRequired[str | None]
    options: NotRequired[dict[str, str] | None]
    colours: NotRequired[list[str | list[str]] | None]
