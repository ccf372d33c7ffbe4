"""The account of a table: all that a person may be shown of it, in plain values fit for JSON.

The control socket tells it, and a page can draw the market from it. Squares and places are those of
the view, marks are those of the scene that lights the LEDs, words are those of the catalogue: an
account has no opinion of its own.

`version` is that of the form. It grows when a key is renamed, removed or means something else; a
new key is no new version, so leave alone what you do not know.
"""

from __future__ import annotations

from dataclasses import asdict
from typing import TYPE_CHECKING, Any

from companion import __version__
from companion.games.marrakech import Colour, Phase, Standing, State, position_text, square_name
from companion.games.marrakech.market import SIZE, square_at
from companion.i18n.languages import ENGLISH
from companion.i18n.message import Who, message
from companion.i18n.renderer import TextRenderer
from companion.i18n.wire_form import Renderer
from companion.light.frame import Picture, picture, picture_text
from companion.table.conversation import Conversation, SettingUp, Stage
from companion.table.entries import Act
from companion.table.game import Game, Moment
from companion.table.scenes.scene import Mark, Scene
from companion.table.scenes.stage_scenes import scene_of, with_status
from companion.table.text.prompts import words_of

if TYPE_CHECKING:
    from companion.adapters.pad_health import PadHealth
    from companion.daemon.controller import TableView

VERSION = 1
Snapshot = dict[str, Any]
PagePlace = tuple[str, int]
"""The address that the page for phones listens at, and its port."""


def snapshot_of(
    view: TableView,
    *,
    light: Picture | None = None,
    pad: PadHealth | None = None,
    page: PagePlace | None = None,
    uptime_s: float = 0.0,
    sequence: int = 0,
    speech: Renderer | None = None,
    language: str = ENGLISH,
) -> Snapshot:
    """What is so now, said by `speech`; `language` is what the table speaks where nobody wishes
    for another.

    `light` is what the matrix was handed last; where nobody knows, or it is the code for phones,
    the scene's beginning is told.
    `sequence` counts the changes since the companion was started.
    """
    speech = speech or TextRenderer()
    conversation, status = view.conversation, view.status
    scene = with_status(scene_of(conversation), status)
    return {
        "version": VERSION,
        "companion": __version__,
        "simulated": status.is_simulated,
        "uptime_s": round(uptime_s, 1),
        "sequence": sequence,
        "language": language,
        "stage": conversation.stage.name.lower(),
        **_words(conversation, speech),
        "refused": None if view.refused is None else speech.say(view.refused),
        "pairing": speech.say(message("pair.shown")) if view.shows_code else None,
        "trouble": [speech.say(told) for told in view.trouble],
        "status": {
            "link": status.link.name.lower(),
            "heard": status.is_heard,
            "unsaved": status.is_unsaved,
        },
        "setup": _setup(conversation, speech),
        "game": None if conversation.game is None else game_snapshot(conversation, speech),
        "light": _light(scene, light),
        "pad": None if pad is None else _pad(pad, speech),
        "page": None if page is None else {"host": page[0], "port": page[1]},
    }


def _words(conversation: Conversation, speech: Renderer) -> dict[str, Any]:
    """While the cardboard is put back, what was taken back is what to do."""
    title, todo, news = words_of(conversation)
    if conversation.stage is Stage.PUT_BACK:
        todo, news = (*news, *todo), ()
    return {
        "title": speech.say(title),
        "todo": [speech.say(one) for one in todo],
        "news": [speech.say(one) for one in news],
    }


def _labels(colours: tuple[Colour, ...]) -> list[str]:
    return [colour.label for colour in colours]


# --- The game -----------------------------------------------------------------------------


def _setup(conversation: Conversation, speech: Renderer) -> dict[str, Any] | None:
    """What is agreed on so far, before a game begins. Seats have colours once these are asked."""
    page = conversation.page
    if not isinstance(page, SettingUp):
        return None
    return {
        "players": page.players,
        "booklet": page.booklet,
        "turn_order": page.options.turn_order,
        "loops": page.options.loops,
        "options": dict(page.options.items()),
        "facing": page.facing.name.lower(),
        "names": list(page.names[: page.players]),
        "seats": [
            {"called": speech.word(Who("", colours)), "colours": _labels(colours)}
            for colours in page.seats
        ],
    }


