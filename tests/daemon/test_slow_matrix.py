"""A slow matrix blocks a worker, never the loop."""

from __future__ import annotations

import asyncio
from threading import Event

from companion.daemon.display import Display
from companion.daemon.worker_thread import ThreadWorker
from companion.light.frame import LedFrame
from companion.table.scenes.scene import Mark, Meaning, Scene, Shot
from companion.table.scenes.stage_scenes import RailStatus


class SlowMatrix:
    """Waits in `show` until `may_end` is set."""

    def __init__(self) -> None:
        self.has_begun, self.may_end = Event(), Event()
        self.shown: list[LedFrame] = []

    def show(self, shown: LedFrame) -> None:
        self.has_begun.set()
        assert self.may_end.wait(10)
        self.shown.append(shown)

    def reinitialize(self, brightness: int | None = None) -> None: ...
    def close(self) -> None: ...


def scene(led: int) -> Scene:
    return Scene((Shot((Mark(Meaning.TRAIL, (led,)),)),))


def test_the_loop_continues_while_the_matrix_is_busy_and_the_newest_frame_comes_last() -> None:
    async def scenario() -> None:
        loop, matrix = asyncio.get_running_loop(), SlowMatrix()
        painter = ThreadWorker(loop, "painter")
        display = Display(loop, matrix, painter, status=RailStatus())
        display.show(scene(1))
        assert await asyncio.to_thread(matrix.has_begun.wait, 10)
        # If the loop waited for the matrix, `may_end` would not be set, and `show` would fail.
        display.show(scene(2))
        display.refuse()
        display.show(scene(3))
        matrix.may_end.set()
        await asyncio.to_thread(painter.close)
        assert matrix.shown[0] == display.first_frame(scene(1), RailStatus())
        assert matrix.shown[-1] == display.shown == display.first_frame(scene(3), RailStatus())
        display.close()

    asyncio.run(scenario())
