"""What a scene raises when it does not come out, or when this machine cannot play it."""

from __future__ import annotations

import time
from collections.abc import Callable

_LOOK_S = 0.1


class SceneError(Exception):
    """Something did not come out as it should."""


class StageError(Exception):
    """This machine cannot play the scenes: why, and what to do about it."""


class ForbiddenError(StageError):
    """Its kernel, its container or this user may not do it; no package would help."""


def expect(is_so: bool, what: str) -> None:
    if not is_so:
        raise SceneError(f"not so: {what}")


def expect_equal(found: object, wanted: object, what: str) -> None:
    if found != wanted:
        raise SceneError(f"{what}\n  found   {found!r}\n  wanted  {wanted!r}")


def wait_until(is_so: Callable[[], bool], what: str, patience_s: float = 60.0) -> None:
    """However long it takes, within reason: other tests want the processor as well."""
    end = time.monotonic() + patience_s
    while not is_so():
        if time.monotonic() > end:
            raise SceneError(f"not within {patience_s:.0f} s: {what}")
        time.sleep(_LOOK_S)
