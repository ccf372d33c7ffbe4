"""The audit: the companion's table is walked beside the cardboard, and corrected where it differs.

Assam, his facing, then each player's visible rugs and dirhams. OK agrees, a direction corrects,
BACK goes one step back, OK held leaves. Corrections are told like everything else: they are in the
journal as what they are, and BACK takes them back.
"""

from __future__ import annotations

from dataclasses import replace

from companion.errors import SettingError
from companion.games.marrakech import Colour, Facing
from companion.games.marrakech.market import SIZE, STRIDES
from companion.games.marrakech.setup import DIRHAMS_IN_BOX
from companion.i18n.message import message
from companion.table.conversation import Auditing, Chance, Conversation, InputResult, Playing, Stage
from companion.table.entries import CorrectAssam, CorrectDirhams, Correction, CorrectSquare
from companion.table.inputs import Input
from companion.table.play_stages import answer, refuse
from companion.table.text.restore import put_back_news

COINS = {Facing.NORTH: 1, Facing.SOUTH: -1, Facing.EAST: 5, Facing.WEST: -5}
"""What a direction adds to a purse: the coins of the box are worth 1 and 5."""


def _page(conversation: Conversation) -> Auditing:
    assert isinstance(conversation.page, Auditing)
    return conversation.page


def _turned(conversation: Conversation, page: Auditing) -> InputResult:
    return InputResult(replace(conversation, page=page))


# --- The walk -----------------------------------------------------------------------------


def begin(conversation: Conversation, told: Input, chance: Chance) -> InputResult:
    state = conversation.playing.state
    page = Auditing(Stage.AUDIT_ASSAM, state.assam, conversation.playing.now.facing)
    return _turned(replace(conversation, news=()), page)


def leave(conversation: Conversation, told: Input, chance: Chance) -> InputResult:
    news = (message("news.audit_left"), *put_back_news(conversation))
    return InputResult(replace(conversation, page=Playing(), news=news))


def next_step(conversation: Conversation, told: Input, chance: Chance) -> InputResult:
    """OK: what is shown is what lies there. If it was changed, that is a correction."""
    page = _page(conversation)
    found = _correction(conversation)
    if found is None:
        agreed = InputResult(replace(conversation, news=()))
    else:
        agreed = answer(conversation, found)
    return replace(agreed, conversation=_step(agreed.conversation, page, 1))


def step_before(conversation: Conversation, told: Input, chance: Chance) -> InputResult:
    page = _page(conversation)
    if page.stage is Stage.AUDIT_ASSAM:
        return leave(conversation, told, chance)
    return InputResult(_step(replace(conversation, news=()), page, -1))


def _correction(conversation: Conversation) -> Correction | None:
    page, game = _page(conversation), conversation.playing
    if page.stage is Stage.AUDIT_ASSAM and page.square != game.state.assam:
        return CorrectAssam(page.square, game.state.facing)
    if page.stage is Stage.AUDIT_FACING and page.facing is not game.now.facing:
        return CorrectAssam(game.state.assam, page.facing)
    if page.stage is Stage.AUDIT_DIRHAMS and page.dirhams != game.state.dirhams[page.player]:
        return CorrectDirhams(page.player, page.dirhams)
    return None


def _step(conversation: Conversation, page: Auditing, by: int) -> Conversation:
    """The next thing to look at, or the one before; after the last the game goes on."""
    state = conversation.playing.state
    seats = range(len(state.setup.players))
    walk = [(Stage.AUDIT_ASSAM, 0), (Stage.AUDIT_FACING, 0)]
    for seat in seats:
        walk.append((Stage.AUDIT_RUGS, seat))
        if seat not in state.out:
            walk.append((Stage.AUDIT_DIRHAMS, seat))
    at = walk.index((page.stage, page.player)) + by
    if at == len(walk):
        together = sum(state.dirhams)
        usual = state.setup.dirhams * len(seats)
        news = message("news.audit_done")
        if together != usual:
            news = message("news.audit_dirhams", count=together, usual=usual)
        news_now = (*conversation.news, news, *put_back_news(conversation))
        return replace(conversation, page=Playing(), news=news_now)
    stage, player = walk[at]
    following = Auditing(
        stage, state.assam, conversation.playing.now.facing, player, state.dirhams[player]
    )
    return replace(conversation, page=following)


# --- Assam and dirhams --------------------------------------------------------------------


