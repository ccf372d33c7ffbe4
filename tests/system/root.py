"""A root of Debian: as small as it can be, with systemd and Python in it."""

from __future__ import annotations

import hashlib
import os
import shutil
import subprocess
from collections.abc import Callable, Iterator, Mapping, Sequence
from pathlib import Path

from system.failure import StageError
from system.host import Reach, apt_settings

RELEASE = "bookworm"
PACKAGES = ("ca-certificates", "python3", "systemd-sysv")
NSPAWN = "systemd-container"
DAILY = ("apt-daily", "apt-daily-upgrade", "dpkg-db-backup")
"""What Debian does by itself at certain hours, and leaves its own traces of."""
# In a process namespace and mounts of its own: whoever ends it ends everything that it started,
# and leaves no mount behind.
APART = ("unshare", "--mount", "--pid", "--fork", "--kill-child", "--mount-proc")
# Nobody needs this root after a power cut, so it need not wait for the disk.
HASTY = {"DPKG_FORCE": "unsafe-io", "DEBIAN_FRONTEND": "noninteractive", "LC_ALL": "C.UTF-8"}
# Called with the root and a command that makes it elsewhere. In memory this takes half the time,
# for dpkg waits for the disk all the same, over its own lists.
MEMORY = "/mnt/root"
ROOM_BYTES = 3_000_000_000
_IN_MEMORY = f'mount -t tmpfs tmpfs /mnt; "$@"; cp --archive {MEMORY}/. "$0"'
# Called with the root, folders of this machine to be seen in it, and the command after a --.
_ENTER = (
    'mount --bind /proc "$0/proc"; mount --rbind /dev "$0/dev"; '
    'while [ "$1" != -- ]; do mkdir -p "$0$1"; mount --bind "$1" "$0$1"; shift; done; '
    'shift; exec chroot "$0" "$@"'
)
VOLATILE = ("dev", "proc", "run", "sys", "tmp")
MEMORIES = ("home", "root/.cache", "var/cache", "var/lib/apt", "var/lib/dpkg", "var/lib/systemd",
            "var/log", "var/tmp")  # fmt: skip
"""What fills up with what was done, whoever did it."""


class Root:
    def __init__(self, folder: Path, reach: Reach) -> None:
        self.folder = folder
        self._reach = reach

    def at(self, path: str | Path) -> Path:
        return self.folder / str(path).lstrip("/")

    # --- Making it --------------------------------------------------------------------

    def make_or_copy(self, kept: Path | None, make: Callable[[], None]) -> None:
        """Make it, unless one was kept; and keep it, if there is a place for that."""
        if kept is not None and kept.exists():
            subprocess.run(["cp", "--archive", "--reflink=auto", kept, self.folder], check=True)
            self.adopt()
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
        """The base by debootstrap, the rest by apt, which works out dependencies much faster.

        For another kind of `machine`, this one must be able to run its programs.
        """
        kind = [f"--arch={machine}"] if machine else []
        words = ("debootstrap", "--variant=minbase", *kind, release)
        if _free_memory() < ROOM_BYTES:
            self._do(*words, str(self.folder), mirror, log=log)
        else:
            self.folder.mkdir()
            self._do("sh", "-ec", _IN_MEMORY, str(self.folder), *words, MEMORY, mirror, log=log)
        self.adopt()
        self.at("etc/apt/apt.conf.d/90machine").write_text(apt_settings())
        self.at("etc/dpkg/dpkg.cfg.d/90hasty").write_text("force-unsafe-io\n")
        self.at("var/log/journal").mkdir(exist_ok=True)  # then it outlives a boot
        self.at("etc/udev/rules.d").mkdir(
            parents=True, exist_ok=True
        )  # a container has no use for udev itself
        units = self.at("etc/systemd/system")
        units.mkdir(parents=True, exist_ok=True)
        for name in DAILY:
            (units / f"{name}.timer").symlink_to("/dev/null")  # masked, as `systemctl mask` does it
        self._apt("update", "-qq", log=log)
        self._apt("install", "-qq", "--no-install-recommends", *packages, log=log)
        self.adopt()  # ca-certificates has brought its own

    def adopt(self) -> None:
        """Let it reach packages as this machine does."""
        shutil.copyfile("/etc/resolv.conf", self.at("etc/resolv.conf"))
        for target, source in self._reach.files.items():
            self.at(target).parent.mkdir(parents=True, exist_ok=True)
            shutil.copyfile(source, self.at(target))

    def _apt(self, *words: str, log: Path) -> None:
        self._do("chroot", str(self.folder), "apt-get", *words, log=log)

    def _do(self, *command: str, log: Path) -> None:
        with log.open("a") as file:
            done = subprocess.run(
                [*APART, *command],
                env={**self.environ, **HASTY},
                stdin=subprocess.DEVNULL,
                stdout=file,
                stderr=file,
                check=False,
            )
        if done.returncode:
            last = log.read_text(errors="replace").strip().splitlines()[-1:]
            raise StageError(f"'{' '.join(command)}' failed: {' '.join(last)}")

    def enter(self, *command: str) -> list[str]:
        """A command for this machine that runs a command in the root, without systemd."""
        folders = map(str, self._reach.folders)
        return [*APART, "sh", "-ec", _ENTER, str(self.folder), *folders, "--", *command]

    def run(self, *command: str) -> subprocess.CompletedProcess[str]:
        """A command in it, without systemd."""
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
        """That of a command in it."""
        path = "/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin"
        return {**self._reach.environ, "PATH": path, "HOME": "/root", "LANG": "C.UTF-8"}

    def unpack_nspawn(self, tools: Path, log: Path) -> list[str]:
        """systemd-nspawn, as a command for this machine.

        Installing it would bring another systemd along. So the one program is unpacked, and runs
        with the libraries of this root, which are those it was made for.
        """
        self._do(
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

    # --- Looking at it ----------------------------------------------------------------

    def contents(self) -> dict[str, str]:
        """All that is in it, by name; what is in a file of /etc as well.

        Without what is gone after a boot, and what only remembers what was done.
        """
        return {name: self._told(name) for name in self._names()}

    def _names(self) -> Iterator[str]:
        ignored = {*VOLATILE, *MEMORIES}
        for folder, folders, files in os.walk(self.folder):
            within = Path(folder).relative_to(self.folder)
            folders[:] = [
                name
                for name in folders
                if name != "__pycache__" and str(within / name) not in ignored
            ]
            yield from (str(within / name) for name in (*folders, *files))

    def _told(self, name: str) -> str:
        path = self.at(name)
        if path.is_symlink():
            return f"link to {path.readlink()}"
        if path.is_dir():
            return "folder"
        is_setting = name.startswith("etc/")
        return hashlib.sha256(path.read_bytes()).hexdigest() if is_setting else "file"

    def of_packages(self) -> set[str]:
        """Everything that belongs to one of Debian's packages."""
        lists = self.at("var/lib/dpkg/info").glob("*.list")
        return {line.lstrip("/") for path in lists for line in path.read_text().splitlines()}


def _free_memory() -> int:
    """Bytes that can be had without swapping."""
    lines = Path("/proc/meminfo").read_text().splitlines()
    about = dict(line.split(":", 1) for line in lines)
    return int(about["MemAvailable"].split()[0]) * 1024
