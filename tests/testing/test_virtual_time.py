"""The virtual event loop: its time is exact, and never runs ahead of callbacks or threads."""

from __future__ import annotations

import asyncio
import socket
import threading

import pytest

from companion.testing.virtual_time import VirtualLoop, run


def now() -> float:
    return asyncio.get_running_loop().time()


def test_sleeping_for_days_takes_no_real_time() -> None:
    async def sleep_long() -> float:
        await asyncio.sleep(3 * 24 * 3600)
        return now()

    assert run(sleep_long()) == 259_200  # or the test would take three days


def test_sums_of_decimal_times_are_exact() -> None:
    async def many_tenths() -> list[float]:
        seen = [now()]
        for _ in range(10):
            await asyncio.sleep(0.1)
            seen.append(now())
        return seen

    assert run(many_tenths()) == [0, 0.1, 0.2, 0.3, 0.4, 0.5, 0.6, 0.7, 0.8, 0.9, 1.0]


def test_timers_run_in_order_at_their_times() -> None:
    seen: list[tuple[str, float]] = []

    async def main() -> None:
        loop = asyncio.get_running_loop()

        def record(name: str) -> None:
            seen.append((name, now()))

        for name, delay in (("third", 0.3), ("first", 1e-9), ("second", 0.012), ("never", 0.2)):
            timer = loop.call_later(delay, record, name)
            if name == "never":
                timer.cancel()
        await asyncio.sleep(1)

    run(main())
    assert seen == [("first", 1e-9), ("second", 0.012), ("third", 0.3)]


def test_timer_runs_at_exactly_its_time() -> None:
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


def test_call_from_a_thread_wakes_a_loop_without_timers() -> None:
    async def main() -> float:
        loop = asyncio.get_running_loop()
        called = loop.create_future()
        caller = threading.Timer(0.02, loop.call_soon_threadsafe, [called.set_result, None])
        caller.start()
        await called
        caller.join()
        return loop.time()

    assert run(main()) == 0


def test_data_in_a_socket_is_read_before_the_next_timer() -> None:
    async def main() -> float:
        loop = asyncio.get_running_loop()
        ours, theirs = socket.socketpair()
        with ours, theirs:
            ours.setblocking(False)
            read = asyncio.create_task(loop.sock_recv(ours, 9))
            timer = loop.call_later(0.001, read.cancel)
            await asyncio.sleep(0)  # start the task
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


def test_time_goes_on_after_a_worker_fails() -> None:
    async def main() -> float:
        with pytest.raises(ZeroDivisionError):
            await asyncio.to_thread(lambda: 1 // 0)
        await asyncio.sleep(5)
        return now()

    assert run(main()) == 5


def test_shutdown_waits_for_threads_despite_its_timeout() -> None:
    gate, ended = threading.Event(), list[bool]()

    async def main() -> None:
        loop = asyncio.get_running_loop()
        work = loop.run_in_executor(None, lambda: ended.append(gate.wait(5)))
        threading.Timer(0.02, gate.set).start()
        work.cancel()  # the thread keeps running
        await loop.shutdown_default_executor(timeout=0.001)  # type: ignore[call-arg]
        assert ended == [True]

    run(main())


def test_virtual_timeout_ends_a_wait() -> None:
    async def main() -> float:
        with pytest.raises(TimeoutError):
            async with asyncio.timeout(30):
                await asyncio.get_running_loop().create_future()
        return now()

    assert run(main()) == 30


def test_every_loop_has_its_own_clock() -> None:
    first, second = VirtualLoop(), VirtualLoop()
    try:
        first.run_until_complete(asyncio.sleep(1))
        assert (first.time(), second.time()) == (1, 0)
    finally:
        first.close()
        second.close()
