"""Tries to open device files as root, inside or outside the control group of a service.

    python open_devices.py [--group GROUP] [DEVICE ...]       default: every device in /dev

Root passes all file modes, so that only the control group's device filter can refuse. Prints as
JSON the error for each device, or "" if it opens. The filter refuses with EPERM.
"""

from __future__ import annotations

import errno
import json
import os
import stat
import sys
from collections.abc import Iterator
from pathlib import Path

CGROUPS = Path("/sys/fs/cgroup")


def main(words: list[str]) -> int:
    if words[:1] == ["--group"]:
        (CGROUPS / words[1].lstrip("/") / "cgroup.procs").write_text(str(os.getpid()))
        words = words[2:]
    print(json.dumps({name: try_to_open(name) for name in words or devices()}))
    return 0


def devices() -> Iterator[str]:
    for folder, _, names in os.walk("/dev"):
        for name in sorted(names):
            path = Path(folder, name)
            mode = path.lstat().st_mode
            if stat.S_ISCHR(mode) or stat.S_ISBLK(mode):
                yield str(path)


def try_to_open(name: str) -> str:
    try:
        os.close(os.open(name, os.O_RDWR | os.O_NONBLOCK | os.O_NOCTTY))
    except OSError as error:
        return errno.errorcode[error.errno or 0]
    return ""


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
