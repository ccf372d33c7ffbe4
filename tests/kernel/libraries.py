"""What the tests inside the kernel need beside this environment: lgpio, spidev and udev."""

from __future__ import annotations

import shutil
import subprocess
import sys
from pathlib import Path

from system.errors import CannotRunError, StepFailedError

LIBRARIES = ("lgpio==0.2.2.0", "spidev==3.8")
"""The versions of Raspberry Pi OS. On a Pi they are packages of the system."""
UDEVD = Path("usr/lib/systemd/systemd-udevd")


def install_libraries(target: Path) -> str:
    words = ["--quiet", "--disable-pip-version-check", "--no-deps", "--target", str(target)]
    done = subprocess.run(
        [sys.executable, "-m", "pip", "install", *words, *LIBRARIES],
        capture_output=True,
        text=True,
        check=False,
    )
    if done.returncode:
        version = f"{sys.version_info.major}.{sys.version_info.minor}"
        raise CannotRunError(
            f"pip cannot install {' and '.join(LIBRARIES)} for Python {version} "
            f"({done.stderr.strip().splitlines()[-1]}): use Python 3.11 or 3.12, with python3-dev"
        )
    return ", ".join(LIBRARIES)


def unpack_udev(target: Path) -> str:
    """The udev of this machine, or the files of Debian's package."""
    if (Path("/") / UDEVD).exists():
        return "of this machine"
    target.mkdir(parents=True)
    if subprocess.call(
        ["apt-get", "download", "-qq", "-o", "APT::Sandbox::User=root", "udev"], cwd=target
    ):
        raise CannotRunError("udev cannot be downloaded: 'apt update', or 'apt install udev'")
    (package,) = target.glob("*.deb")
    subprocess.run(["dpkg-deb", "--extract", package, target], check=True)
    package.unlink()
    for folder in ("bin", "lib"):  # links to folders of /usr
        if (target / folder).exists():
            shutil.copytree(
                target / folder, target / "usr" / folder, symlinks=True, dirs_exist_ok=True
            )
            shutil.rmtree(target / folder)
    if not (target / UDEVD).is_symlink():
        raise StepFailedError(f"Debian's udev has no {UDEVD}")
    return "of Debian's package"
