"""A matrix that takes its time holds up a worker, never the loop."""

from __future__ import annotations

import asyncio
from threading import Event

from companion.daemon.display import Display
from companion.daemon.worker_thread import ThreadWorker
from companion.light.frame import Picture
from companion.table.scenes.scene import Mark, Meaning, Scene, Shot
from companion.table.scenes.stage_scenes import Status


class SlowMatrix:
    """Takes a picture when it is let."""

    def __init__(self) -> None:
        self.has_begun, self.may_end = Event(), Event()
        self.shown: list[Picture] = []

    def show(self, shown: Picture) -> None:
        self.has_begun.set()
        assert self.may_end.wait(10)
        self.shown.append(shown)

    def renew(self, brightness: int | None = None) -> None: ...
    def close(self) -> None: ...


def scene(led: int) -> Scene:
    return Scene((Shot((Mark(Meaning.TRAIL, (led,)),)),))


def test_the_loop_goes_on_while_the_matrix_is_busy_and_the_newest_picture_comes_last() -> None:
    async def scenario() -> None:
        loop, matrix = asyncio.get_running_loop(), SlowMatrix()
        painter = ThreadWorker(loop, "painter")
        screen = Display(loop, matrix, painter, status=Status())
        screen.show(scene(1))
        assert await asyncio.to_thread(matrix.has_begun.wait, 10)
        # If the loop had to wait for the matrix, nobody would let it go on, and it would give up.
        screen.show(scene(2))
        screen.refuse()
        screen.show(scene(3))
        matrix.may_end.set()
        await asyncio.to_thread(painter.close)
        assert matrix.shown[0] == screen.first_picture(scene(1), Status())
        assert matrix.shown[-1] == screen.shown == screen.first_picture(scene(3), Status())
        screen.close()

    asyncio.run(scenario())
