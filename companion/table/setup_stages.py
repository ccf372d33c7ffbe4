"""Handlers of the set-up: players, booklet, colours, and where Assam faces.

Values from a phone (`SetupWishes`) change the same set-up; the buttons continue from there.
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
from companion.i18n.message import BookletName, message
from companion.table import game as games
from companion.table.conversation import (
    BeginGame,
    Conversation,
    InputResult,
    Playing,
    Preferences,
    RandomSource,
    SettingUp,
    Stage,
)
from companion.table.entries import Beginning
from companion.table.inputs import Input
from companion.table.play_stages import refuse, roll
from companion.table.player_names import duplicate_name

SETUP_STAGES = (Stage.PLAYERS, Stage.BOOKLET, Stage.COLOURS, Stage.SETTING)
BOOKLET_CODES = tuple(BOOKLETS)
"""Booklets in the order of their numbers, which begin at 1."""
_UPWARD = (Facing.NORTH, Facing.EAST)

Seats = tuple[tuple[Colour, ...], ...]


def _activity(conversation: Conversation) -> SettingUp:
    assert isinstance(conversation.activity, SettingUp)
    return conversation.activity


def _with_activity(conversation: Conversation, activity: SettingUp) -> InputResult:
    return InputResult(replace(conversation, activity=activity, news=()))


def next_stage(
    conversation: Conversation, table_input: Input, random_source: RandomSource
) -> InputResult:
    activity = _activity(conversation)
    stage = SETUP_STAGES[SETUP_STAGES.index(activity.stage) + 1]
    activity = replace(activity, stage=stage)
    if stage is Stage.COLOURS:
        activity = replace(activity, seats=_initial_seats(activity), seat=0)
    return _with_activity(conversation, activity)


def _initial_seats(activity: SettingUp) -> Seats:
    """The colours that were chosen before if they are still playable, else the usual ones."""
    if activity.seats and _is_playable(activity.seats, activity.options):
        return activity.seats
    return usual_players(activity.players, activity.options)


def previous_stage(
    conversation: Conversation, table_input: Input, random_source: RandomSource
) -> InputResult:
    activity = _activity(conversation)
    if activity.stage is Stage.COLOURS:  # the number of players and the box may change now
        activity = replace(activity, seats=(), seat=0)
    stage = SETUP_STAGES[SETUP_STAGES.index(activity.stage) - 1]
    return _with_activity(conversation, replace(activity, stage=stage))


# --- Players and booklet ------------------------------------------------------------------


def change_players(
    conversation: Conversation, table_input: Input, random_source: RandomSource
) -> InputResult:
    activity = _activity(conversation)
    players = activity.players + (1 if table_input.facing in _UPWARD else -1)
    if not 2 <= players <= 4:
        return refuse(conversation, message("no.players"))
    return _with_activity(conversation, replace(activity, players=players, seats=()))


def change_booklet(
    conversation: Conversation, table_input: Input, random_source: RandomSource
) -> InputResult:
    """East and west change the booklet, north and south the order of a turn."""
    activity = _activity(conversation)
    if table_input.facing in (Facing.NORTH, Facing.SOUTH):
        order = "classic" if activity.options.turn_order == "pivot-last" else "pivot-last"
        options = activity.options.with_changes({"turn_order": order})
        return _with_activity(conversation, replace(activity, options=options))
    step = 1 if table_input.facing is Facing.EAST else -1
    index = BOOKLET_CODES.index(activity.booklet) + step
    code = BOOKLET_CODES[index % len(BOOKLET_CODES)]
    return _with_activity(conversation, _with_booklet(activity, conversation.preferences, code))


def _with_booklet(activity: SettingUp, preferences: Preferences, code: str) -> SettingUp:
    """Another booklet and its options. The order of a turn stays."""
    options = booklet_options(preferences, code)
    options = options.with_changes({"turn_order": activity.options.turn_order})
    return replace(activity, booklet=code, options=options)


def booklet_options(preferences: Preferences, booklet: str) -> Options:
    """A booklet's options, overridden by the preferences."""
    return booklet_named(booklet).options.with_changes(preferences.options)


# --- Colours ------------------------------------------------------------------------------


def change_colours(
    conversation: Conversation, table_input: Input, random_source: RandomSource
) -> InputResult:
    """East and west select a seat; north and south change its colours.

    Seats swap colours, so that the set-up stays playable after every press.
    """
    activity = _activity(conversation)
    if table_input.facing in (Facing.EAST, Facing.WEST):
        seat = activity.seat + (1 if table_input.facing is Facing.EAST else -1)
        if not 0 <= seat < activity.players:
            return refuse(conversation, message("no.seat"))
        return _with_activity(conversation, replace(activity, seat=seat))
    step = 1 if table_input.facing is Facing.NORTH else -1
    choices = _possible_colours(activity)
    index = choices.index(activity.seats[activity.seat])
    seats = _swap_colours(activity, choices[(index + step) % len(choices)])
    return _with_activity(conversation, replace(activity, seats=seats))


