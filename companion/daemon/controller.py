"""Handles inputs: applies them to the conversation, has them written, and updates the display.

An input gets two answers. *Heard*, one LED of the rail, at once; *done*, the scene, once the input
is in the journal on the disk (committer.py). Inputs that arrive in between keep their order: the
conversation runs ahead in memory, and the light follows the disk. A refusal needs no disk.

OK and BACK held together show the pairing code on the matrix (pairing_display.py). The game goes
on behind it.

A failing disk or matrix is reported and retried. A fault of the program is final: its state can no
longer be trusted, so it refuses every input and says why.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import replace
from typing import TYPE_CHECKING, TypeVar

from companion.control.pairing import Pairing
from companion.daemon.committer import Commit, Committer
from companion.daemon.display import Display
from companion.daemon.pairing_display import PairingDisplay
from companion.daemon.trouble import disk_trouble, fault_trouble, matrix_trouble
from companion.daemon.worker_thread import Worker
from companion.i18n.message import Message, message
from companion.light.frame import LedFrame
from companion.storage.game_store import GameStore, StampedCommand, StampedEntry, fingerprint
from companion.table.conversation import (
    ArchiveGame,
    BeginGame,
    Conversation,
    InputResult,
    RandomSource,
)
from companion.table.gestures import Gestures, RecognisedInputs
from companion.table.inputs import ButtonCombo, ButtonDown, ButtonUp, Input, InputKind
from companion.table.scenes.stage_scenes import LinkState, RailStatus, scene_of
from companion.table.setup_stages import SetupWishes, apply_wishes
from companion.table.transitions import handle_input
from companion.table.view import Outcome, OutcomeKind, TableView

if TYPE_CHECKING:
    import asyncio

T = TypeVar("T")
PENDING_LED_DELAY_S = 0.01
"""A shorter write does not light the *heard* LED, which saves a frame."""
_DONE = Outcome(OutcomeKind.DONE)
_IGNORED = Outcome(OutcomeKind.IGNORED)


class Controller:
    """The controller of one table. Everything here runs on the loop."""

    def __init__(
        self,
        loop: asyncio.AbstractEventLoop,
        conversation: Conversation,
        *,
        store: GameStore,
        writer: Worker,
        display: Display,
        random_source: RandomSource,
        hold_ms: float,
        retry_s: float,
        pairing: Pairing | None = None,
    ) -> None:
        self._loop = loop
        self._latest = conversation
        """The conversation after all inputs, also those not yet written."""
        self.view = TableView(conversation, display.status)
        self._display = display
        self._random_source = random_source
        self._gestures = Gestures(hold_ms)
        self._committer = Committer(
            loop,
            store,
            writer,
            display,
            retry_s=retry_s,
            on_written=self._handle_written,
            first_frame=self._first_frame,
        )
        self._code = PairingDisplay(loop, pairing or Pairing(loop.time), self._hide_code)
        self._pending_led_timer: asyncio.TimerHandle | None = None
        self._hold_timer: asyncio.TimerHandle | None = None
        self._watchers: list[Callable[[TableView], None]] = []
        self.on_die_result: Callable[[bool], None] = lambda _: None
        """Called when an input of the die is done (True) or refused (False)."""
        self._unanswered: list[asyncio.Future[Outcome]] = []
        """Futures of events whose input is not known yet: a button may become a tap or a hold."""
        self._idle_waiters: list[asyncio.Future[None]] = []
        self._part_trouble: dict[str, Message] = {}
        self._refused: Message | None = None
        """Why the last input was refused."""
        self._fault: Message | None = None
        self._is_closed = False
        display.on_trouble = self._update_status
        display.show(scene_of(conversation))

    def set_link(self, link: LinkState, trouble: Message | None = None) -> None:
        """Set the state of the die pad's link, and what is wrong with the pad."""
        self._display.mark(replace(self._display.status, link=link))
        self.set_trouble("pad", trouble)

    def set_trouble(self, part: str, trouble: Message | None) -> None:
        """Set or clear the problem of a part of the table."""
        if trouble is None:
            self._part_trouble.pop(part, None)
        else:
            self._part_trouble[part] = trouble
        self._update_status()

    def watch(self, watcher: Callable[[TableView], None]) -> None:
        """Call `watcher` with every new view, on the loop."""
        self._watchers.append(watcher)

    # --- Inputs -----------------------------------------------------------------------

    def deliver(self, event: ButtonDown | ButtonUp | Input) -> asyncio.Future[Outcome]:
        """Handle an event of an adapter. The result is what becomes of the input it leads to.

        A button that is down has no outcome yet; its future is resolved by the tap or the hold.
        """
        future: asyncio.Future[Outcome] = self._loop.create_future()
        if self._is_closed:
            future.set_result(_IGNORED)
            return future
        self._unanswered.append(future)
        with self._fault_guard():
            if isinstance(event, Input):
                inputs: RecognisedInputs = (event,)
            else:
                is_press = isinstance(event, ButtonDown) and event.button not in self._gestures.down
                inputs = self._recognise(event)
                if not (inputs or is_press):
                    self._ignore(future)
            self._handle_inputs(inputs)
        return future

    def _recognise(self, event: ButtonDown | ButtonUp) -> RecognisedInputs:
        if self._code.is_on and isinstance(event, ButtonDown):
            return self._handle_press_during_code(event)
        return self._gestures.handle(event, self._loop.time() * 1000)

    def _ignore(self, future: asyncio.Future[Outcome]) -> None:
        if not future.done():
            self._unanswered.remove(future)
            future.set_result(_IGNORED)

    def next_outcome(self) -> asyncio.Future[Outcome]:
        """What becomes of the next input, whichever adapter delivers it."""
        future: asyncio.Future[Outcome] = self._loop.create_future()
        if self._fault:
            future.set_result(Outcome(OutcomeKind.FAULT, self._fault))
        else:
            self._unanswered.append(future)
        return future

    def apply_wishes(self, wishes: SetupWishes) -> asyncio.Future[Outcome]:
        """Change the game that is being set up. A refusal is not shown on the matrix.

        Wishes that no game can be played with raise a `SettingError`.
        """
        future: asyncio.Future[Outcome] = self._loop.create_future()
        if self._fault:
            future.set_result(Outcome(OutcomeKind.FAULT, self._fault))
            return future
        result = apply_wishes(self._latest, wishes)
        if result.refusal is not None:
            future.set_result(Outcome(OutcomeKind.REFUSED, result.refusal))
            return future
        self._latest, self._refused = result.conversation, None
        self._committer.add(Commit((), result.conversation, waiting=(future,)))
        self._start_write()
        self._update_status()
        return future

    def _handle_inputs(self, inputs: RecognisedInputs) -> None:
        for one in inputs:
            if isinstance(one, ButtonCombo):
                self._handle_combo(one)
            elif self._code.is_on:
                self._dismiss_code(one.kind in (InputKind.DIE, InputKind.ROLL))
            else:
                self._handle_input(one)
        self._start_write()
        self._display.touch()
        self._restart_hold_timer()
        if not self._committer.is_writing:
            self._update_status()
        elif self._pending_led_timer is None:
            self._pending_led_timer = self._loop.call_later(
                PENDING_LED_DELAY_S, self._update_status
            )
        self._notify_if_idle()

    def _handle_input(self, table_input: Input) -> None:
        is_die = table_input.kind in (InputKind.DIE, InputKind.ROLL)
        if self._fault:
            self._refuse(is_die)
            return
        result = handle_input(self._latest, table_input, self._random_source)
        if result.refusal is not None:
            self._refuse(is_die, result.refusal)
            return
        commands = _stamped(result)
        self._latest, self._refused = result.conversation, None
        waiting, self._unanswered = tuple(self._unanswered), []
        self._committer.add(Commit(commands, result.conversation, is_die, waiting))

    def _refuse(self, is_die: bool, why: Message | None = None) -> None:
        """Without `why` it is the fault that refuses."""
        self._display.refuse()
        if is_die:
            self.on_die_result(False)
        if why is not None:
            self._refused = why
            self._publish(replace(self.view, refusal=why))
            self._answer(Outcome(OutcomeKind.REFUSED, why))
        else:
            self._answer(Outcome(OutcomeKind.FAULT, self._fault))

    def _answer(self, outcome: Outcome) -> None:
        waiting, self._unanswered = self._unanswered, []
        _resolve(waiting, outcome)

    def _restart_hold_timer(self) -> None:
        if self._hold_timer is not None:
            self._hold_timer.cancel()
            self._hold_timer = None
        due_ms = self._gestures.due_ms()
        if due_ms is not None:
            self._hold_timer = self._loop.call_at(due_ms / 1000, self._handle_hold, due_ms)

    def _handle_hold(self, due_ms: float) -> None:
        """The loop's clock may be slightly earlier than the timer's time."""
        with self._fault_guard():
            self._handle_inputs(self._gestures.pass_time(max(due_ms, self._loop.time() * 1000)))

    # --- Pairing code -----------------------------------------------------------------

    def show_code(self) -> str:
        """Show a new pairing code on the matrix, until a press or until its time is over."""
        code = self._code.show()
        self._refused = None
        self._committer.drop_frame()  # it would replace the code
        assert self._code.scene is not None
        self._display.show(self._code.scene, self._status())
        self._publish(replace(self.view, refusal=None, shows_code=True))
        return code

    def pair(self, code: str) -> Message | None:
        """Why this code pairs nobody; None if it does.

        A used or void code is hidden: otherwise the phone's first press would only hide it.
        """
        refused = self._code.pairing.refusal(code)
        if refused is None or refused.key == "pair.void":
            self._hide_code()
        return refused

    def _handle_combo(self, combo: ButtonCombo) -> None:
        if self._fault:
            self._refuse(is_die=False)
        elif combo is ButtonCombo.HELD:
            self.show_code()
            self._answer(_DONE)
        else:
            self._hide_code()
            self._refuse(False, message("no.both_longer"))

    def _handle_press_during_code(self, event: ButtonDown) -> RecognisedInputs:
        """A press hides the code and does nothing else, even when it becomes a hold.

        OK and BACK together still act, so that a second code can be asked for.
        """
        now_ms = self._loop.time() * 1000
        self._handle_inputs(self._gestures.pass_time(now_ms))
        is_press = event.button not in self._gestures.down
        inputs = self._gestures.handle(event, now_ms)
        if not (self._code.is_on and is_press):
            return inputs
        self._gestures.mute(event.button)
        self._dismiss_code(is_die=False)
        return ()

    def _dismiss_code(self, is_die: bool) -> None:
        """The light answers by itself; the message says that nothing else was done."""
        self._refused = message("pair.put_away")
        self._hide_code()
        if is_die:
            self.on_die_result(False)
        self._answer(Outcome(OutcomeKind.REFUSED, self._refused))

    def _hide_code(self) -> None:
        if self._code.is_on:
            self._code.hide()
            self._display.show(scene_of(self.view.conversation), self._status())
            self._publish(replace(self.view, refusal=self._refused, shows_code=False))

    # --- Writing and confirming -------------------------------------------------------

    def _start_write(self) -> None:
        self._confirm(self._committer.start_write())

    def _first_frame(self, conversation: Conversation) -> LedFrame | None:
        """The frame that confirms a conversation, made while it is being written."""
        if self._code.is_on:
            return None
        with self._fault_guard():
            is_pending = bool(self._gestures.down) or self._committer.has_queue
            status = replace(self._display.status, is_pending=is_pending, is_unsaved=False)
            return self._display.first_frame(scene_of(conversation), status)

    def _handle_written(self, commits: Sequence[Commit], error: Exception | None) -> None:
        if error is not None and not isinstance(error, OSError):
            self._handle_fault(error)
            self._fail(commits)
            raise error
        with self._fault_guard():
            self._confirm(commits)
            self._start_write()
            self._update_status()
            self._notify_if_idle()

    def _confirm(self, commits: Sequence[Commit]) -> None:
        """Show the newest conversation on the matrix, and publish every step."""
        if not commits:
            return
        try:
            status, refused = self._status(), self._refused
            scene = self._code.scene or scene_of(commits[-1].conversation)
            self._display.show(scene, status, is_refused=refused is not None)
            for commit in commits:
                trouble, shows_code = self._trouble(), self._code.is_on  # the pad may get lost
                self._publish(TableView(commit.conversation, status, refused, trouble, shows_code))
                if commit.is_die:
                    self.on_die_result(True)
                _resolve(commit.waiting, _DONE)
        except Exception as error:
            try:
                self._handle_fault(error)
            finally:
                self._fail(commits)
            raise

    def _fail(self, commits: Sequence[Commit]) -> None:
        """Report commits that are never confirmed, because of a fault."""
        for commit in commits:
            _resolve(commit.waiting, Outcome(OutcomeKind.FAULT, self._fault))

    # --- State ------------------------------------------------------------------------

    @property
    def unsaved_error(self) -> OSError | None:
        """Why inputs are not on the disk, while they are not."""
        return self._committer.error

    @property
    def is_busy(self) -> bool:
        """Whether a button is down, or an input is not confirmed yet."""
        return bool(self._gestures.down) or self._committer.is_busy

    def wait_until_idle(self) -> asyncio.Future[None]:
        """Resolved when no button is down and every input is confirmed."""
        waiter: asyncio.Future[None] = self._loop.create_future()
        self._idle_waiters.append(waiter)
        self._notify_if_idle()
        return waiter

    def _notify_if_idle(self) -> None:
        if self._idle_waiters and not self.is_busy:
            waiters, self._idle_waiters = self._idle_waiters, []
            _resolve(waiters, None)

    def _update_status(self) -> None:
        """Update the marks of the rail, and publish a view if something changed."""
        if self._pending_led_timer is not None:
            self._pending_led_timer.cancel()
            self._pending_led_timer = None
        status, trouble = self._status(), self._trouble()
        self._display.mark(status)
        if (status, trouble) != (self.view.status, self.view.trouble):
            self._publish(replace(self.view, status=status, trouble=trouble))

    def _status(self) -> RailStatus:
        is_unsaved = self.unsaved_error is not None
        return replace(self._display.status, is_pending=self.is_busy, is_unsaved=is_unsaved)

    def _trouble(self) -> tuple[Message, ...]:
        disk, matrix = self.unsaved_error, self._display.trouble
        found = (
            self._fault,
            disk_trouble(disk) if disk else None,
            matrix_trouble(matrix) if matrix else None,
            *self._part_trouble.values(),
        )
        return tuple(one for one in found if one is not None)

    def _publish(self, view: TableView) -> None:
        self.view = view
        for watcher in self._watchers:
            watcher(view)

    @contextmanager
    def _fault_guard(self) -> Iterator[None]:
        """Report a fault of the program, and pass it on to the loop's exception handler."""
        try:
            yield
        except Exception as error:
            self._handle_fault(error)
            raise

    def _handle_fault(self, error: Exception) -> None:
        if not self._fault:
            self._fault = fault_trouble(error)
            self._fail(self._committer.halt())
            self._display.refuse()
            self._update_status()
        self._answer(Outcome(OutcomeKind.FAULT, self._fault))

    def close(self) -> None:
        """Take no more inputs. Those accepted are still written. Idempotent."""
        if self._is_closed:
            return
        self._is_closed = True
        self._code.close()
        for timer in (self._pending_led_timer, self._hold_timer):
            if timer is not None:
                timer.cancel()
        self._committer.close()


def _resolve(futures: Sequence[asyncio.Future[T]], result: T) -> None:
    for future in futures:
        if not future.done():  # whoever waited may have given up
            future.set_result(result)


def _stamped(result: InputResult) -> tuple[StampedCommand, ...]:
    """The commands to write. At most one of them is an entry, and it led to this conversation."""
    game = result.conversation.game
    commands: list[StampedCommand] = []
    for command in result.commands:
        if isinstance(command, BeginGame | ArchiveGame):
            commands.append(command)
        else:
            assert game is not None, "an entry without a game"
            commands.append(StampedEntry(command, fingerprint(game)))
    return tuple(commands)
