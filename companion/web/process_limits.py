"""What the page's process may take of the machine, and how long it may live.

It comes after the table in everything: the processor, the memory, and life itself.
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
"""Where the kernel does not know, or we may not use, a policy that gives way altogether."""
MOST_BYTES = 192 << 20
"""Of memory that can be written to; it needs a third of that."""
GOES_FIRST = 500
"""When the whole machine is short of memory, the kernel ends this process and not the table's."""
_PR_SET_PDEATHSIG = 1
_LOOK_S = 1.0


def lower_priority() -> None:
    """Where something of this is not allowed, the rest still holds."""
    with suppress(OSError):
        os.nice(NICE)
    # However nice, a process keeps the processor for some milliseconds when another one wakes up.
    # With this policy it goes as soon as the table has anything to do (sched(7)), or nearly so: for
    # the rest there is `breath`.
    with suppress(OSError, AttributeError):  # Linux alone has it
        os.sched_setscheduler(0, os.SCHED_IDLE, os.sched_param(0))
    with suppress(OSError, ValueError):
        _, hard = resource.getrlimit(resource.RLIMIT_DATA)
        most = MOST_BYTES if hard == resource.RLIM_INFINITY else min(MOST_BYTES, hard)
        resource.setrlimit(resource.RLIMIT_DATA, (most, most))
    with suppress(OSError):
        Path("/proc/self/oom_score_adj").write_text(str(GOES_FIRST))


def exit_with_parent(parent: int) -> None:
    """End when the process that has started this one ends, in whatever way."""
    import ctypes

    system = ctypes.CDLL(None)
    if hasattr(system, "prctl"):
        system.prctl(_PR_SET_PDEATHSIG, signal.SIGKILL, 0, 0, 0)
    else:  # no Linux: somebody has to look
        Thread(target=_end_after, args=(parent,), daemon=True).start()
    if os.getppid() != parent:  # it has ended already, and nobody will tell us
        raise SystemExit(0)


def _end_after(parent: int) -> None:
    while os.getppid() == parent:
        sleep(_LOOK_S)
    os._exit(0)
