"""The committer: one write at a time, retries after disk errors, no writes after a fault."""

from __future__ import annotations

import asyncio
import errno
import threading
from collections.abc import Callable, Coroutine, Sequence
from typing import Any, cast

import pytest
from helpers.patience import PATIENCE_S

from companion.daemon.committer import Commit, Committer
from companion.daemon.display import Display
from companion.daemon.worker_thread import LoopWorker, ThreadWorker, Worker
from companion.light.frame import DARK, LedFrame
from companion.storage.game_store import GameStore, StampedCommand
from companion.table.conversation import Conversation, Preferences, new_conversation
from companion.testing.virtual_time import run

WRITE_MS = 100
RETRY_S = 5.0
FULL = OSError(errno.ENOSPC, "No space left on device")
FAULT = TypeError("a fault of the program")


class FakeStore:
    """Records the commands of every save, and keeps those of a failed one, as the real store."""

    def __init__(self) -> None:
        self.saves: list[tuple[object, ...]] = []
        self.saved: list[object] = []
        self.error: Exception | None = None
        self._pending: list[object] = []

    def save(self, commands: Sequence[object]) -> None:
        self.saves.append(tuple(commands))
        self._pending.extend(commands)
        if self.error is not None:
            raise self.error
        self.saved += self._pending
        self._pending.clear()


class FakeDisplay:
    """Records the frames that confirm a write."""

    def __init__(self) -> None:
        self.frames: list[LedFrame] = []

    def show_first(self, shown: LedFrame) -> None:
        self.frames.append(shown)


class Harness:
    """A committer with a fake store and display. Each write takes `WRITE_MS` of virtual time."""

    def __init__(self) -> None:
        self.loop = asyncio.get_running_loop()
        self.store, self.display = FakeStore(), FakeDisplay()
        self.writer = LoopWorker(self.loop)
        self.writer.takes_ms = WRITE_MS
        self.written: list[tuple[float, list[Commit], Exception | None]] = []
        self.prepared: list[Conversation] = []
        self.committer = make_committer(
            self.writer, self.store, self.display, self._handle_written, self._first_frame
        )

    def _handle_written(self, commits: Sequence[Commit], error: Exception | None) -> None:
        self.written.append((self.loop.time(), list(commits), error))

    def _first_frame(self, conversation: Conversation) -> LedFrame:
        self.prepared.append(conversation)
        return DARK

    def add(self, *commands: str) -> Commit:
        added = commit(*commands)
        self.committer.add(added)
        return added

    def write(self, *commands: str) -> Commit:
        """Add a commit with these commands, and start to write."""
        added = self.add(*commands)
        assert self.committer.start_write() == []
        return added


def make_committer(
    writer: Worker,
    store: FakeStore,
    display: FakeDisplay,
    on_written: Callable[[Sequence[Commit], Exception | None], None],
    first_frame: Callable[[Conversation], LedFrame | None],
) -> Committer:
    return Committer(
        asyncio.get_running_loop(),
        cast("GameStore", store),
        writer,
        cast("Display", display),
        retry_s=RETRY_S,
        on_written=on_written,
        first_frame=first_frame,
    )


def commit(*commands: str) -> Commit:
    """A commit with a conversation of its own."""
    conversation = new_conversation(Preferences())
    return Commit(cast("tuple[StampedCommand, ...]", commands), conversation)


def scenario(check: Callable[[Harness], Coroutine[Any, Any, None]]) -> Callable[[], None]:
    """Make a test that runs on virtual time."""

    def test() -> None:
        async def main() -> None:
            await check(Harness())

        run(main())

    test.__name__, test.__doc__ = check.__name__, check.__doc__
    return test


# --- Writing ------------------------------------------------------------------------------


@scenario
async def test_a_write_is_reported_after_it_and_not_before(harness: Harness) -> None:
    first = harness.write("a")
    assert harness.committer.is_writing
    await asyncio.sleep(0.099)
    assert (harness.store.saved, harness.written) == ([], [])
    await asyncio.sleep(0.002)
    assert harness.store.saved == ["a"]
    assert harness.written == [(0.1, [first], None)]
    assert not harness.committer.is_busy


