"""A booted Debian root: systemd is process 1, and tests run commands beside it."""

from __future__ import annotations

import os
import shlex
import subprocess
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

from system.cgroup import Cgroup
from system.errors import StepFailedError, wait_until
from system.root import ISOLATED, Root

BOOT_TIMEOUT_S = 90.0
COMMAND_TIMEOUT_S = "240"
# A private /run: systemd-nspawn leaves files there when it is killed.
PRIVATE_RUN = ("sh", "-ec", 'mount -t tmpfs tmpfs /run; exec "$@"', "sh")
JOURNAL = ("journalctl", "--no-pager", "--directory=/var/log/journal")


@dataclass(frozen=True)
class ContainerResult:
    """The result of a command in the container."""

    command: str
    code: int
    out: str
    err: str

    def __str__(self) -> str:
        return f"'{self.command}' ended with code {self.code}\n{self.out}{self.err}".rstrip()


class Container:
    """`close` kills it. Idempotent."""

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

    # --- Power ----------------------------------------------------------------------------

    def boot(self) -> None:
        """Boot, and wait until systemd has started everything."""
        assert self._process is None, "it is already running"
        self._cgroup = Cgroup(self._name)
        # All its processes die with this one, even if this one is killed. Ctrl-C reaches only this
        # one (start_new_session).
        words = ["setpriv", "--pdeathsig", "KILL", *ISOLATED, *PRIVATE_RUN, *self._nspawn]
        command = self._cgroup.entering(words)
        with self._console.open("ab") as console:
            self._process = subprocess.Popen(
                command,
                stdin=subprocess.DEVNULL,
                stdout=console,
                stderr=console,
                start_new_session=True,
            )
        wait_until(self._is_up, "the container boots", BOOT_TIMEOUT_S)
        state = self.run("systemctl", "is-system-running").out.strip()
        if state != "running":
            raise StepFailedError(f"systemd is {state}\n{self.run('systemctl', '--failed').out}")

    def _is_up(self) -> bool:
        assert self._process is not None
        if self._process.poll() is not None:
            lines = self._console.read_text(errors="replace").strip().splitlines()[-1:]
            raise StepFailedError(f"systemd-nspawn ended with {self._process.returncode}: {lines}")
        self._leader = _find_systemd(self._process.pid)
        if not self._leader:
            return False
        state = self.run("systemctl", "is-system-running").out.strip()
        return state in ("running", "degraded")

    def power_off(self) -> None:
        """Shut down like `sudo poweroff`."""
        assert self._process is not None
        self.check_run("systemctl", "--no-block", "poweroff")
        try:
            self._process.wait(BOOT_TIMEOUT_S)
        except subprocess.TimeoutExpired:
            raise StepFailedError(f"still running {BOOT_TIMEOUT_S:.0f} s after poweroff") from None
        self._clean_up()

    def cut_power(self) -> None:
        """Kill all its processes at once, without a shutdown."""
        if self._process is not None:
            self._process.kill()
            self._process.wait()
        self._clean_up()

    def close(self) -> None:
        self.cut_power()

    def _clean_up(self) -> None:
        self._process, self._leader = None, 0
        if self._cgroup is not None:
            self._cgroup.close()

    # --- Commands -------------------------------------------------------------------------

    def run(self, *words: str, folder: str = "/") -> ContainerResult:
        """Run a command in the container, as root."""
        environ = [f"{name}={value}" for name, value in self.root.environ.items()]
        done = subprocess.run(
            ["nsenter", f"--target={self._leader}", "--all", "/usr/bin/env", "--ignore-environment",
             f"--chdir={folder}", *environ, "timeout", COMMAND_TIMEOUT_S, *words],
            stdin=subprocess.DEVNULL,
            capture_output=True,
            text=True,
            errors="replace",
            check=False,
        )  # fmt: skip
        return ContainerResult(shlex.join(words), done.returncode, done.stdout, done.stderr)

    def check_run(self, *words: str, folder: str = "/") -> str:
        """Run a command that must succeed. Returns its standard output."""
        result = self.run(*words, folder=folder)
        if result.code:
            raise StepFailedError(str(result))
        return result.out

    def journal(self, *words: str) -> str:
        """The log of all boots. Also works after the container has stopped."""
        done = subprocess.run(
            ["chroot", str(self.root.folder), *JOURNAL, *words],
            stdin=subprocess.DEVNULL,
            capture_output=True,
            text=True,
            errors="replace",
            check=False,
        )
        return done.stdout + done.stderr


def _find_systemd(unshare_pid: int) -> int:
    """The pid, outside the container, of its systemd; 0 if there is none yet."""
    parents = {}
    found = []
    for folder in Path("/proc").glob("[0-9]*"):
        try:
            lines = (folder / "status").read_text().splitlines()
        except OSError:  # the process has just ended
            continue
        status = dict(line.split(":\t", 1) for line in lines if ":\t" in line)
        parents[int(folder.name)] = int(status["PPid"])
        # Before exec has renamed it to systemd, its namespaces are not complete.
        if status["Name"] == "systemd" and status["NSpid"].endswith("\t1"):
            found.append(int(folder.name))
    return next((pid for pid in found if parents.get(parents[pid]) == unshare_pid), 0)
