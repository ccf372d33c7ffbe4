"""The daemon: hears the table, has it written down, and lets the light answer.

There are two answers to an input. *Heard*, a LED of the rail, at once; *done*, the light of the
vocabulary, when what was told is on the disk. Inputs that come in between are kept in order: the
conversation goes ahead in memory, and the light follows the disk. Only a refusal needs no disk.

OK and BACK held together are no part of the conversation: the matrix shows the code that pairs a
phone, for a while, in the place of the scene. The game goes on behind it.

A disk or a matrix that fails is trouble, and goes by. A fault of the companion's own does not: what
comes after it could not be trusted, so it hears nothing more, refuses every input and says why.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, replace
from functools import partial
from typing import TYPE_CHECKING

from companion.daemon.display import Display
from companion.daemon.pairing import SHOWN_S, Pairing
from companion.daemon.trouble import disk_trouble, fault_trouble, matrix_trouble
from companion.daemon.worker_thread import Worker
from companion.i18n.message import Message, message
from companion.light.frame import Picture
from companion.storage.game_store import GameStore, StampedCommand, StampedEntry, fingerprint
from companion.table.conversation import ArchiveGame, BeginGame, Chance, Conversation, InputResult
from companion.table.gestures import Gestures, Meant
from companion.table.inputs import Down, Input, Key, Together, Up
from companion.table.scenes.scene import Scene
from companion.table.scenes.stage_scenes import Link, Status, scene_of
from companion.table.scenes.turn_scenes import code_scene
from companion.table.setup_stages import Wishes, agree
from companion.table.transitions import hear

if TYPE_CHECKING:
    import asyncio

HEARD_AFTER_S = 0.01
"""A disk that is done by then has answered for the rail, and the frame is spared."""


@dataclass(frozen=True)
class TableView:
    """What a person beside the matrix may be shown: the table as it is confirmed."""

    conversation: Conversation
    status: Status
    refused: Message | None = None
    """Why the last input was refused; gone with the next one that is not."""
    trouble: tuple[Message, ...] = ()
    """What is wrong with the disk, the matrix, the pad or the companion, and what to do."""
    shows_code: bool = False
    """Whether the matrix shows the code for phones, and not the scene."""


class Controller:
    """One table. Everything here runs on the loop."""

    def __init__(
        self,
        loop: asyncio.AbstractEventLoop,
        conversation: Conversation,
        *,
        keeper: GameStore,
        scribe: Worker,
        screen: Display,
        chance: Chance,
        hold_ms: float,
        retry_s: float,
        pairing: Pairing | None = None,
    ) -> None:
        self._loop = loop
        self._ahead = conversation
        """The conversation with everything that was heard."""
        self.view = TableView(conversation, screen.status)
        self._keeper = keeper
        self._scribe = scribe
        self._screen = screen
        self._chance = chance
        self._gestures = Gestures(hold_ms)
        self._retry_s = retry_s
        self._pairing = pairing or Pairing(loop.time)
        self._code: Scene | None = None
        """The code for phones, while the matrix shows it."""
        self._queue: list[_Heard] = []
        self._writing: list[_Heard] | None = None
        """What will be shown when the disk is done; None while it is idle."""
        self._job: _Writing | None = None
        """What the disk is at, or was last."""
        self._heard_timer: asyncio.TimerHandle | None = None
        self._hold_timer: asyncio.TimerHandle | None = None
        self._retry_timer: asyncio.TimerHandle | None = None
        self._code_timer: asyncio.TimerHandle | None = None
        self._watchers: list[Callable[[TableView], None]] = []
        self.when_die_is_answered: Callable[[bool], None] = lambda _: None
        """Called when something told with the die is done (True) or refused (False)."""
        self._parts_trouble: dict[str, Message] = {}
        """What is to be said of which part of the table."""
        self._refused: Message | None = None
        """Why the last input was refused, if it was."""
        self.unsaved_because: OSError | None = None
        """Why the disk does not take what was told, while it does not."""
        self._fault: Message | None = None
        self._can_write = True
        """Until a fault of ours: nobody knows what it wrote, and nothing may go after it."""
        self._is_closed = False
        screen.when_troubled = self._mark
        screen.show(scene_of(conversation))

    def tell_link(self, link: Link, trouble: Message | None = None) -> None:
        """How the die pad is, and what is to be said of it."""
        self._screen.mark(replace(self._screen.status, link=link))
        self.tell_trouble("pad", trouble)

    def tell_trouble(self, part: str, trouble: Message | None) -> None:
        """What is to be said of a part of the table until something else is; None is nothing."""
        if trouble is None:
            self._parts_trouble.pop(part, None)
        else:
            self._parts_trouble[part] = trouble
        self._mark()

    def watch(self, watcher: Callable[[TableView], None]) -> None:
        """Call this with every view from now on, on the loop."""
        self._watchers.append(watcher)

    # --- Hearing ----------------------------------------------------------------------

    def deliver(self, event: Down | Up | Input) -> None:
        """What the adapters call: a contact, or a key that means something by itself."""
        if self._is_closed:
            return
        try:
            if isinstance(event, Input):
                inputs: Meant = (event,)
            elif self._code is not None and isinstance(event, Down):
                inputs = self._hear_behind_code(event)
            else:
                inputs = self._gestures.hear(event, self._loop.time() * 1000)
            self._take(inputs)
        except Exception as error:
            self._notice(error)
            raise

    def _take(self, inputs: Meant) -> None:
        for one in inputs:
            if isinstance(one, Together):
                self._hear_together(one)
            elif self._code is not None:
                self._press_code_away(one.key in (Key.DIE, Key.ROLL))
            else:
                self._hear(one)
        self._write()
        self._screen.touch()
        self._wind_hold()
        if self._writing is None:
            self._mark()
        elif self._heard_timer is None:
            self._heard_timer = self._loop.call_later(HEARD_AFTER_S, self._mark)

    def _hear(self, told: Input) -> None:
        is_die = told.key in (Key.DIE, Key.ROLL)
        if self._fault:
            self._refuse(is_die)
            return
        answer = hear(self._ahead, told, self._chance)
        if answer.refused is not None:
            self._refuse(is_die, answer.refused)
            return
        self._ahead, self._refused = answer.conversation, None
        self._queue.append(_Heard(_kept(answer), answer.conversation, is_die))

    def agree(self, wishes: Wishes) -> Message | None:
        """What somebody wants of the game that is being set up; else why it cannot be now.

        Wishes that no game can be played with are a `SettingError`. The table is not refused
        anything, so its light does not say so.
        """
        if self._fault:
            return self._fault
        answer = agree(self._ahead, wishes)
        if answer.refused is None:
            self._ahead, self._refused = answer.conversation, None
            self._queue.append(_Heard((), answer.conversation, is_die=False))
            self._write()
            self._mark()
        return answer.refused

    def _refuse(self, is_die: bool, why: Message | None = None) -> None:
        self._screen.refuse()
        if is_die:
            self.when_die_is_answered(False)
        if why is not None:
            self._refused = why
            self._show(replace(self.view, refused=why))

    def _wind_hold(self) -> None:
        if self._hold_timer is not None:
            self._hold_timer.cancel()
            self._hold_timer = None
        due_ms = self._gestures.due_ms()
        if due_ms is not None:
            self._hold_timer = self._loop.call_at(due_ms / 1000, self._hold, due_ms)

    def _hold(self, due_ms: float) -> None:
        """The loop's clock may be a hair before what it was wound for."""
        with self._noticing():
            self._take(self._gestures.pass_time(max(due_ms, self._loop.time() * 1000)))

    # --- The code for phones ----------------------------------------------------------

    def show_code(self) -> str:
        """Show a new code on the matrix, until something is pressed or its time is over."""
        code = self._pairing.show()
        self._code, self._refused = code_scene(code), None
        if self._job is not None:
            self._job.light = None  # which would cover it
        self._stop_code_timer()
        self._code_timer = self._loop.call_later(SHOWN_S, self._put_code_away)
        self._screen.show(self._code, self._status())
        self._show(replace(self.view, refused=None, shows_code=True))
        return code

    def pair(self, code: str) -> Message | None:
        """Why this is not the code; None if it is. One that is void or was read need not be shown
        any more: else the first press of the phone would only put it away."""
        refused = self._pairing.refusal(code)
        if refused is None or refused.key == "pair.void":
            self._put_code_away()
        return refused

    def _hear_together(self, told: Together) -> None:
        if self._fault:
            self._refuse(is_die=False)
        elif told is Together.HELD:
            self.show_code()
        else:
            self._put_code_away()
            self._refuse(False, message("no.both_longer"))

    def _hear_behind_code(self, event: Down) -> Meant:
        """A press puts the code away and means nothing else, also when it becomes a hold.

        Only both buttons together do: whoever wants another code presses one of them first.
        """
        now_ms = self._loop.time() * 1000
        self._take(self._gestures.pass_time(now_ms))
        is_press = event.button not in self._gestures.down
        heard = self._gestures.hear(event, now_ms)
        if self._code is None or not is_press:
            return heard
        self._gestures.mute(event.button)
        self._press_code_away(is_die=False)
        return ()

    def _press_code_away(self, is_die: bool) -> None:
        """The light answers by itself; the words say that nothing else was done."""
        self._refused = message("pair.put_away")
        self._put_code_away()
        if is_die:
            self.when_die_is_answered(False)

    def _put_code_away(self) -> None:
        if self._code is not None:
            self._code = None
            self._stop_code_timer()
            self._screen.show(scene_of(self.view.conversation), self._status())
            self._show(replace(self.view, refused=self._refused, shows_code=False))

    def _stop_code_timer(self) -> None:
        if self._code_timer is not None:
            self._code_timer.cancel()
            self._code_timer = None

    # --- Writing down -----------------------------------------------------------------

    def _write(self) -> None:
        """Hand everything that was heard to the disk, by one write; one at a time."""
        if self._writing is not None or not self._queue or self._fault:
            return
        notes = tuple(note for heard in self._queue for note in heard.notes)
        following = list(self._queue)
        self._queue.clear()
        if not notes:
            self._confirm(following)
            return
        self._writing = following
        self._job = job = _Writing(self, self._screen, notes)
        self._scribe.submit(job, self._written)
        # Not now: this thread must let go of the interpreter for the scribe to begin.
        self._loop.call_soon(self._prepare, job, following[-1].conversation)

    def _prepare(self, job: _Writing, conversation: Conversation) -> None:
        """While the disk is at it: the light that will say so."""
        if self._code is not None:
            return
        with self._noticing():
            is_heard = bool(self._gestures.down) or bool(self._queue)
            status = replace(self._screen.status, is_heard=is_heard, is_unsaved=False)
            job.light = self._screen.first_picture(scene_of(conversation), status)

    def save(self, notes: tuple[StampedCommand, ...] = ()) -> None:
        """In the scribe's thread."""
        if self._can_write:
            try:
                self._keeper.save(notes)
            except Exception as error:
                self._can_write = isinstance(error, OSError)
                raise

    def _written(self, trouble: Exception | None) -> None:
        with self._noticing():
            following, self._writing = self._writing or [], None
            if trouble is not None and not isinstance(trouble, OSError):
                raise trouble  # not the disk: nothing of this is confirmed
            self.unsaved_because = trouble
            if trouble is not None:
                self._wind_retry()
            self._confirm(following)
            self._write()
            self._mark()

    def _wind_retry(self) -> None:
        if self._retry_timer is not None:
            self._retry_timer.cancel()
        if not self._is_closed:
            self._retry_timer = self._loop.call_later(self._retry_s, self._retry)

    def _retry(self) -> None:
        """The disk may have room again; if something is being written, that tries as well."""
        if self._writing is None and not (self._is_closed or self._fault):
            self._writing = []
            self._scribe.submit(self.save, self._written)

    # --- Showing ----------------------------------------------------------------------

    def _confirm(self, following: list[_Heard]) -> None:
        """Done: the light answers, and whoever watches sees every step."""
        if not following:
            return
        status, refused = self._status(), self._refused
        scene = self._code or scene_of(following[-1].conversation)
        self._screen.show(scene, status, is_refused=refused is not None)
        for heard in following:
            shows_code = self._code is not None
            self._show(TableView(heard.conversation, status, refused, self._trouble(), shows_code))
            if heard.is_die:
                self.when_die_is_answered(True)

    def _mark(self) -> None:
        if self._heard_timer is not None:
            self._heard_timer.cancel()
            self._heard_timer = None
        status, trouble = self._status(), self._trouble()
        self._screen.mark(status)
        if (status, trouble) != (self.view.status, self.view.trouble):
            self._show(replace(self.view, status=status, trouble=trouble))

    @property
    def is_answering(self) -> bool:
        """Whether something is pressed, or told and not done. The rail says so a moment later."""
        return bool(self._gestures.down) or self._writing is not None or bool(self._queue)

    def _status(self) -> Status:
        is_unsaved = self.unsaved_because is not None
        return replace(self._screen.status, is_heard=self.is_answering, is_unsaved=is_unsaved)

    def _trouble(self) -> tuple[Message, ...]:
        disk, matrix = self.unsaved_because, self._screen.trouble
        told = (
            self._fault,
            disk_trouble(disk) if disk else None,
            matrix_trouble(matrix) if matrix else None,
            *self._parts_trouble.values(),
        )
        return tuple(one for one in told if one is not None)

    def _show(self, view: TableView) -> None:
        self.view = view
        for watcher in self._watchers:
            watcher(view)

    @contextmanager
    def _noticing(self) -> Iterator[None]:
        """A fault of ours is told, and goes on to the loop's handler of exceptions."""
        try:
            yield
        except Exception as error:
            self._notice(error)
            raise

    def _notice(self, error: Exception) -> None:
        if not self._fault:
            self._fault = fault_trouble(error)
            self._screen.refuse()
            self._mark()

    # --- Stopping ---------------------------------------------------------------------

    def close(self) -> None:
        """Hear nothing more. What was heard is still written: the scribe finishes its jobs."""
        if self._is_closed:
            return
        self._is_closed = True
        self._stop_code_timer()
        for timer in (self._heard_timer, self._hold_timer, self._retry_timer):
            if timer is not None:
                timer.cancel()
        notes = tuple(note for heard in self._queue for note in heard.notes)
        self._queue.clear()
        # Also without notes: what the disk has refused is tried once more.
        self._scribe.submit(partial(self.save, notes), self._written)


@dataclass(frozen=True, slots=True)
class _Heard:
    """An input that was not refused: what is to be written, and the table after it."""

    notes: tuple[StampedCommand, ...]
    conversation: Conversation
    is_die: bool


class _Writing:
    """A job for the scribe: onto the disk, and from there to the light without a detour."""

    def __init__(
        self, daemon: Controller, screen: Display, notes: tuple[StampedCommand, ...]
    ) -> None:
        self._daemon = daemon
        self._screen = screen
        self._notes = notes
        self.light: Picture | None = None

    def __call__(self) -> None:
        self._daemon.save(self._notes)
        light = self.light  # once: the loop may take it away
        if light is not None:
            self._screen.show_first(light)


def _kept(answer: InputResult) -> tuple[StampedCommand, ...]:
    """What is to be written down. At most one thing is told at a time: it led to the answer."""
    game = answer.conversation.game
    kept: list[StampedCommand] = []
    for note in answer.notes:
        if isinstance(note, BeginGame | ArchiveGame):
            kept.append(note)
        else:
            assert game is not None, "something is told, and there is no game"
            kept.append(StampedEntry(note, fingerprint(game)))
    return tuple(kept)
