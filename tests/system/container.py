"""A root that is booted: systemd is its first process, and commands run beside it."""

from __future__ import annotations

import os
import shlex
import subprocess
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

from system.cgroup import Cgroup
from system.failure import SceneError, wait_until
from system.root import APART, Root

BOOT_S = 90.0
COMMAND_S = "240"
# What systemd-nspawn would leave in /run when it is killed, it leaves in one of its own.
OWN_RUN = ("sh", "-ec", 'mount -t tmpfs tmpfs /run; exec "$@"', "sh")
JOURNAL = ("journalctl", "--no-pager", "--directory=/var/log/journal")


@dataclass(frozen=True)
class Ran:
    """How a command ended, and what it said."""

    command: str
    code: int
    out: str
    err: str

    def __str__(self) -> str:
        return f"'{self.command}' ended with code {self.code}\n{self.out}{self.err}".rstrip()


class Container:
    """`close` ends it, however it is; twice is no trouble."""

    def __init__(
        self, root: Root, nspawn: Sequence[str], console: Path, *, folders: Sequence[Path] = ()
    ) -> None:
        self.root = root
        self._console = console
        self._name = f"marrakech-{os.getpid()}"
        self._nspawn = [
            *nspawn, "--quiet", "--boot", "--register=no", "--keep-unit", "--console=pipe",
            "--resolv-conf=off", "--timezone=off", "--link-journal=no",
            f"--machine={self._name}", f"--directory={root.folder}",
            *(f"--bind-ro={folder}" for folder in folders),
        ]  # fmt: skip
        self._cgroup: Cgroup | None = None
        self._process: subprocess.Popen[bytes] | None = None
        self._leader = 0

    # --- Power ------------------------------------------------------------------------

    def boot(self) -> None:
        """Until systemd says that all is started."""
        assert self._process is None, "it runs already"
        self._cgroup = Cgroup(self._name)
        # It dies with us, even if we are killed, and all that is in it with it; Ctrl-C is ours to
        # hear alone.
        words = ["setpriv", "--pdeathsig", "KILL", *APART, *OWN_RUN, *self._nspawn]
        command = self._cgroup.entering(words)
        with self._console.open("ab") as console:
            self._process = subprocess.Popen(
                command,
                stdin=subprocess.DEVNULL,
                stdout=console,
                stderr=console,
                start_new_session=True,
            )
        wait_until(self._is_up, "the container boots", BOOT_S)
        state = self.run("systemctl", "is-system-running").out.strip()
        if state != "running":
            raise SceneError(f"systemd is {state}\n{self.run('systemctl', '--failed').out}")

    def _is_up(self) -> bool:
        assert self._process is not None
        if self._process.poll() is not None:
            said = self._console.read_text(errors="replace").strip().splitlines()[-1:]
            raise SceneError(f"systemd-nspawn ended with {self._process.returncode}: {said}")
        self._leader = _first_process_in(self._process.pid)
        if not self._leader:
            return False
        state = self.run("systemctl", "is-system-running").out.strip()
        return state in ("running", "degraded")

    def power_off(self) -> None:
        """As `sudo poweroff` does."""
        assert self._process is not None
        self.do("systemctl", "--no-block", "poweroff")
        try:
            self._process.wait(BOOT_S)
        except subprocess.TimeoutExpired:
            raise SceneError(f"not off {BOOT_S:.0f} s after poweroff") from None
        self._clear_up()

    def pull_plug(self) -> None:
        """Every process in it ends at once, and hears nothing of it."""
        if self._process is not None:
            self._process.kill()
            self._process.wait()
        self._clear_up()

    def close(self) -> None:
        self.pull_plug()

    def _clear_up(self) -> None:
        self._process, self._leader = None, 0
        if self._cgroup is not None:
            self._cgroup.close()

    # --- Commands ---------------------------------------------------------------------

    def run(self, *words: str, folder: str = "/") -> Ran:
        """Run a command in it, as root, whatever comes of it."""
        environ = [f"{name}={value}" for name, value in self.root.environ.items()]
        done = subprocess.run(
            ["nsenter", f"--target={self._leader}", "--all", "/usr/bin/env", "--ignore-environment",
             f"--chdir={folder}", *environ, "timeout", COMMAND_S, *words],
            stdin=subprocess.DEVNULL,
            capture_output=True,
            text=True,
            errors="replace",
            check=False,
        )  # fmt: skip
        return Ran(shlex.join(words), done.returncode, done.stdout, done.stderr)

    def do(self, *words: str, folder: str = "/") -> str:
        """Run a command that must work. What it said."""
        ran = self.run(*words, folder=folder)
        if ran.code:
            raise SceneError(str(ran))
        return ran.out

    def journal(self, *words: str) -> str:
        """Of all boots. It can be read when nothing runs any more, too."""
        done = subprocess.run(
            ["chroot", str(self.root.folder), *JOURNAL, *words],
            stdin=subprocess.DEVNULL,
            capture_output=True,
            text=True,
            errors="replace",
            check=False,
        )
        return done.stdout + done.stderr


def _first_process_in(apart: int) -> int:
    """The systemd that was started there, as this machine numbers it; 0 if there is none yet."""
    parents = {}
    found = []
    for folder in Path("/proc").glob("[0-9]*"):
        try:
            lines = (folder / "status").read_text().splitlines()
        except OSError:  # it has just ended
            continue
        status = dict(line.split(":\t", 1) for line in lines if ":\t" in line)
        parents[int(folder.name)] = int(status["PPid"])
        # Before it is called so it is on its way there, and half of it is still this machine.
        if status["Name"] == "systemd" and status["NSpid"].endswith("\t1"):
            found.append(int(folder.name))
    return next((pid for pid in found if parents.get(parents[pid]) == apart), 0)