@scenario
async def test_one_write_is_in_progress_and_the_next_one_takes_all_that_was_queued(
    harness: Harness,
) -> None:
    first = harness.write("a")
    second, third = harness.write("b"), harness.write("c", "d")
    states = [harness.committer.has_queue]
    await asyncio.sleep(1)
    assert harness.store.saves == [("a",)]
    assert harness.written == [(0.1, [first], None)]
    assert harness.committer.is_busy
    assert harness.committer.start_write() == []
    states.append(harness.committer.has_queue)
    assert states == [True, False]
    await asyncio.sleep(1)
    assert harness.store.saves == [("a",), ("b", "c", "d")]
    assert harness.written[1:] == [(1.1, [second, third], None)]


@scenario
async def test_commits_without_commands_are_returned_at_once(harness: Harness) -> None:
    first, second = harness.add(), harness.add()
    assert harness.committer.start_write() == [first, second]
    assert not harness.committer.is_busy
    assert harness.committer.start_write() == []
    await asyncio.sleep(1)
    assert (harness.store.saves, harness.written) == ([], [])


@scenario
async def test_a_commit_without_commands_keeps_its_place_behind_a_write(harness: Harness) -> None:
    harness.write("a")
    without = harness.write()
    await asyncio.sleep(1)
    assert len(harness.written) == 1
    assert harness.committer.start_write() == [without]


# --- The confirming frame -----------------------------------------------------------------


@scenario
async def test_the_frame_of_the_last_conversation_is_shown_right_after_the_write(
    harness: Harness,
) -> None:
    harness.add("a")
    last = harness.write("b")
    await asyncio.sleep(0.099)
    (prepared,) = harness.prepared
    assert prepared is last.conversation
    assert harness.display.frames == []
    await asyncio.sleep(0.002)
    assert harness.display.frames == [DARK]


@scenario
async def test_a_dropped_frame_is_not_shown(harness: Harness) -> None:
    harness.write("a")
    await asyncio.sleep(0.05)
    harness.committer.drop_frame()
    await asyncio.sleep(1)
    assert harness.store.saved == ["a"]
    assert harness.display.frames == []
    harness.write("b")
    await asyncio.sleep(1)
    assert harness.display.frames == [DARK], "the frame of the next write is shown"


@scenario
async def test_dropping_a_frame_without_a_write_does_nothing(harness: Harness) -> None:
    harness.committer.drop_frame()
    harness.write("a")
    await asyncio.sleep(1)
    assert harness.display.frames == [DARK]


@scenario
async def test_a_failed_write_shows_no_frame(harness: Harness) -> None:
    harness.store.error = FULL
    harness.write("a")
    await asyncio.sleep(1)
    assert harness.display.frames == []


# --- Disk errors --------------------------------------------------------------------------


@scenario
async def test_a_disk_error_is_kept_retried_and_cleared(harness: Harness) -> None:
    harness.store.error = FULL
    first = harness.write("a")
    await asyncio.sleep(1)
    errors = [harness.committer.error]
    assert harness.written == [(0.1, [first], FULL)]
    await asyncio.sleep(RETRY_S)
    assert harness.store.saves == [("a",), ()]
    assert harness.written[1:] == [(5.2, [], FULL)], "no commit is repeated"
    harness.store.error = None
    await asyncio.sleep(RETRY_S)
    assert harness.store.saved == ["a"]
    errors.append(harness.committer.error)
    assert errors == [FULL, None]
    await asyncio.sleep(10 * RETRY_S)
    assert len(harness.store.saves) == 3, "nothing is left to retry"


@scenario
async def test_inputs_during_a_retry_are_written_after_it(harness: Harness) -> None:
    harness.store.error = FULL
    harness.write("a")
    await asyncio.sleep(0.1 + RETRY_S + 0.05)
    assert harness.committer.is_writing
    harness.store.error = None
    harness.write("b")
    await asyncio.sleep(0.1)
    assert harness.store.saved == ["a"]
    assert harness.committer.start_write() == []
    await asyncio.sleep(0.2)
    assert harness.store.saved == ["a", "b"]


@scenario
async def test_a_write_after_a_disk_error_saves_the_earlier_commands_too(harness: Harness) -> None:
    harness.store.error = FULL
    harness.write("a")
    await asyncio.sleep(1)
    harness.store.error = None
    harness.write("b")
    await asyncio.sleep(1)
    assert harness.store.saved == ["a", "b"]
    assert harness.committer.error is None


@scenario
async def test_there_is_no_second_write_for_a_retry_during_a_write(harness: Harness) -> None:
    harness.store.error = FULL
    harness.write("a")
    await asyncio.sleep(1)
    harness.writer.takes_ms = 10_000
    harness.write("b")
    await asyncio.sleep(RETRY_S + 1)  # the retry is due during this write
    assert harness.store.saves == [("a",)]
    harness.store.error = None
    await asyncio.sleep(30)
    assert harness.store.saves == [("a",), ("b",)]


