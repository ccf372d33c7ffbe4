"""Limits of the page's process: CPU priority, memory, and its end together with the table.

The table always comes first.
"""

from __future__ import annotations

import os
import resource
import signal
from contextlib import suppress
from pathlib import Path
from threading import Thread
from time import sleep

NICE = 10
"""Used where SCHED_IDLE is missing or not permitted."""
MAX_DATA_BYTES = 192 << 20
"""Limit of writable memory; the page needs a third of that."""
OOM_SCORE_ADJUSTMENT = 500
"""When the machine runs out of memory, the kernel kills this process before the table's."""
_PR_SET_PDEATHSIG = 1
_POLL_S = 1.0


def lower_priority() -> None:
    """Apply each limit that the system permits."""
    with suppress(OSError):
        os.nice(NICE)
    # A nice process still keeps the CPU for some milliseconds when another one wakes up. With
    # SCHED_IDLE it is preempted at once (sched(7)), with exceptions that `cpu_yield` covers.
    with suppress(OSError, AttributeError):  # Linux only
        os.sched_setscheduler(0, os.SCHED_IDLE, os.sched_param(0))
    with suppress(OSError, ValueError):
        _, hard = resource.getrlimit(resource.RLIMIT_DATA)
        limit = MAX_DATA_BYTES if hard == resource.RLIM_INFINITY else min(MAX_DATA_BYTES, hard)
        resource.setrlimit(resource.RLIMIT_DATA, (limit, limit))
    with suppress(OSError):
        Path("/proc/self/oom_score_adj").write_text(str(OOM_SCORE_ADJUSTMENT))


def exit_with_parent(parent: int) -> None:
    """Exit when the parent process exits, for whatever reason."""
    import ctypes

    system = ctypes.CDLL(None)
    if hasattr(system, "prctl"):
        system.prctl(_PR_SET_PDEATHSIG, signal.SIGKILL, 0, 0, 0)
    else:  # not Linux: poll
        Thread(target=_exit_after, args=(parent,), daemon=True).start()
    if os.getppid() != parent:  # it has exited already, so no signal will come
        raise SystemExit(0)


def _exit_after(parent: int) -> None:
    while os.getppid() == parent:
        sleep(_POLL_S)
    os._exit(0)
