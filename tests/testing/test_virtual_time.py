"""A loop whose time is virtual: exact, in order, and never ahead of what happens."""

from __future__ import annotations

import asyncio
import socket
import threading

import pytest

from companion.testing.virtual_time import VirtualLoop, run


def now() -> float:
    return asyncio.get_running_loop().time()


def test_a_day_takes_no_time() -> None:
    async def sleep_long() -> float:
        await asyncio.sleep(3 * 24 * 3600)
        return now()

    assert run(sleep_long()) == 259_200  # or the test would take three days


def test_times_come_out_as_one_writes_them() -> None:
    async def many_tenths() -> list[float]:
        seen = [now()]
        for _ in range(10):
            await asyncio.sleep(0.1)
            seen.append(now())
        return seen

    assert run(many_tenths()) == [0, 0.1, 0.2, 0.3, 0.4, 0.5, 0.6, 0.7, 0.8, 0.9, 1.0]


def test_timers_run_in_the_order_of_their_times_and_see_them() -> None:
    seen: list[tuple[str, float]] = []

    async def main() -> None:
        loop = asyncio.get_running_loop()

        def note(name: str) -> None:
            seen.append((name, now()))

        for name, delay in (("third", 0.3), ("first", 1e-9), ("second", 0.012), ("never", 0.2)):
            timer = loop.call_later(delay, note, name)
            if name == "never":
                timer.cancel()
        await asyncio.sleep(1)

    run(main())
    assert seen == [("first", 1e-9), ("second", 0.012), ("third", 0.3)]


def test_a_timer_sees_exactly_the_time_it_was_set_for() -> None:
    async def main() -> None:
        loop = asyncio.get_running_loop()
        # The last two are such that 160.725 + (453.325 - 160.725) is not quite 453.325.
        for delay in (*[0.1] * 7, 160.025, 292.6):
            timer = loop.call_later(delay, lambda: None)
            await asyncio.sleep(delay)
            assert timer.when() == loop.time()
        assert loop.time() == 453.325

    run(main())


def test_time_stands_still_while_callbacks_are_ready() -> None:
    seen: list[float] = []

    async def main() -> None:
        loop = asyncio.get_running_loop()
        timer = asyncio.create_task(asyncio.sleep(0.001))
        for _ in range(100):
            await asyncio.sleep(0)
            seen.append(loop.time())
        await timer
        seen.append(loop.time())

    run(main())
    assert seen == [0.0] * 100 + [0.001]


def test_a_call_from_a_thread_wakes_a_loop_without_timers() -> None:
    async def main() -> float:
        loop = asyncio.get_running_loop()
        called = loop.create_future()
        caller = threading.Timer(0.02, loop.call_soon_threadsafe, [called.set_result, None])
        caller.start()
        await called
        caller.join()
        return loop.time()

    assert run(main()) == 0


def test_what_lies_in_a_socket_comes_before_the_next_timer() -> None:
    async def main() -> float:
        loop = asyncio.get_running_loop()
        ours, theirs = socket.socketpair()
        with ours, theirs:
            ours.setblocking(False)
            read = asyncio.create_task(loop.sock_recv(ours, 9))
            timer = loop.call_later(0.001, read.cancel)
            await asyncio.sleep(0)  # the reading begins
            theirs.send(b"assam")
            assert await read == b"assam"
            timer.cancel()
            return loop.time()

    assert run(main()) == 0


def test_time_waits_for_a_worker_thread() -> None:
    async def main() -> tuple[float, float]:
        ticks = asyncio.create_task(asyncio.sleep(0.001))
        gate = threading.Event()
        threading.Timer(0.02, gate.set).start()
        await asyncio.to_thread(gate.wait)
        before = now()
        await ticks
        return before, now()

    assert run(main()) == (0, 0.001)


def test_a_worker_that_fails_does_not_stop_time() -> None:
    async def main() -> float:
        with pytest.raises(ZeroDivisionError):
            await asyncio.to_thread(lambda: 1 // 0)
        await asyncio.sleep(5)
        return now()

    assert run(main()) == 5


def test_threads_are_waited_for_at_the_end_although_their_time_is_limited() -> None:
    gate, ended = threading.Event(), list[bool]()

    async def main() -> None:
        loop = asyncio.get_running_loop()
        work = loop.run_in_executor(None, lambda: ended.append(gate.wait(5)))
        threading.Timer(0.02, gate.set).start()
        work.cancel()  # the thread goes on
        await loop.shutdown_default_executor(timeout=0.001)  # type: ignore[call-arg]
        assert ended == [True]

    run(main())


def test_a_timeout_that_is_virtual_still_ends_a_wait() -> None:
    async def main() -> float:
        with pytest.raises(TimeoutError):
            async with asyncio.timeout(30):
                await asyncio.get_running_loop().create_future()
        return now()

    assert run(main()) == 30


def test_two_loops_have_two_clocks() -> None:
    first, second = VirtualLoop(), VirtualLoop()
    try:
        first.run_until_complete(asyncio.sleep(1))
        assert (first.time(), second.time()) == (1, 0)
    finally:
        first.close()
        second.close()
