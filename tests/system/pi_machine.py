"""A Raspberry Pi 3B in QEMU: power, a root shell on its serial console, and register writes."""

from __future__ import annotations

import shlex
import socket
import subprocess
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from system.container import ContainerResult
from system.errors import StepFailedError, wait_until
from system.pi_card import CONSOLE, DEVICE_TREE, LABEL
from system.qemu_control import Qmp, Qtest
from system.root import Root
from system.serial_console import SerialConsole, readable_tail, shell_line
from system.spi_trace import EVENT, REGIONS

BOOT_TIMEOUT_S = 1800.0
"""A boot takes one minute on an idle machine."""
SOCKETS = ("console", "qmp", "qtest")
KERNEL_TRACE = "/sys/kernel/tracing/trace"
# The kernel records all SPI transfers from the start.
_KERNEL_ARGUMENTS = (
    f"console={CONSOLE},115200 root=LABEL={LABEL} rw rootwait loglevel=4 "
    "trace_event=spi:spi_transfer_start trace_clock=mono"
)
_SET_PINS = 0x3F20001C
"""The register GPSET0. In QEMU it also sets the level of inputs."""
_HEADER_PINS = 0x0FFFFFFC
"""GPIO 2 to 27."""


class EmulatedPi:
    """`close` kills it. Idempotent. The card keeps what was written to it."""

    def __init__(self, tools: Root, folder: Path) -> None:
        self._tools = tools
        self._folder = folder
        self._console_log = folder / "console.log"
        self._trace = folder / "trace"
        self._process: subprocess.Popen[bytes] | None = None
        self._connections: list[Qmp | Qtest | socket.socket] = []

    # --- Power ----------------------------------------------------------------------------

    def boot(self) -> None:
        """Switch it on, and wait until systemd has started everything."""
        assert self._process is None, "it is already running"
        for name in SOCKETS:
            (self._folder / name).unlink(missing_ok=True)
        log = self._folder / "qemu.log"
        with log.open("ab") as file:
            # Everything in it dies with this process, even if this process is killed.
            self._process = subprocess.Popen(
                ["setpriv", "--pdeathsig", "KILL", *self._tools.enter(*self._command())],
                env=dict(self._tools.environ),
                stdin=subprocess.DEVNULL,
                stdout=file,
                stderr=file,
                start_new_session=True,
            )
        wait_until(
            lambda: not self.is_on or all((self._folder / name).exists() for name in SOCKETS),
            "QEMU starts",
        )
        if not self.is_on:
            raise StepFailedError(f"QEMU has ended\n{readable_tail(log.read_bytes())}")
        self._qmp, self._qtest = Qmp(self._folder / "qmp"), Qtest(self._folder / "qtest")
        line = socket.socket(socket.AF_UNIX, socket.SOCK_STREAM)
        line.connect(str(self._folder / "console"))
        self._connections = [self._qmp, self._qtest, line]
        self._console = SerialConsole(line.fileno())
        self._start()

    def _command(self) -> list[str]:
        return [
            "qemu-system-aarch64", "-M", "raspi3b", "-display", "none", "-monitor", "none",
            "-kernel", "/pi/kernel", "-initrd", "/pi/initrd", "-dtb", f"/pi/{DEVICE_TREE}",
            "-append", _KERNEL_ARGUMENTS, "-drive", "if=sd,format=raw,file=/pi/card",
            "-serial", "null",
            "-chardev", "socket,id=line,path=/pi/console,server=on,wait=off,"
            "logfile=/pi/console.log,logappend=on",
            "-serial", "chardev:line",
            "-qmp", "unix:/pi/qmp,server=on,wait=off",
            "-qtest", "unix:/pi/qtest,server=on,wait=off", "-qtest-log", "/dev/null",
            "-D", "/pi/trace", "-S",
        ]  # fmt: skip

    @property
    def is_on(self) -> bool:
        return self._process is not None and self._process.poll() is None

    def _start(self) -> None:
        # Contacts to ground are open, so pull-ups keep the pins high. QEMU has no pull-ups.
        self._qtest.write_register(_SET_PINS, _HEADER_PINS)
        self._qmp.execute("cont")
        self._console.wait_for_shell(BOOT_TIMEOUT_S, lambda: self.is_on)
        state = self.run("systemctl", "is-system-running", "--wait").out.strip()
        if state != "running":
            raise StepFailedError(f"systemd is {state}\n{self.run('systemctl', '--failed').out}")

    def reboot(self) -> None:
        """`sudo systemctl reboot`, and wait until it is up again."""
        self.check_run("dmesg", "--console-level", "info")  # for the log, should it not come back
        self.check_run("systemctl", "--no-block", "reboot")
        self._console.read_until(lambda: self._qmp.take_event("RESET"), "it resets", BOOT_TIMEOUT_S)
        self._start()

    def cut_power(self) -> None:
        """Kill QEMU: everything that the kernel has not written to the card is lost."""
        if self._process is not None:
            self._process.kill()
            self._process.wait()
            self._process = None
        try:
            if self._connections:
                self._qmp.wait_for_end()  # it still has the card open for a moment
        finally:
            for connection in self._connections:
                connection.close()
            self._connections = []

    def close(self) -> None:
        self.cut_power()

    # --- Commands -------------------------------------------------------------------------

    def run(self, *words: str, folder: str = "/") -> ContainerResult:
        """Run a command on the Pi, as root."""
        return ContainerResult(
            shlex.join(words), *self._console.run(shell_line(*words, folder=folder))
        )

    def check_run(self, *words: str, folder: str = "/") -> str:
        """Run a command that must succeed. Returns its standard output."""
        result = self.run(*words, folder=folder)
        if result.code:
            raise StepFailedError(str(result))
        return result.out

    def journal(self, *words: str) -> str:
        return self.check_run("journalctl", "--no-pager", "--quiet", *words)

    # --- Registers ------------------------------------------------------------------------

    @contextmanager
    def traced_writes(self) -> Iterator[list[str]]:
        """The writes to SPI and GPIO registers inside this context. Complete after it."""
        lines: list[str] = []
        start = self._trace.stat().st_size if self._trace.exists() else 0
        self._qmp.execute("trace-event-set-state", name=EVENT, enable=True)
        try:
            yield lines
        finally:
            self._qmp.execute("trace-event-set-state", name=EVENT, enable=False)
        with self._trace.open(errors="replace") as file:
            file.seek(start)
            lines += (line for line in file if any(name in line for name in REGIONS))

    def console_log(self) -> str:
        """What the kernel and others have printed there."""
        exists = self._console_log.exists()
        return readable_tail(self._console_log.read_bytes()) if exists else ""
