"""Errors and expectations of the system test's steps."""

from __future__ import annotations

import time
from collections.abc import Callable

_POLL_S = 0.1


class StepFailedError(Exception):
    """A step of the test failed."""


class CannotRunError(Exception):
    """This machine cannot run the test: why, and what to do about it."""


class ForbiddenError(CannotRunError):
    """The kernel, the container or this user may not run it; no package would help."""


def expect(is_true: bool, what: str) -> None:
    if not is_true:
        raise StepFailedError(f"expected: {what}")


def expect_equal(found: object, expected: object, what: str) -> None:
    if found != expected:
        raise StepFailedError(f"{what}\n  found     {found!r}\n  expected  {expected!r}")


def wait_until(is_true: Callable[[], bool], what: str, timeout_s: float = 60.0) -> None:
    """Poll a condition. The timeout is long: other tests use the processor as well."""
    end = time.monotonic() + timeout_s
    while not is_true():
        if time.monotonic() > end:
            raise StepFailedError(f"not within {timeout_s:.0f} s: {what}")
        time.sleep(_POLL_S)
