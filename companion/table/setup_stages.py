"""Set-up on the buttons alone: how many, which booklet, whose colours, where Assam faces.

What somebody wishes from a phone is put on the same pages, and the buttons go on from there.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from itertools import combinations

from companion.errors import SettingError, counted
from companion.games.marrakech import (
    BOOKLETS,
    COLOURS,
    Colour,
    Facing,
    Options,
    Setup,
    booklet_named,
    usual_players,
)
from companion.i18n.message import Book, message
from companion.table import game as games
from companion.table.conversation import (
    BeginGame,
    Chance,
    Conversation,
    InputResult,
    Playing,
    Preferences,
    SettingUp,
    Stage,
)
from companion.table.entries import Beginning
from companion.table.inputs import Input
from companion.table.play_stages import refuse, roll
from companion.table.player_names import name_given_twice

PAGES = (Stage.PLAYERS, Stage.BOOKLET, Stage.COLOURS, Stage.SETTING)
BOOKLET_CODES = tuple(BOOKLETS)
"""Booklet number 1 is the first of them, on the matrix as in words."""
_UPWARD = (Facing.NORTH, Facing.EAST)


def _page(conversation: Conversation) -> SettingUp:
    assert isinstance(conversation.page, SettingUp)
    return conversation.page


def _turned(conversation: Conversation, page: SettingUp) -> InputResult:
    return InputResult(replace(conversation, page=page, news=()))


def next_page(conversation: Conversation, told: Input, chance: Chance) -> InputResult:
    page = _page(conversation)
    following = PAGES[PAGES.index(page.stage) + 1]
    page = replace(page, stage=following)
    if following is Stage.COLOURS:
        page = replace(page, seats=_seats_to_choose_from(page), seat=0)
    return _turned(conversation, page)


def _seats_to_choose_from(page: SettingUp) -> tuple[tuple[Colour, ...], ...]:
    """Those that were wished for, if that many can still play with them, or the usual ones."""
    if page.seats and _is_playable(page.seats, page.options):
        return page.seats
    return usual_players(page.players, page.options)


def page_before(conversation: Conversation, told: Input, chance: Chance) -> InputResult:
    page = _page(conversation)
    if page.stage is Stage.COLOURS:  # how many have one, and of which box, may change now
        page = replace(page, seats=(), seat=0)
    return _turned(conversation, replace(page, stage=PAGES[PAGES.index(page.stage) - 1]))


def change_players(conversation: Conversation, told: Input, chance: Chance) -> InputResult:
    page = _page(conversation)
    players = page.players + (1 if told.facing in _UPWARD else -1)
    if not 2 <= players <= 4:
        return refuse(conversation, message("no.players"))
    return _turned(conversation, replace(page, players=players, seats=()))


def change_booklet(conversation: Conversation, told: Input, chance: Chance) -> InputResult:
    """East and west leaf through the booklets, north and south change the order of a turn."""
    page = _page(conversation)
    if told.facing in (Facing.NORTH, Facing.SOUTH):
        order = "classic" if page.options.turn_order == "pivot-last" else "pivot-last"
        return _turned(conversation, replace(page, options=page.options.but({"turn_order": order})))
    at = BOOKLET_CODES.index(page.booklet) + (1 if told.facing is Facing.EAST else -1)
    code = BOOKLET_CODES[at % len(BOOKLET_CODES)]
    options = options_of(conversation.customs, code).but({"turn_order": page.options.turn_order})
    return _turned(conversation, replace(page, booklet=code, options=options))


def options_of(customs: Preferences, booklet: str) -> Options:
    """A booklet's options, and over them whatever this table does otherwise."""
    return booklet_named(booklet).options.but(customs.options)


def change_colours(conversation: Conversation, told: Input, chance: Chance) -> InputResult:
    """East and west go from seat to seat; north and south give the seat other colours.

    Whoever had them gets what the seat had, so that every press leaves a table that can be played.
    """
    page = _page(conversation)
    if told.facing in (Facing.EAST, Facing.WEST):
        seat = page.seat + (1 if told.facing is Facing.EAST else -1)
        if not 0 <= seat < page.players:
            return refuse(conversation, message("no.seat"))
        return _turned(conversation, replace(page, seat=seat))
    step = 1 if told.facing is Facing.NORTH else -1
    choices = _choices(page)
    at = choices.index(page.seats[page.seat])
    seats = _seated(page, choices[(at + step) % len(choices)])
    return _turned(conversation, replace(page, seats=seats))


def _choices(page: SettingUp) -> list[tuple[Colour, ...]]:
    """What a seat can have: the colours, or pairs of them, that leave a table to play at."""
    each = len(page.seats[0])
    return [
        choice
        for choice in combinations(COLOURS, each)
        if _is_playable(_seated(page, choice), page.options)
    ]