def move_assam(conversation: Conversation, told: Input, chance: Chance) -> InputResult:
    return _move(conversation, told)


def turn_assam(conversation: Conversation, told: Input, chance: Chance) -> InputResult:
    assert told.facing is not None
    page = _page(conversation)
    if told.facing is page.facing:
        return refuse(conversation, message("no.faces_already", facing=told.facing))
    return _turned(conversation, replace(page, facing=told.facing))


def change_dirhams(conversation: Conversation, told: Input, chance: Chance) -> InputResult:
    assert told.facing is not None
    page = _page(conversation)
    dirhams = page.dirhams + COINS[told.facing]
    purses = conversation.playing.state.dirhams
    others = sum(purses) - purses[page.player]
    if dirhams < 0:
        return refuse(conversation, message("no.dirhams_below"))
    if dirhams + others > DIRHAMS_IN_BOX:
        return refuse(conversation, message("no.dirhams", box=DIRHAMS_IN_BOX, others=others))
    return _turned(conversation, replace(page, dirhams=dirhams))


def _move(conversation: Conversation, told: Input) -> InputResult:
    assert told.facing is not None
    page = _page(conversation)
    y, x = divmod(page.square, SIZE)
    across, down = STRIDES[told.facing]
    x, y = x + across, y + down
    if not (0 <= x < SIZE and 0 <= y < SIZE):
        return refuse(conversation, message("no.edge"))
    return _turned(conversation, replace(page, square=y * SIZE + x))


# --- Square by square ---------------------------------------------------------------------


def choose_square(conversation: Conversation, told: Input, chance: Chance) -> InputResult:
    """A direction says that the rugs differ: the cursor starts from Assam."""
    return _turned(conversation, replace(_page(conversation), stage=Stage.SQUARE))


def move_cursor(conversation: Conversation, told: Input, chance: Chance) -> InputResult:
    return _move(conversation, told)


def close_market(conversation: Conversation, told: Input, chance: Chance) -> InputResult:
    return _turned(conversation, replace(_page(conversation), stage=Stage.AUDIT_RUGS))


def open_square(conversation: Conversation, told: Input, chance: Chance) -> InputResult:
    page = _page(conversation)
    rug = conversation.playing.state.rug_on(page.square)
    top = page.top if page.stage is Stage.JOIN else rug.colour if rug else None
    return _turned(conversation, replace(page, stage=Stage.TOP, top=top))


def close_square(conversation: Conversation, told: Input, chance: Chance) -> InputResult:
    return _turned(conversation, replace(_page(conversation), stage=Stage.SQUARE))


def change_top(conversation: Conversation, told: Input, chance: Chance) -> InputResult:
    page = _page(conversation)
    played = conversation.playing.state.setup.players
    tops: list[Colour | None] = [None, *sorted(c for colours in played for c in colours)]
    by = 1 if told.facing in (Facing.NORTH, Facing.EAST) else -1
    return _turned(conversation, replace(page, top=tops[(tops.index(page.top) + by) % len(tops)]))


def accept_top(conversation: Conversation, told: Input, chance: Chance) -> InputResult:
    """Nothing lies there: that is all. A rug does: where is its other half?"""
    page = _page(conversation)
    if page.top is None:
        return _correct(conversation, CorrectSquare(page.square, None))
    return _turned(conversation, replace(page, stage=Stage.JOIN))


def join(conversation: Conversation, told: Input, chance: Chance) -> InputResult:
    """A direction: the other half lies visible on the square that way."""
    page = _page(conversation)
    moved = _move(conversation, told)
    if moved.refused:
        return moved
    return _correct(
        conversation, CorrectSquare(page.square, page.top, _page(moved.conversation).square)
    )


def stay_half(conversation: Conversation, told: Input, chance: Chance) -> InputResult:
    """OK: the other half is covered, or was never seen."""
    page = _page(conversation)
    return _correct(conversation, CorrectSquare(page.square, page.top))


def _correct(conversation: Conversation, told: CorrectSquare) -> InputResult:
    try:
        corrected = answer(conversation, told)
    except SettingError:  # more rugs than were laid
        assert told.colour is not None
        return refuse(conversation, message("no.rugs_left", colour=told.colour))
    page = replace(_page(conversation), stage=Stage.SQUARE)
    if corrected.conversation.playing.state == conversation.playing.state:
        return _turned(conversation, page)  # it lies there as it was known to
    return replace(corrected, conversation=replace(corrected.conversation, page=page))
