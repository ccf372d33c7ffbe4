"""The snapshot of a table: its public state as JSON (types in messages.py).

The control socket sends it, and the page draws the market from it. Everything comes from elsewhere:
the game from the view, the marks from the scene that lights the LEDs, the text from the catalogue.
"""

from __future__ import annotations

from dataclasses import asdict
from typing import TYPE_CHECKING, TypedDict

from companion import __version__
from companion.control.messages import (
    FacingName,
    GameSnapshot,
    LightSnapshot,
    LinkName,
    MarkSnapshot,
    PadSnapshot,
    PlayerSnapshot,
    SetupSnapshot,
    Snapshot,
    Text,
    TopRug,
    TributeSnapshot,
)
from companion.games.marrakech import (
    Colour,
    Facing,
    Phase,
    Standing,
    State,
    position_text,
    square_name,
)
from companion.games.marrakech.market import SIZE, square_at
from companion.i18n.languages import ENGLISH
from companion.i18n.message import PlayerName, message
from companion.i18n.renderer import TextRenderer
from companion.i18n.wire_form import Renderer
from companion.light.frame import LedFrame, frame_text, render_frame
from companion.table.conversation import Conversation, SettingUp, Stage
from companion.table.entries import Act
from companion.table.game import Game, Moment
from companion.table.scenes.scene import Mark, Scene
from companion.table.scenes.stage_scenes import LinkState, scene_of, with_status
from companion.table.text.prompts import prompts_of

if TYPE_CHECKING:
    from companion.adapters.pad_health import PadHealth
    from companion.table.view import TableView

VERSION = 1
PagePlace = tuple[str, int]
"""The host and port that the phone page listens at."""
_FACINGS: dict[Facing, FacingName] = {
    Facing.NORTH: "north",
    Facing.EAST: "east",
    Facing.SOUTH: "south",
    Facing.WEST: "west",
}
_LINKS: dict[LinkState, LinkName] = {
    LinkState.NONE: "none",
    LinkState.UP: "up",
    LinkState.DOWN: "down",
}


def snapshot_of(
    view: TableView,
    *,
    light: LedFrame | None = None,
    pad: PadHealth | None = None,
    page: PagePlace | None = None,
    uptime_s: float = 0.0,
    sequence: int = 0,
    renderer: Renderer | None = None,
    language: str = ENGLISH,
) -> Snapshot:
    """The snapshot of a view, with text by `renderer`. `language` is the table's own language.

    `light` is the frame that the matrix shows. Without it, or while the matrix shows the pairing
    code, the first frame of the scene is used. `sequence` counts the changes since the start.
    """
    renderer = renderer or TextRenderer()
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
        **_prompts(conversation, renderer),
        "refused": None if view.refusal is None else renderer.render(view.refusal),
        "pairing": renderer.render(message("pair.shown")) if view.shows_code else None,
        "trouble": [renderer.render(one) for one in view.trouble],
        "status": {
            "link": _LINKS[status.link],
            "heard": status.is_pending,
            "unsaved": status.is_unsaved,
        },
        "setup": _setup(conversation, renderer),
        "game": None if conversation.game is None else game_snapshot(conversation, renderer),
        "light": _light(scene, light),
        "pad": None if pad is None else _pad(pad, renderer),
        "page": None if page is None else {"host": page[0], "port": page[1]},
    }


class _Prompts(TypedDict):
    title: Text
    todo: list[Text]
    news: list[Text]


def _prompts(conversation: Conversation, renderer: Renderer) -> _Prompts:
    """While the cardboard is restored, the steps of restoring it are the prompts."""
    title, todo, news = prompts_of(conversation)
    if conversation.stage is Stage.PUT_BACK:
        todo, news = (*news, *todo), ()
    return {
        "title": renderer.render(title),
        "todo": [renderer.render(one) for one in todo],
        "news": [renderer.render(one) for one in news],
    }


def _labels(colours: tuple[Colour, ...]) -> list[str]:
    return [colour.label for colour in colours]


# --- The game -----------------------------------------------------------------------------


