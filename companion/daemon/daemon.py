"""The daemon: hears the table, has it written down, and lets the light answer.

There are two answers to an input. *Heard*, a LED of the rail, at once; *done*, the light of the
vocabulary, when what was told is on the disk. Inputs that come in between are kept in order: the
conversation goes ahead in memory, and the light follows the disk. Only a refusal needs no disk.

A disk or a matrix that fails is trouble, and goes by. A fault of the companion's own does not: what
comes after it could not be trusted, so it hears nothing more, refuses every input and says why.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, replace
from functools import partial
from typing import TYPE_CHECKING

from companion.daemon.keeper import Entry, Keeper, KeptNote, fingerprint
from companion.daemon.screen import Screen
from companion.daemon.trouble import disk_trouble, fault_trouble, matrix_trouble
from companion.daemon.worker import Worker
from companion.light.frame import Picture
from companion.table.conversation import hear
from companion.table.gestures import Gestures
from companion.table.inputs import Down, Input, Key, Up
from companion.table.pages import Answer, Begin, Chance, Conversation, PutAway
from companion.table.screenplay import Link, Status, scene_of
from companion.words.message import Message

if TYPE_CHECKING:
    import asyncio

HEARD_AFTER_S = 0.01
"""A disk that is done by then has answered for the rail, and the frame is spared."""


@dataclass(frozen=True)
class View:
    """What a person beside the matrix may be shown: the table as it is confirmed."""

    conversation: Conversation
    status: Status
    refused: Message | None = None
    """Why the last input was refused; gone with the next one that is not."""
    trouble: tuple[Message, ...] = ()
    """What is wrong with the disk, the matrix, the pad or the companion, and what to do."""


class Daemon:
    """One table. Everything here runs on the loop."""

    def __init__(
        self,
        loop: asyncio.AbstractEventLoop,
        conversation: Conversation,
        *,
        keeper: Keeper,
        scribe: Worker,
        screen: Screen,
        chance: Chance,
        hold_ms: float,
        retry_s: float,
    ) -> None:
        self._loop = loop
        self._ahead = conversation
        """The conversation with everything that was heard."""
        self.view = View(conversation, screen.status)
        self._keeper = keeper
        self._scribe = scribe
        self._screen = screen
        self._chance = chance
        self._gestures = Gestures(hold_ms)
        self._retry_s = retry_s
        self._queue: list[_Heard] = []
        self._writing: list[_Heard] | None = None
        """What will be shown when the disk is done; None while it is idle."""
        self._heard_timer: asyncio.TimerHandle | None = None
        self._hold_timer: asyncio.TimerHandle | None = None
        self._retry_timer: asyncio.TimerHandle | None = None
        self._watchers: list[Callable[[View], None]] = []
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

    def watch(self, watcher: Callable[[View], None]) -> None:
        """Call this with every view from now on, on the loop."""
        self._watchers.append(watcher)

    # --- Hearing ----------------------------------------------------------------------

    def deliver(self, event: Down | Up | Input) -> None:
        """What the adapters call: a contact, or a key that means something by itself."""
        if self._is_closed:
            return
        try:
            if isinstance(event, Input):
                inputs: tuple[Input, ...] = (event,)
            else:
                inputs = self._gestures.hear(event, self._loop.time() * 1000)
            self._take(inputs)
        except Exception as error:
            self._notice(error)
            raise

    def _take(self, inputs: tuple[Input, ...]) -> None:
        for one in inputs:
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
            self._refuse(is_die)
            self._refused = answer.refused
            self._show(replace(self.view, refused=answer.refused))
            return
        self._ahead, self._refused = answer.conversation, None
        self._queue.append(_Heard(_kept(answer), answer.conversation, is_die))

    def _refuse(self, is_die: bool) -> None:
        self._screen.refuse()
        if is_die:
            self.when_die_is_answered(False)

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
        job = _Writing(self, self._screen, notes)
        self._scribe.submit(job, self._written)
        # Not now: this thread must let go of the interpreter for the scribe to begin.
        self._loop.call_soon(self._prepare, job, following[-1].conversation)

    def _prepare(self, job: _Writing, conversation: Conversation) -> None:
        """While the disk is at it: the light that will say so."""
        with self._noticing():
            is_heard = bool(self._gestures.down) or bool(self._queue)
            status = replace(self._screen.status, is_heard=is_heard, is_unsaved=False)
            job.light = self._screen.first_picture(scene_of(conversation), status)

    def save(self, notes: tuple[KeptNote, ...] = ()) -> None:
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
        scene = scene_of(following[-1].conversation)
        self._screen.show(scene, status, is_refused=refused is not None)
        for heard in following:
            self._show(View(heard.conversation, status, refused, self._trouble()))
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

    def _status(self) -> Status:
        is_heard = bool(self._gestures.down) or self._writing is not None or bool(self._queue)
        is_unsaved = self.unsaved_because is not None
        return replace(self._screen.status, is_heard=is_heard, is_unsaved=is_unsaved)

    def _trouble(self) -> tuple[Message, ...]:
        disk, matrix = self.unsaved_because, self._screen.trouble
        told = (
            self._fault,
            disk_trouble(disk) if disk else None,
            matrix_trouble(matrix) if matrix else None,
            *self._parts_trouble.values(),
        )
        return tuple(one for one in told if one is not None)

    def _show(self, view: View) -> None:
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

    notes: tuple[KeptNote, ...]
    conversation: Conversation
    is_die: bool


class _Writing:
    """A job for the scribe: onto the disk, and from there to the light without a detour."""

    def __init__(self, daemon: Daemon, screen: Screen, notes: tuple[KeptNote, ...]) -> None:
        self._daemon = daemon
        self._screen = screen
        self._notes = notes
        self.light: Picture | None = None

    def __call__(self) -> None:
        self._daemon.save(self._notes)
        if self.light is not None:
            self._screen.show_first(self.light)


def _kept(answer: Answer) -> tuple[KeptNote, ...]:
    """What is to be written down. At most one thing is told at a time: it led to the answer."""
    game = answer.conversation.game
    kept: list[KeptNote] = []
    for note in answer.notes:
        if isinstance(note, Begin | PutAway):
            kept.append(note)
        else:
            assert game is not None, "something is told, and there is no game"
            kept.append(Entry(note, fingerprint(game)))
    return tuple(kept)
