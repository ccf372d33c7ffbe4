"""Checks the expectations of a scenario against the LEDs, the texts and the files of a table."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from companion.adapters.virtual.spi import Light
from companion.control.table_language import TableLanguage
from companion.games.marrakech import position_text, square_name
from companion.i18n.message import Message
from companion.light.frame import frame_text
from companion.light.rgb import RGB
from companion.scenario.scenario_table import ScenarioTable, ScenarioTableError
from companion.scenario.statements import Expectation, ExpectFrames, ExpectHeard, ExpectLines
from companion.storage.archive import Archive
from companion.storage.games_folder import ARCHIVE_FOLDER, CURRENT_GAME_FILE
from companion.storage.journal_reader import read_journal
from companion.table.game import Game
from companion.table.scenes.scene import MATRIX
from companion.table.scenes.stage_scenes import PENDING
from companion.table.text.prompts import Prompts, prompts_of

Lines = tuple[str, ...]
_INKS = {rgb: ink for ink, rgb in RGB.items()}
_DARK = (0, 0, 0)


class ExpectationChecker:
    """Compares expectations with what a table shows."""

    def __init__(self, table: ScenarioTable) -> None:
        self._table = table
        self._layout = table.config.matrix.layout()
        self._language = TableLanguage(table.config.language)

    async def find_difference(self, expectation: Expectation) -> Lines | None:
        """What is shown instead, or None if the expectation is met."""
        match expectation:
            case ExpectFrames():
                return await self._find_frame_difference(expectation)
            case ExpectHeard(within_ms):
                return await self._find_heard_difference(within_ms)
            case ExpectLines():
                shown = _SUBJECTS[expectation.subject](self)
                return None if _is_met(expectation, shown) else shown or ("nothing",)

    # --- LEDs -------------------------------------------------------------------------

    async def _find_frame_difference(self, expectation: ExpectFrames) -> Lines | None:
        frames: list[tuple[str, ...]] = []
        for at_ms in expectation.at_ms:
            light = self._table.chip.light()
            if at_ms is not None:
                time = round(self._table.answered_at + at_ms / 1000, 9)
                await self._table.pass_time_until(time)
                light = self._table.chip.light_at(time)
            frames.append(self._frame_rows(light))
        if tuple(frames) == expectation.frames:
            return None
        return tuple(" ".join(row) for row in zip(*frames, strict=True))

    async def _find_heard_difference(self, within_ms: float) -> Lines | None:
        begin = self._table.pressed_at
        end = begin + within_ms / 1000
        await self._table.pass_time_until(end)
        lights = self._table.chip.lights_between(begin, end)
        colours = [self._layout.from_chip(light)[PENDING] for light in lights]
        return None if any(colour != _DARK for colour in colours) else ("not heard",)

    def _frame_rows(self, light: Light) -> tuple[str, ...]:
        """The matrix as a person sees it: `#` is lit on one colour, RGB has a letter for each."""
        light = self._layout.as_seen(light)
        if self._table.config.matrix.kind == "apa102":
            frame = tuple(None if led == _DARK else _INKS[led] for led in light)
            return tuple(frame_text(frame).split("\n"))
        lit = "".join("." if led == _DARK else "#" for led in light)
        return tuple(lit[start : start + MATRIX] for start in range(0, len(lit), MATRIX))

    # --- Texts, money and files -------------------------------------------------------

    def _prompts(self) -> Prompts:
        return prompts_of(self._table.view.conversation)

    def _render(self, messages: Sequence[Message]) -> Lines:
        renderer = self._language.renderer(self._table.view.conversation)
        return tuple(map(renderer.render, messages))

    def _refused(self) -> Lines:
        refused = self._table.view.refusal
        return () if refused is None else self._render([refused])

    def _trouble(self) -> Lines:
        return self._render(self._table.view.trouble)

    def _status(self) -> Lines:
        status = self._table.view.status
        marks = {
            "heard": status.is_pending,
            "unsaved": status.is_unsaved,
            "simulated": status.is_simulated,
        }
        return tuple(name for name, is_lit in marks.items() if is_lit)

    def _game(self) -> Game:
        game = self._table.view.conversation.game
        if game is None:
            raise ScenarioTableError("there is no game yet")
        return game

    def _dirhams(self) -> Lines:
        return (" ".join(map(str, self._game().state.dirhams)),)

    def _score(self) -> Lines:
        rows = sorted(self._game().state.ranking(), key=lambda row: row.player)
        return (" ".join("out" if row.score is None else str(row.score) for row in rows),)

    def _assam(self) -> Lines:
        now = self._game().now
        return (f"{square_name(now.state.assam)}{now.facing.letter}",)

    def _dark(self) -> Lines:
        return () if any(led != _DARK for led in self._table.chip.light()) else ("dark",)

    def _archive(self) -> Lines:
        return (str(len(Archive(self._table.folder / ARCHIVE_FOLDER).numbers())),)

    def _entries(self) -> Lines:
        return (str(len(read_journal(self._table.folder / CURRENT_GAME_FILE).entries)),)


_SUBJECTS: dict[str, Callable[[ExpectationChecker], Lines]] = {
    "stage": lambda checker: (checker._table.view.conversation.stage.name,),
    "title": lambda checker: checker._render([checker._prompts().title]),
    "todo": lambda checker: checker._render(checker._prompts().todo),
    "news": lambda checker: checker._render(checker._prompts().news),
    "refused": ExpectationChecker._refused,
    "trouble": ExpectationChecker._trouble,
    "status": ExpectationChecker._status,
    "dirhams": ExpectationChecker._dirhams,
    "score": ExpectationChecker._score,
    "assam": ExpectationChecker._assam,
    "position": lambda checker: (position_text(checker._game().state),),
    "dark": ExpectationChecker._dark,
    "archive": ExpectationChecker._archive,
    "entries": ExpectationChecker._entries,
}


def _is_met(expectation: ExpectLines, shown: Lines) -> bool:
    if expectation.all_lines is not None:
        return shown == expectation.all_lines
    if expectation.line is None:
        is_found = bool(shown)
    elif expectation.is_substring:
        is_found = any(expectation.line in line for line in shown)
    else:
        is_found = expectation.line in shown
    return is_found != expectation.is_negated