# --- Faults -------------------------------------------------------------------------------


@scenario
async def test_a_fault_is_reported_and_the_store_is_not_used_again(harness: Harness) -> None:
    harness.store.error = FAULT
    first = harness.write("a")
    await asyncio.sleep(1)
    assert harness.written == [(0.1, [first], FAULT)]
    assert harness.committer.error is None, "it is not an error of the disk"
    harness.store.error = None
    harness.write("b")
    await asyncio.sleep(1)
    harness.add("c")
    harness.committer.close()
    await asyncio.sleep(2 * RETRY_S)
    assert harness.store.saves == [("a",)]


@scenario
async def test_after_halt_no_write_starts_until_close_writes_the_queue(harness: Harness) -> None:
    harness.write("a")
    queued = harness.write("b")
    assert list(harness.committer.halt()) == [queued]
    await asyncio.sleep(1)
    assert harness.store.saved == ["a"], "the write in progress ends"
    assert harness.committer.start_write() == []
    await asyncio.sleep(2 * RETRY_S)
    assert harness.store.saved == ["a"]
    assert harness.committer.has_queue
    harness.committer.close()
    await asyncio.sleep(1)
    assert harness.store.saved == ["a", "b"]


@scenario
async def test_after_halt_a_disk_error_is_not_retried(harness: Harness) -> None:
    harness.store.error = FULL
    harness.write("a")
    harness.committer.halt()
    await asyncio.sleep(3 * RETRY_S)
    assert harness.store.saves == [("a",)]


# --- Closing ------------------------------------------------------------------------------


@scenario
async def test_closing_writes_the_queue_and_is_idempotent(harness: Harness) -> None:
    harness.write("a")
    harness.write("b")
    harness.committer.close()
    harness.committer.close()
    await asyncio.sleep(1)
    assert harness.store.saves == [("a",), ("b",)]


@scenario
async def test_closing_tries_once_more_what_the_disk_has_refused(harness: Harness) -> None:
    harness.store.error = FULL
    harness.write("a")
    await asyncio.sleep(1)
    harness.committer.close()
    await asyncio.sleep(10 * RETRY_S)
    assert harness.store.saves == [("a",), ()], "and there are no more retries"
    assert harness.committer.error is FULL


# --- Threads ------------------------------------------------------------------------------


class ThreadRecorder(FakeStore):
    """A store that waits in the worker until the frame is prepared. Records all threads."""

    def __init__(self) -> None:
        super().__init__()
        self.threads: dict[str, str] = {}
        self.is_prepared = threading.Event()

    def record(self, what: str) -> None:
        self.threads[what] = threading.current_thread().name

    def save(self, commands: Sequence[object]) -> None:
        self.record("save")
        assert self.is_prepared.wait(PATIENCE_S)
        super().save(commands)


class ThreadRecordingDisplay(FakeDisplay):
    def __init__(self, store: ThreadRecorder) -> None:
        super().__init__()
        self._store = store

    def show_first(self, shown: LedFrame) -> None:
        self._store.record("show_first")
        super().show_first(shown)


@pytest.mark.parametrize("error", [None, FULL, FAULT])
def test_the_worker_calls_the_store_and_the_display_and_nothing_else(
    error: Exception | None,
) -> None:
    async def main() -> None:
        store = ThreadRecorder()
        store.error = error
        display = ThreadRecordingDisplay(store)
        is_written = asyncio.Event()

        def handle_written(_: Sequence[Commit], __: Exception | None) -> None:
            store.record("on_written")
            is_written.set()

        def first_frame(_: Conversation) -> LedFrame:
            store.record("first_frame")
            # In the next iteration: the job gets the frame when this function returns.
            asyncio.get_running_loop().call_soon(store.is_prepared.set)
            return DARK

        writer = ThreadWorker(asyncio.get_running_loop(), "writer")
        committer = make_committer(writer, store, display, handle_written, first_frame)
        committer.add(commit("a"))
        committer.start_write()
        async with asyncio.timeout(PATIENCE_S):
            await is_written.wait()
        writer.close()
        loop_thread = threading.main_thread().name
        worker_calls = ("save", "show_first") if error is None else ("save",)
        assert store.threads == {
            **dict.fromkeys(worker_calls, "writer"),
            **dict.fromkeys(("first_frame", "on_written"), loop_thread),
        }

    asyncio.run(main())