def _is_playable(seats: tuple[tuple[Colour, ...], ...], options: Options) -> bool:
    try:
        Setup(seats, options)
    except SettingError:  # a box may have too few rugs of a colour
        return False
    return True


def _seated(page: SettingUp, choice: tuple[Colour, ...]) -> tuple[tuple[Colour, ...], ...]:
    """The seats with this choice at the one in question, its former colours where they lack."""
    had = page.seats[page.seat]
    wanted = [colour for colour in choice if colour not in had]
    spare = [colour for colour in had if colour not in choice]
    given = dict(zip(wanted, spare, strict=True))
    return tuple(
        choice if seat == page.seat else tuple(sorted(given.get(c, c) for c in colours))
        for seat, colours in enumerate(page.seats)
    )


def change_facing(conversation: Conversation, told: Input, chance: Chance) -> InputResult:
    assert told.facing is not None
    page = _page(conversation)
    if told.facing is page.facing:
        return refuse(conversation, message("no.faces_already", facing=told.facing))
    return _turned(conversation, replace(page, facing=told.facing))


def begin(conversation: Conversation, told: Input, chance: Chance) -> InputResult:
    page, customs = _page(conversation), conversation.customs
    setup = Setup(page.seats, page.options)
    names = (*page.names, *("",) * page.players)[: page.players]
    piles = chance.deal(setup) if customs.deals_piles else None
    beginning = Beginning(setup, page.booklet, names if any(names) else (), page.facing, piles)
    begun = replace(
        conversation,
        page=Playing(),
        game=games.begin(beginning),
        news=(message("news.begun", booklet=Book(page.booklet)),),
    )
    return InputResult(begun, (BeginGame(beginning),))


def begin_and_roll(conversation: Conversation, told: Input, chance: Chance) -> InputResult:
    """The die is in: nobody wants to turn Assam first."""
    begun = begin(conversation, told, chance)
    rolled = roll(begun.conversation, told, chance)
    return InputResult(rolled.conversation, begun.notes + rolled.notes)


# --- From a phone -------------------------------------------------------------------------


@dataclass(frozen=True)
class Wishes:
    """What somebody who is not at the buttons would like; None, or nothing, is as it is.

    Each has been checked by itself, and not yet whether they go together.
    """

    players: int | None = None
    names: tuple[str, ...] | None = None
    colours: tuple[tuple[Colour, ...], ...] | None = None
    booklet: str | None = None
    options: Mapping[str, str] = field(default_factory=dict)


def agree(conversation: Conversation, wishes: Wishes) -> InputResult:
    """Put wishes on the page, as if they were chosen there; its stage stays.

    Wishes that no game can be played with are a `SettingError`, and then nothing changes. Two of
    the same name are refused in words, since a form can ask for that.
    """
    page = conversation.page
    if not isinstance(page, SettingUp):
        return refuse(conversation, message("no.setup_is_over"))
    page = _with_options(page, conversation.customs, wishes)
    page = _with_players(page, wishes)
    if wishes.names is not None:
        if len(wishes.names) > page.players:
            raise SettingError(f"{counted(len(wishes.names), 'name')} for {page.players} players")
        if name := name_given_twice(wishes.names):
            return refuse(conversation, message("no.same_names", name=name))
        page = replace(page, names=wishes.names)
    return InputResult(replace(conversation, page=page, news=(message("news.agreed"),)))


def _with_options(page: SettingUp, customs: Preferences, wishes: Wishes) -> SettingUp:
    """Another booklet brings its options; the order of a turn stays, as when one leafs to it."""
    if wishes.booklet is not None and wishes.booklet != page.booklet:
        options = options_of(customs, wishes.booklet)
        options = options.but({"turn_order": page.options.turn_order})
        page = replace(page, booklet=wishes.booklet, options=options)
    return replace(page, options=page.options.but(wishes.options))


def _with_players(page: SettingUp, wishes: Wishes) -> SettingUp:
    """Colours say how many play, if nothing else does. Without any, seats keep what they have."""
    colours = wishes.colours
    players = wishes.players or (page.players if colours is None else len(colours))
    if colours is not None:
        if len(colours) != players:
            raise SettingError(f"colours for {counted(len(colours), 'seat')}, not for {players}")
        seats = tuple(tuple(sorted(each)) for each in colours)
    elif len(page.seats) == players and _is_playable(page.seats, page.options):
        seats = page.seats
    else:
        is_asked = page.stage in (Stage.COLOURS, Stage.SETTING)
        seats = usual_players(players, page.options) if is_asked else ()
    Setup(seats or usual_players(players, page.options), page.options)  # refused if impossible
    return replace(page, players=players, seats=seats, seat=min(page.seat, players - 1))