def game_snapshot(conversation: Conversation, speech: Renderer) -> dict[str, Any]:
    """The game that is played there: as it is now, or as it was at any of its moments."""
    game = conversation.playing
    state, now = game.state, game.now
    return {
        "position": position_text(state),
        "turn": turn_of(game),
        "told": now.number,
        "finished": state.is_over,
        "phase": state.phase.label,
        "booklet": game.beginning.booklet,
        "loops": state.setup.options.loops,
        "options": dict(state.setup.options.items()),
        "players": [
            _player(conversation, row, speech)
            for row in sorted(state.ranking(), key=lambda row: row.player)
        ],
        "assam": {"square": square_name(state.assam), "facing": now.facing.name.lower()},
        "market": _market(state),
        "hand": None if state.hand is None else state.hand.label,
        "path": [square_name(step.square) for step in now.path],
        "tribute": _tribute(state),
    }


def turn_of(game: Game) -> int:
    """The number of the turn that is being played; of a game that is over, of its last."""
    done, moment = 0, game.now
    while moment.before is not None:
        done += ends_turn(moment)
        moment = moment.before
    return done + (not game.state.is_over)


def ends_turn(moment: Moment) -> bool:
    """Whether what was told was the last thing of a turn."""
    state = moment.state
    return isinstance(moment.told, Act) and (state.begins_turn or state.is_over)


def _player(conversation: Conversation, row: Standing, speech: Renderer) -> dict[str, Any]:
    """`rugs` are the piles: one, or one of each colour where two play."""
    state, who = conversation.playing.state, conversation.who(row.player)
    colours = state.setup.players[row.player]
    return {
        "name": who.name,
        "called": speech.word(who),
        "colours": _labels(colours),
        "to_play": row.player == state.mover and not state.is_over,
        "dirhams": row.dirhams,
        "visible": row.visible,
        "score": row.score,
        "rank": row.rank,
        "out": row.is_out,
        "rugs": {colour.label: state.left[colour] for colour in colours},
    }


def _market(state: State) -> list[list[dict[str, str] | None]]:
    """Rows from the north, squares from the west: the rug on top of each, or none."""
    return [[_top(state, square_at(x, y)) for x in range(SIZE)] for y in range(SIZE)]


def _top(state: State, square: int) -> dict[str, str] | None:
    rug = state.rug_on(square)
    return None if rug is None else {"rug": str(rug), "colour": rug.colour.label}


def _tribute(state: State) -> dict[str, Any] | None:
    """What is to be paid now: seats by number from 0, and the region in counting order."""
    found = state.tribute_at(state.assam) if state.phase is Phase.PAY else None
    if found is None:
        return None
    return {
        "payer": found.payer,
        "owner": found.owner,
        "colour": found.colour.label,
        "dirhams": found.due,
        "region": [square_name(square) for square in found.region],
    }


# --- The companion ------------------------------------------------------------------------


def _light(scene: Scene, light: Picture | None) -> dict[str, Any]:
    """The frame in letters of ink, and the scene it is of: LEDs by number, eight to a row."""
    shown = picture(scene, 0) if light is None else light
    return {
        "frame": picture_text(shown).split("\n"),
        "shots": [[_mark(mark) for mark in shot.marks] for shot in scene.shots],
        "rail": [_mark(mark) for mark in scene.rail],
    }


def _mark(mark: Mark) -> dict[str, Any]:
    """Inks are one for all LEDs or signs, or one for each. Digits and letters find their LEDs."""
    return {
        "meaning": mark.meaning.name.lower(),
        "leds": list(mark.leds),
        "inks": [ink.name.lower() for ink in mark.inks],
        "number": mark.number,
        "letters": mark.letters,
    }


def _pad(pad: PadHealth, speech: Renderer) -> dict[str, Any]:
    identity = pad.identity
    return {
        "state": pad.state.value,
        "port": pad.port,
        "firmware": None if identity is None else ".".join(map(str, identity.firmware)),
        "said": None if pad.said is None else speech.say(pad.said),
        "frames": asdict(pad.link),
    }
