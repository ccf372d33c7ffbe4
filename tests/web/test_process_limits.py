"""The page's process exits with the table's: by a signal, or by polling."""

from __future__ import annotations

import os
import subprocess
import sys

import pytest
from helpers.patience import PATIENCE_S

CHILD = """
import ctypes, sys, time
if sys.argv[1] == "polling":
    ctypes.CDLL = lambda _: object()  # as on a system without prctl
from companion.web import process_limits
process_limits._POLL_S = 0.01
process_limits.exit_with_parent(int(sys.argv[2]))
print("ready", flush=True)
time.sleep(60)
"""
PARENT = """
import os, subprocess, sys
subprocess.call([sys.executable, "-c", sys.argv[1], sys.argv[2], str(os.getpid())])
"""


@pytest.mark.parametrize("way", ["signal", "polling"])
def test_it_exits_when_its_parent_is_killed(way: str) -> None:
    with subprocess.Popen(
        [sys.executable, "-c", PARENT, CHILD, way], stdout=subprocess.PIPE, text=True
    ) as parent:
        assert parent.stdout is not None
        assert parent.stdout.readline() == "ready\n"
        parent.kill()
        assert parent.stdout.read() == "", "no process has the pipe open"


def test_it_exits_at_once_if_its_parent_has_exited_before() -> None:
    command = [sys.executable, "-c", CHILD, "signal", str(os.getpid() + 1)]
    done = subprocess.run(command, capture_output=True, text=True, check=True, timeout=PATIENCE_S)
    assert done.stdout == ""
