"""Writes accepted inputs to the journal, then reports them as committed.

Writing blocks, so a worker does it. One write is in progress at a time; inputs accepted meanwhile
are written together by the next one. When the disk fails, the store keeps what it could not write,
and the committer retries. An error that is not the disk's is a fault: nothing is written after it.

Everything here runs on the loop, except `_WriteJob`, which runs in the worker. A job knows the
store and the display, and never calls the controller.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

from companion.light.frame import LedFrame
from companion.table.conversation import Conversation
from companion.table.view import Outcome

if TYPE_CHECKING:
    import asyncio

    from companion.daemon.display import Display
    from companion.daemon.worker_thread import Worker
    from companion.storage.game_store import GameStore, StampedCommand


@dataclass(frozen=True, slots=True)
class Commit:
    """An accepted input: what to write, and the conversation after it."""

    commands: tuple[StampedCommand, ...]
    conversation: Conversation
    is_die: bool = False
    waiting: tuple[asyncio.Future[Outcome], ...] = ()
    """Futures that are resolved when the input is confirmed."""


class Committer:
    """`on_written` gets the commits of a finished write and its error. `first_frame` makes the
    frame that confirms a conversation; the worker shows it right after the write."""

    def __init__(
        self,
        loop: asyncio.AbstractEventLoop,
        store: GameStore,
        writer: Worker,
        display: Display,
        *,
        retry_s: float,
        on_written: Callable[[Sequence[Commit], Exception | None], None],
        first_frame: Callable[[Conversation], LedFrame | None],
    ) -> None:
        self._loop = loop
        self._store = _GuardedStore(store)
        self._writer = writer
        self._display = display
        self._retry_s = retry_s
        self._on_written = on_written
        self._first_frame = first_frame
        self._queue: list[Commit] = []
        self._in_progress: list[Commit] = []
        self.is_writing = False
        self._job: _WriteJob | None = None
        """The job in progress, or the last one."""
        self._retry_timer: asyncio.TimerHandle | None = None
        self._is_closed = self._is_halted = False
        self.error: OSError | None = None
        """Why the disk does not take what was written last; None when all is saved."""

    @property
    def is_busy(self) -> bool:
        return self.is_writing or bool(self._queue)

    @property
    def has_queue(self) -> bool:
        return bool(self._queue)

    def add(self, commit: Commit) -> None:
        self._queue.append(commit)

    def start_write(self) -> list[Commit]:
        """Start writing everything that is queued, unless a write is in progress.

        Returns the commits that need no write, to be confirmed at once.
        """
        if self.is_writing or self._is_halted or not self._queue:
            return []
        commits, self._queue = self._queue, []
        commands = _commands(commits)
        if not commands:
            return commits
        self._in_progress, self.is_writing = commits, True
        self._job = job = _WriteJob(self._store, self._display, commands)
        self._writer.submit(job, self._written)
        # In the next iteration: the worker starts only once this thread releases the interpreter.
        self._loop.call_soon(self._prepare_frame, job, commits[-1].conversation)
        return []

    def drop_frame(self) -> None:
        """Do not show the confirming frame of the write in progress: something else is shown."""
        if self._job is not None:
            self._job.frame = None

    def halt(self) -> Sequence[Commit]:
        """After a fault: start no more writes, except the last one of `close`.

        Returns the commits that are still queued.
        """
        self._is_halted = True
        return self._queue

    def close(self) -> None:
        """Write what is queued, and try once more what the disk has refused. Idempotent."""
        if self._is_closed:
            return
        self._is_closed = True
        if self._retry_timer is not None:
            self._retry_timer.cancel()
        commands = _commands(self._queue)
        self._queue.clear()
        self._writer.submit(_WriteJob(self._store, self._display, commands), self._written)

    def _prepare_frame(self, job: _WriteJob, conversation: Conversation) -> None:
        """Make the confirming frame while the worker writes."""
        job.frame = self._first_frame(conversation)

    def _written(self, error: Exception | None) -> None:
        commits, self._in_progress, self.is_writing = self._in_progress, [], False
        if error is None or isinstance(error, OSError):
            self.error = error
        if isinstance(error, OSError):
            self._schedule_retry()
        self._on_written(commits, error)

    def _schedule_retry(self) -> None:
        if self._retry_timer is not None:
            self._retry_timer.cancel()
        if not self._is_closed:
            self._retry_timer = self._loop.call_later(self._retry_s, self._retry)

    def _retry(self) -> None:
        """A write in progress retries as well, so only start one when there is none."""
        if not (self.is_writing or self._is_closed or self._is_halted):
            self.is_writing = True
            self._writer.submit(_WriteJob(self._store, self._display, ()), self._written)


class _GuardedStore:
    """Writes nothing after a fault: nobody knows what state the store is in. Used by the worker."""

    def __init__(self, store: GameStore) -> None:
        self._store = store
        self.has_fault = False

    def save(self, commands: tuple[StampedCommand, ...]) -> None:
        if self.has_fault:
            return
        try:
            self._store.save(commands)
        except OSError:
            raise
        except Exception:
            self.has_fault = True
            raise


class _WriteJob:
    """Runs in the worker: write, then show the frame that confirms it."""

    def __init__(
        self, store: _GuardedStore, display: Display, commands: tuple[StampedCommand, ...]
    ) -> None:
        self._store = store
        self._display = display
        self._commands = commands
        self.frame: LedFrame | None = None

    def __call__(self) -> None:
        self._store.save(self._commands)
        frame = self.frame  # read once: the loop may set it to None
        if frame is not None:
            self._display.show_first(frame)


def _commands(commits: Sequence[Commit]) -> tuple[StampedCommand, ...]:
    return tuple(command for commit in commits for command in commit.commands)
