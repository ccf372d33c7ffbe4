"""A minimal Debian root file system with systemd and Python."""

from __future__ import annotations

import hashlib
import os
import shutil
import subprocess
from collections.abc import Callable, Iterator, Mapping, Sequence
from pathlib import Path

from system.errors import CannotRunError
from system.host import PackageAccess, apt_settings

RELEASE = "bookworm"
PACKAGES = ("ca-certificates", "python3", "systemd-sysv")
NSPAWN = "systemd-container"
DAILY = ("apt-daily", "apt-daily-upgrade", "dpkg-db-backup")
"""Debian's daily timers, which would change files during the test."""
# In its own process and mount namespaces: when it ends, all its processes and mounts end.
ISOLATED = ("unshare", "--mount", "--pid", "--fork", "--kill-child", "--mount-proc")
# The root need not survive a power cut, so dpkg need not sync.
NO_SYNC = {"DPKG_FORCE": "unsafe-io", "DEBIAN_FRONTEND": "noninteractive", "LC_ALL": "C.UTF-8"}
# Called with the root, and a command that creates it in memory. This takes half the time, because
# dpkg syncs its own lists in any case.
MEMORY_ROOT = "/mnt/root"
MIN_MEMORY_BYTES = 3_000_000_000
_IN_MEMORY = f'mount -t tmpfs tmpfs /mnt; "$@"; cp --archive {MEMORY_ROOT}/. "$0"'
# Called with the root, folders of this machine to mount in it, and the command after a --.
_ENTER = (
    'mount --bind /proc "$0/proc"; mount --rbind /dev "$0/dev"; '
    'while [ "$1" != -- ]; do mkdir -p "$0$1"; mount --bind "$1" "$0$1"; shift; done; '
    'shift; exec chroot "$0" "$@"'
)
VOLATILE = ("dev", "proc", "run", "sys", "tmp")
LOGS_AND_CACHES = (
    *("home", "root/.cache", "var/cache", "var/lib/apt", "var/lib/dpkg", "var/lib/systemd"),
    *("var/log", "var/tmp"),
)
"""Files there change with every command."""


