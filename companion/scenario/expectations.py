"""What can be seen and read at a table, in the words of a scenario."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from companion.adapters.virtual.spi import Light
from companion.control.table_language import TableLanguage
from companion.games.marrakech import position_text, square_name
from companion.i18n.message import Message
from companion.light.frame import picture_text
from companion.light.rgb import RGB
from companion.scenario.runner import ScenarioTable, ScenarioTableError
from companion.scenario.statements import Expect, Expectation, ExpectFrames, ExpectHeard
from companion.storage.archive import Archive
from companion.storage.game_store import CURRENT
from companion.storage.journal_reader import read_journal
from companion.table.game import Game
from companion.table.scenes.scene import MATRIX
from companion.table.scenes.stage_scenes import HEARD
from companion.table.text.prompts import Words, words_of

Lines = tuple[str, ...]
_INKS = {rgb: ink for ink, rgb in RGB.items()}
_DARK = (0, 0, 0)


class Expectations:
    """Sees the light that the chip gives, reads what is said, and looks into the folder."""

    def __init__(self, rehearsal: ScenarioTable) -> None:
        self._at = rehearsal
        self._layout = rehearsal.config.matrix.layout()
        self._tongue = TableLanguage(rehearsal.config.language)

    async def misses(self, wanted: Expectation) -> Lines | None:
        """What is shown instead of what is expected; None if it is as expected."""
        match wanted:
            case ExpectFrames():
                return await self._misses_frames(wanted)
            case ExpectHeard(within_ms):
                return await self._misses_heard(within_ms)
            case Expect():
                shown = self._shown(wanted.subject)
                return None if _holds(wanted, shown) else shown or ("nothing",)

    # --- Light ------------------------------------------------------------------------

    async def _misses_frames(self, wanted: ExpectFrames) -> Lines | None:
        frames: list[tuple[str, ...]] = []
        for at_ms in wanted.at_ms:
            light = self._at.film.light()
            if at_ms is not None:
                time = round(self._at.answered_at + at_ms / 1000, 9)
                await self._at.pass_time_until(time)
                light = self._at.film.light_at(time)
            frames.append(self._rows(light))
        if tuple(frames) == wanted.frames:
            return None
        return tuple(" ".join(row) for row in zip(*frames, strict=True))

    async def _misses_heard(self, within_ms: float) -> Lines | None:
        begin = self._at.touched_at
        end = begin + within_ms / 1000
        await self._at.pass_time_until(end)
        lights = self._at.film.lights_between(begin, end)
        heard = [self._layout.read(light)[HEARD] for light in lights]
        return None if any(led != _DARK for led in heard) else ("not heard",)

    def _rows(self, light: Light) -> tuple[str, ...]:
        """As a person sees it: `#` is lit on a matrix of one colour, RGB has a letter for each."""
        light = self._layout.see(light)
        if self._at.config.matrix.kind == "apa102":
            shown = tuple(None if led == _DARK else _INKS[led] for led in light)
            return tuple(picture_text(shown).split("\n"))
        lit = "".join("." if led == _DARK else "#" for led in light)
        return tuple(lit[start : start + MATRIX] for start in range(0, len(lit), MATRIX))

    # --- Words, money and files -------------------------------------------------------

    def _shown(self, subject: str) -> Lines:
        return _SUBJECTS[subject](self)

    def _words(self) -> Words:
        return words_of(self._at.view.conversation)

    def _say(self, said: Sequence[Message]) -> Lines:
        speech = self._tongue.speech(self._at.view.conversation)
        return tuple(map(speech.say, said))

    def _refused(self) -> Lines:
        refused = self._at.view.refused
        return () if refused is None else self._say([refused])

    def _trouble(self) -> Lines:
        return self._say(self._at.view.trouble)

    def _status(self) -> Lines:
        status = self._at.view.status
        marks = {
            "heard": status.is_heard,
            "unsaved": status.is_unsaved,
            "simulated": status.is_simulated,
        }
        return tuple(name for name, is_lit in marks.items() if is_lit)

    def _game(self) -> Game:
        game = self._at.view.conversation.game
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
        return () if any(led != _DARK for led in self._at.film.light()) else ("dark",)

    def _archive(self) -> Lines:
        return (str(len(Archive(self._at.folder / "archive").numbers())),)

    def _entries(self) -> Lines:
        return (str(len(read_journal(self._at.folder / CURRENT).entries)),)


_SUBJECTS: dict[str, Callable[[Expectations], Lines]] = {
    "stage": lambda a: (a._at.view.conversation.stage.name,),
    "title": lambda a: a._say([a._words().title]),
    "todo": lambda a: a._say(a._words().todo),
    "news": lambda a: a._say(a._words().news),
    "refused": Expectations._refused,
    "trouble": Expectations._trouble,
    "status": Expectations._status,
    "dirhams": Expectations._dirhams,
    "score": Expectations._score,
    "assam": Expectations._assam,
    "position": lambda a: (position_text(a._game().state),),
    "dark": Expectations._dark,
    "archive": Expectations._archive,
    "entries": Expectations._entries,
}


def _holds(wanted: Expect, shown: Lines) -> bool:
    if wanted.all_of is not None:
        return shown == wanted.all_of
    if wanted.one is None:
        found = bool(shown)
    elif wanted.is_part:
        found = any(wanted.one in line for line in shown)
    else:
        found = wanted.one in shown
    return found != wanted.is_not