def _setup(conversation: Conversation, renderer: Renderer) -> SetupSnapshot | None:
    setting_up = conversation.activity
    if not isinstance(setting_up, SettingUp):
        return None
    return {
        "players": setting_up.players,
        "booklet": setting_up.booklet,
        "turn_order": setting_up.options.turn_order,
        "loops": setting_up.options.loops,
        "options": dict(setting_up.options.items()),
        "facing": _FACINGS[setting_up.facing],
        "names": list(setting_up.names[: setting_up.players]),
        "seats": [
            {"called": renderer.render_value(PlayerName("", colours)), "colours": _labels(colours)}
            for colours in setting_up.seats
        ],
    }


def game_snapshot(conversation: Conversation, renderer: Renderer) -> GameSnapshot:
    """The game as it is now, or as it was at any of its moments."""
    game = conversation.active_game
    state, now = game.state, game.now
    return {
        "position": position_text(state),
        "turn": turn_of(game),
        "told": now.entry_count,
        "finished": state.is_over,
        "phase": state.phase.label,
        "booklet": game.beginning.booklet,
        "loops": state.setup.options.loops,
        "options": dict(state.setup.options.items()),
        "players": [
            _player(conversation, row, renderer)
            for row in sorted(state.ranking(), key=lambda row: row.player)
        ],
        "assam": {"square": square_name(state.assam), "facing": _FACINGS[now.facing]},
        "market": _market(state),
        "hand": None if state.hand is None else state.hand.label,
        "path": [square_name(step.square) for step in now.path],
        "tribute": _tribute(state),
    }


def turn_of(game: Game) -> int:
    """The number of the current turn, or of the last turn of a finished game."""
    done, moment = 0, game.now
    while moment.before is not None:
        done += ends_turn(moment)
        moment = moment.before
    return done + (not game.state.is_over)


def ends_turn(moment: Moment) -> bool:
    """Whether this entry ended a turn."""
    state = moment.state
    return isinstance(moment.entry, Act) and (state.is_turn_start or state.is_over)


def _player(conversation: Conversation, row: Standing, renderer: Renderer) -> PlayerSnapshot:
    """`rugs` counts the rugs left: one pile, or one for each colour of a two-player game."""
    state, who = conversation.active_game.state, conversation.player_name(row.player)
    colours = state.setup.players[row.player]
    return {
        "name": who.name,
        "called": renderer.render_value(who),
        "colours": _labels(colours),
        "to_play": row.player == state.mover and not state.is_over,
        "dirhams": row.dirhams,
        "visible": row.visible,
        "score": row.score,
        "rank": row.rank,
        "out": row.is_out,
        "rugs": {colour.label: state.left[colour] for colour in colours},
    }


def _market(state: State) -> list[list[TopRug | None]]:
    """Rows from north to south, squares from west to east: the top rug of each."""
    return [[_top(state, square_at(x, y)) for x in range(SIZE)] for y in range(SIZE)]


def _top(state: State, square: int) -> TopRug | None:
    rug = state.rug_on(square)
    return None if rug is None else {"rug": str(rug), "colour": rug.colour.label}


def _tribute(state: State) -> TributeSnapshot | None:
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


def _light(scene: Scene, light: LedFrame | None) -> LightSnapshot:
    shown = render_frame(scene, 0) if light is None else light
    return {
        "frame": frame_text(shown).split("\n"),
        "shots": [[_mark(mark) for mark in shot.marks] for shot in scene.shots],
        "rail": [_mark(mark) for mark in scene.rail],
    }


def _mark(mark: Mark) -> MarkSnapshot:
    """`inks` has one ink for all LEDs or characters, or one for each."""
    return {
        "meaning": mark.meaning.name.lower(),
        "leds": list(mark.leds),
        "inks": [ink.name.lower() for ink in mark.inks],
        "number": mark.number,
        "letters": mark.letters,
    }


def _pad(pad: PadHealth, renderer: Renderer) -> PadSnapshot:
    identity = pad.identity
    return {
        "state": pad.state.value,
        "port": pad.port,
        "firmware": None if identity is None else ".".join(map(str, identity.firmware)),
        "said": None if pad.message is None else renderer.render(pad.message),
        "frames": asdict(pad.link),
    }