class Root:
    def __init__(self, folder: Path, access: PackageAccess) -> None:
        self.folder = folder
        self._access = access

    def at(self, path: str | Path) -> Path:
        return self.folder / str(path).lstrip("/")

    # --- Creating it ----------------------------------------------------------------------

    def make_or_copy(self, kept: Path | None, make: Callable[[], None]) -> None:
        """Copy the root `kept`, or create it and keep a copy there."""
        if kept is not None and kept.exists():
            subprocess.run(["cp", "--archive", "--reflink=auto", kept, self.folder], check=True)
            self.copy_access_files()
            return
        make()
        if kept is not None:
            subprocess.run(["cp", "--archive", self.folder, kept], check=True)

    def make(
        self,
        mirror: str,
        log: Path,
        *,
        release: str = RELEASE,
        machine: str = "",
        packages: Sequence[str] = PACKAGES,
    ) -> None:
        """The base with debootstrap, the rest with apt, which resolves dependencies much faster.

        `machine` is another architecture, whose programs must run here.
        """
        kind = [f"--arch={machine}"] if machine else []
        words = ("debootstrap", "--variant=minbase", *kind, release)
        if _free_memory_bytes() < MIN_MEMORY_BYTES:
            self._check_run(*words, str(self.folder), mirror, log=log)
        else:
            self.folder.mkdir()
            self._check_run(
                "sh", "-ec", _IN_MEMORY, str(self.folder), *words, MEMORY_ROOT, mirror, log=log
            )
        self.copy_access_files()
        self.at("etc/apt/apt.conf.d/90machine").write_text(apt_settings())
        self.at("etc/dpkg/dpkg.cfg.d/90hasty").write_text("force-unsafe-io\n")
        self.at("var/log/journal").mkdir(exist_ok=True)  # makes the journal persistent
        self.at("etc/udev/rules.d").mkdir(parents=True, exist_ok=True)  # a container has no udev
        units = self.at("etc/systemd/system")
        units.mkdir(parents=True, exist_ok=True)
        for name in DAILY:
            (units / f"{name}.timer").symlink_to("/dev/null")  # masked, as `systemctl mask` does it
        self._apt("update", "-qq", log=log)
        self._apt("install", "-qq", "--no-install-recommends", *packages, log=log)
        self.copy_access_files()  # ca-certificates has overwritten the bundle

    def copy_access_files(self) -> None:
        """Copy what it needs to download packages."""
        shutil.copyfile("/etc/resolv.conf", self.at("etc/resolv.conf"))
        for target, source in self._access.files.items():
            self.at(target).parent.mkdir(parents=True, exist_ok=True)
            shutil.copyfile(source, self.at(target))

    def _apt(self, *words: str, log: Path) -> None:
        self._check_run("chroot", str(self.folder), "apt-get", *words, log=log)

    def _check_run(self, *command: str, log: Path) -> None:
        with log.open("a") as file:
            done = subprocess.run(
                [*ISOLATED, *command],
                env={**self.environ, **NO_SYNC},
                stdin=subprocess.DEVNULL,
                stdout=file,
                stderr=file,
                check=False,
            )
        if done.returncode:
            last = log.read_text(errors="replace").strip().splitlines()[-1:]
            raise CannotRunError(f"'{' '.join(command)}' failed: {' '.join(last)}")

    def enter(self, *command: str) -> list[str]:
        """The command line that runs a command in the root, without systemd."""
        folders = map(str, self._access.folders)
        return [*ISOLATED, "sh", "-ec", _ENTER, str(self.folder), *folders, "--", *command]

    def run(self, *command: str) -> subprocess.CompletedProcess[str]:
        """Run a command in the root, without systemd."""
        return subprocess.run(
            self.enter(*command),
            env=dict(self.environ),
            stdin=subprocess.DEVNULL,
            capture_output=True,
            text=True,
            errors="replace",
            check=False,
        )

    @property
    def environ(self) -> Mapping[str, str]:
        """The environment of commands in the root."""
        path = "/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin"
        return {**self._access.environ, "PATH": path, "HOME": "/root", "LANG": "C.UTF-8"}

    def unpack_nspawn(self, tools: Path, log: Path) -> list[str]:
        """The command line of systemd-nspawn, unpacked from its package.

        Installing the package would replace systemd. The program runs with the libraries of the
        root, which have the right version.
        """
        self._check_run(
            *("chroot", str(self.folder), "sh", "-c"),
            f"cd /tmp && apt-get download -qq {NSPAWN} && mv {NSPAWN}_*.deb nspawn.deb",
            log=log,
        )
        package = self.at("tmp/nspawn.deb")
        subprocess.run(["dpkg-deb", "--extract", str(package), str(tools)], check=True)
        package.unlink()
        loader = next(self.folder.glob("usr/lib/*/ld-linux-*.so.*"))
        libraries = f"{loader.parent}:{loader.parent / 'systemd'}"
        return [str(loader), "--library-path", libraries, str(tools / "usr/bin/systemd-nspawn")]

    # --- Its contents ---------------------------------------------------------------------

    def contents(self) -> dict[str, str]:
        """All paths with their kind, and for files in /etc with a hash.

        Without volatile folders, logs and caches.
        """
        return {name: self._describe(name) for name in self._names()}

    def _names(self) -> Iterator[str]:
        ignored = {*VOLATILE, *LOGS_AND_CACHES}
        for folder, folders, files in os.walk(self.folder):
            within = Path(folder).relative_to(self.folder)
            folders[:] = [
                name
                for name in folders
                if name != "__pycache__" and str(within / name) not in ignored
            ]
            yield from (str(within / name) for name in (*folders, *files))

    def _describe(self, name: str) -> str:
        path = self.at(name)
        if path.is_symlink():
            return f"link to {path.readlink()}"
        if path.is_dir():
            return "folder"
        is_setting = name.startswith("etc/")
        return hashlib.sha256(path.read_bytes()).hexdigest() if is_setting else "file"

    def package_files(self) -> set[str]:
        """All files that belong to Debian packages."""
        lists = self.at("var/lib/dpkg/info").glob("*.list")
        return {line.lstrip("/") for path in lists for line in path.read_text().splitlines()}


def _free_memory_bytes() -> int:
    lines = Path("/proc/meminfo").read_text().splitlines()
    values = dict(line.split(":", 1) for line in lines)
    return int(values["MemAvailable"].split()[0]) * 1024