def _possible_colours(activity: SettingUp) -> list[tuple[Colour, ...]]:
    """The colours, or pairs of colours, that the selected seat can take."""
    colours_each = len(activity.seats[0])
    return [
        choice
        for choice in combinations(COLOURS, colours_each)
        if _is_playable(_swap_colours(activity, choice), activity.options)
    ]


def _is_playable(seats: Seats, options: Options) -> bool:
    try:
        Setup(seats, options)
    except SettingError:  # the box may have too few rugs of a colour
        return False
    return True


def _swap_colours(activity: SettingUp, choice: tuple[Colour, ...]) -> Seats:
    """The seats after the selected one has taken `choice` and given its colours in exchange."""
    old = activity.seats[activity.seat]
    taken = [colour for colour in choice if colour not in old]
    given = [colour for colour in old if colour not in choice]
    exchange = dict(zip(taken, given, strict=True))
    return tuple(
        choice if seat == activity.seat else tuple(sorted(exchange.get(c, c) for c in colours))
        for seat, colours in enumerate(activity.seats)
    )


# --- Facing and start ---------------------------------------------------------------------


def change_facing(
    conversation: Conversation, table_input: Input, random_source: RandomSource
) -> InputResult:
    assert table_input.facing is not None
    activity = _activity(conversation)
    if table_input.facing is activity.facing:
        return refuse(conversation, message("no.faces_already", facing=table_input.facing))
    return _with_activity(conversation, replace(activity, facing=table_input.facing))


def start_game(
    conversation: Conversation, table_input: Input, random_source: RandomSource
) -> InputResult:
    activity = _activity(conversation)
    setup = Setup(activity.seats, activity.options)
    names = (*activity.names, *("",) * activity.players)[: activity.players]
    beginning = Beginning(
        setup,
        activity.booklet,
        names if any(names) else (),
        activity.facing,
        random_source.deal(setup) if conversation.preferences.deals_piles else None,
    )
    started = replace(
        conversation,
        activity=Playing(),
        game=games.start_game(beginning),
        news=(message("news.begun", booklet=BookletName(activity.booklet)),),
    )
    return InputResult(started, (BeginGame(beginning),))


def start_and_roll(
    conversation: Conversation, table_input: Input, random_source: RandomSource
) -> InputResult:
    """A roll starts the game. Assam keeps his facing."""
    started = start_game(conversation, table_input, random_source)
    rolled = roll(started.conversation, table_input, random_source)
    return InputResult(rolled.conversation, started.commands + rolled.commands)


# --- From a phone -------------------------------------------------------------------------


@dataclass(frozen=True)
class SetupWishes:
    """Set-up values from a phone. None, or no options, leaves a value as it is.

    Each value is valid by itself; `apply_wishes` checks the combination.
    """

    players: int | None = None
    names: tuple[str, ...] | None = None
    colours: Seats | None = None
    booklet: str | None = None
    options: Mapping[str, str] = field(default_factory=dict)


def apply_wishes(conversation: Conversation, wishes: SetupWishes) -> InputResult:
    """Apply wishes as if they were chosen with the buttons. The stage stays.

    Raises `SettingError` if no game can be played that way. Duplicate names are refused with a
    message, because a form can produce them.
    """
    activity = conversation.activity
    if not isinstance(activity, SettingUp):
        return refuse(conversation, message("no.setup_is_over"))
    if wishes.booklet is not None and wishes.booklet != activity.booklet:
        activity = _with_booklet(activity, conversation.preferences, wishes.booklet)
    activity = replace(activity, options=activity.options.with_changes(wishes.options))
    activity = _with_players(activity, wishes)
    if wishes.names is not None:
        if len(wishes.names) > activity.players:
            names = counted(len(wishes.names), "name")
            raise SettingError(f"{names} for {activity.players} players")
        if name := duplicate_name(wishes.names):
            return refuse(conversation, message("no.same_names", name=name))
        activity = replace(activity, names=wishes.names)
    return InputResult(replace(conversation, activity=activity, news=(message("news.agreed"),)))


def _with_players(activity: SettingUp, wishes: SetupWishes) -> SettingUp:
    """Without a number of players the colours decide it. Without colours the seats keep theirs."""
    colours, options = wishes.colours, activity.options
    players = wishes.players or (activity.players if colours is None else len(colours))
    if colours is not None:
        if len(colours) != players:
            raise SettingError(f"colours for {counted(len(colours), 'seat')}, not for {players}")
        seats = tuple(tuple(sorted(each)) for each in colours)
    elif len(activity.seats) == players and _is_playable(activity.seats, options):
        seats = activity.seats
    else:
        has_colours = activity.stage in (Stage.COLOURS, Stage.SETTING)
        seats = usual_players(players, options) if has_colours else ()
    Setup(seats or usual_players(players, options), options)  # raises if it is not playable
    return replace(activity, players=players, seats=seats, seat=min(activity.seat, players - 1))
