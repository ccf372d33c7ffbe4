"""A control group for a container: two containers in the same group would both claim it."""

from __future__ import annotations

import os
import time
from collections.abc import Sequence
from contextlib import suppress
from pathlib import Path

_ENTER = 'while [ "$1" != -- ]; do echo $$ > "$1/cgroup.procs"; shift; done; shift; exec "$@"'
_REMOVE_TIMEOUT_S = 5.0


class Cgroup:
    """A child of the current group. `close` removes it once it is empty. Idempotent."""

    def __init__(self, name: str) -> None:
        own = own_folders(
            Path("/proc/self/cgroup").read_text(), Path("/proc/self/mountinfo").read_text()
        )
        self.folders = [folder / name for folder in own]
        for folder in self.folders:
            folder.mkdir()

    def entering(self, command: Sequence[str]) -> list[str]:
        """A command that enters the group before it starts the given one."""
        folders = map(str, self.folders)
        return ["sh", "-ec", _ENTER, "sh", *folders, "--", *command]

    def close(self) -> None:
        end = time.monotonic() + _REMOVE_TIMEOUT_S
        while self._remove() and time.monotonic() < end:
            time.sleep(0.1)  # killed processes take a moment to end

    def _remove(self) -> bool:
        """Whether a folder is left."""
        for folder in self.folders:
            for place, _, _ in os.walk(folder, topdown=False):
                with suppress(OSError):
                    Path(place).rmdir()
        return any(folder.exists() for folder in self.folders)


def own_folders(cgroups: str, mounts: str) -> list[Path]:
    """The folders of this process's groups, in the hierarchies that systemd uses.

    `cgroups` is the text of /proc/PID/cgroup, `mounts` that of /proc/PID/mountinfo.
    """
    paths = {}
    for line in cgroups.splitlines():
        number, controllers, path = line.split(":", 2)
        if number == "0" or controllers == "name=systemd":
            paths[controllers] = path
    found = {}
    for line in mounts.splitlines():
        words, about = (part.split() for part in line.split(" - ", 1))
        kind = {"cgroup2": "", "cgroup": "name=systemd"}.get(about[0])
        if kind not in paths or (kind and kind not in about[2].split(",")):
            continue
        within = os.path.relpath(paths[kind], words[3])
        found[kind] = Path(words[4]) / ("." if within.startswith("..") else within)
    return list(found.values())
