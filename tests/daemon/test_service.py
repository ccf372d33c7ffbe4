"""The service as a process: it stops on signals, and reports its faults."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

from helpers.patience import PATIENCE_S

from companion.storage.journal_reader import read_journal

PRELUDE = """
import asyncio, os, resource, signal, sys
from pathlib import Path
from companion.config.model import Config
from companion.adapters.hardware import VirtualHardware
from companion.daemon.service import run_service
from companion.table.inputs import OK, die_key

hardware = VirtualHardware(Config())
folder = Path(sys.argv[1])

def stop(after_s=0.1):
    asyncio.get_running_loop().call_later(after_s, os.kill, os.getpid(), signal.SIGTERM)

def print_matrix():
    lit = sum(led != (0, 0, 0) for led in hardware.chip.light())
    print(f"{lit} lit, bus {'open' if hardware.spi.is_open else 'closed'}", flush=True)

def begin(table):
    for _ in range(4):
        table.controller.deliver(OK)
"""


def run_scenario(folder: Path, body: str) -> subprocess.CompletedProcess[str]:
    """Run Python code after `PRELUDE` in a process of its own, with virtual hardware."""
    return subprocess.run(
        [sys.executable, "-c", PRELUDE + body, str(folder)],
        capture_output=True,
        text=True,
        check=False,
        timeout=PATIENCE_S,
    )


def test_sigterm_writes_queued_inputs_and_clears_the_matrix(tmp_path: Path) -> None:
    process = run_scenario(
        tmp_path,
        """
def opened(table):
    begin(table)
    table.controller.deliver(die_key(2))
    print_matrix()
    os.kill(os.getpid(), signal.SIGTERM)

run_service(Config(), hardware, folder, on_opened=opened)
print_matrix()
""",
    )
    assert process.stderr == ""
    assert process.returncode == 0
    assert process.stdout.splitlines()[0].endswith("bus open")
    assert process.stdout.splitlines()[1] == "0 lit, bus closed"
    assert len(read_journal(tmp_path / "game.jsonl").entries) == 1


def test_the_thread_switch_interval_is_short_while_it_runs(tmp_path: Path) -> None:
    """Afterwards it is restored, for programs that run a table themselves."""
    process = run_scenario(
        tmp_path,
        """
def opened(table):
    print(sys.getswitchinterval())
    stop()

run_service(Config(), hardware, folder, on_opened=opened)
print(sys.getswitchinterval())
""",
    )
    assert process.stdout.split() == ["0.0005", "0.005"]


def test_sigint_stops_the_service(tmp_path: Path) -> None:
    process = run_scenario(
        tmp_path,
        """
run_service(
    Config(), hardware, folder, on_opened=lambda _: os.kill(os.getpid(), signal.SIGINT)
)
print_matrix()
""",
    )
    assert (process.returncode, process.stdout, process.stderr) == (0, "0 lit, bus closed\n", "")


def test_sigterm_before_the_loop_runs_clears_the_matrix(tmp_path: Path) -> None:
    """The first frame is shown, and a small Pi is still importing."""
    process = run_scenario(
        tmp_path,
        """
import atexit
for name in [name for name in sys.modules if name.startswith("asyncio")]:
    del sys.modules[name]

class Finder:
    def find_spec(self, name, path=None, target=None):
        if name == "asyncio":
            print_matrix()
            os.kill(os.getpid(), signal.SIGTERM)

sys.meta_path.insert(0, Finder())
atexit.register(print_matrix)
run_service(Config(), hardware, folder, on_opened=lambda _: print("it never opens"))
""",
    )
    assert process.stdout.splitlines() == ["1 lit, bus open", "0 lit, bus closed"]
    assert (process.returncode, process.stderr) == (0, "")


def test_a_fault_stops_the_service_with_a_traceback_and_inputs_are_saved(
    tmp_path: Path,
) -> None:
    process = run_scenario(
        tmp_path,
        """
def opened(table):
    begin(table)
    table.controller.deliver(die_key(2))
    asyncio.get_running_loop().call_later(0.2, lambda: 1 / 0)

try:
    run_service(Config(), hardware, folder, on_opened=opened)
finally:
    print_matrix()
""",
    )
    assert process.stdout == "6 lit, bus closed\n"
    assert process.returncode == 1
    assert process.stderr.count("Traceback") == 1
    assert process.stderr.endswith("ZeroDivisionError: division by zero\n")
    assert len(read_journal(tmp_path / "game.jsonl").entries) == 1


def test_a_fault_in_the_controller_stops_the_service(tmp_path: Path) -> None:
    """Here in a watcher; faults in inputs, writing and drawing do the same."""
    process = run_scenario(
        tmp_path,
        """
def fail(view):
    if view.status.is_pending is False and view.conversation.game:
        raise LookupError("a fault")

def opened(table):
    table.controller.watch(fail)
    asyncio.get_running_loop().call_later(0.1, begin, table)

run_service(Config(), hardware, folder, on_opened=opened)
""",
    )
    assert process.returncode == 1
    assert process.stderr.endswith("LookupError: a fault\n")
    assert read_journal(tmp_path / "game.jsonl").header is not None


def test_inputs_that_could_not_be_saved_are_reported_at_the_end(tmp_path: Path) -> None:
    """The disk is full from the first roll until the end."""
    process = run_scenario(
        tmp_path,
        """
from companion.errors import CompanionError

def fill(table):
    size = (folder / "game.jsonl").stat().st_size
    resource.setrlimit(resource.RLIMIT_FSIZE, (size, resource.RLIM_INFINITY))
    table.controller.deliver(die_key(2))
    stop()

def opened(table):
    begin(table)
    asyncio.get_running_loop().call_later(0.3, fill, table)

try:
    run_service(Config(), hardware, folder, on_opened=opened)
except CompanionError as error:
    print(error)
print_matrix()
""",
    )
    assert process.stderr == ""
    assert process.stdout.splitlines() == [
        f"1 entry is not saved in {tmp_path / 'game.jsonl'} "
        "(File too large: copy the games away, change the card); it is lost",
        "6 lit, bus closed",
    ]
    assert read_journal(tmp_path / "game.jsonl").entries == []


def test_a_damaged_journal_is_refused_and_the_matrix_shows_the_fault_sign(tmp_path: Path) -> None:
    (tmp_path / "game.jsonl").write_text("this is not a journal\n")
    process = run_scenario(
        tmp_path,
        """
from companion.errors import CompanionError
try:
    run_service(Config(), hardware, folder)
except CompanionError as error:
    print(error)
print_matrix()
""",
    )
    assert "line 1 of the journal: this is not the header of a journal" in process.stdout
    assert process.stdout.endswith("6 lit, bus closed\n")
    assert process.stderr == ""


def test_without_a_control_socket_there_is_no_page(tmp_path: Path) -> None:
    """The page would show the table that answers at the socket, which is another one."""
    (tmp_path / "control.sock").write_text("something else")
    process = run_scenario(
        tmp_path,
        """
from companion.daemon import web_process

def refuse(*_, **__):
    raise AssertionError("the page was started")

web_process.page_beside = refuse
run_service(Config(), hardware, folder, on_opened=lambda _: stop(), on_page_opened=print)
""",
    )
    assert (process.returncode, process.stdout) == (0, "")
    assert process.stderr.count("\n") == 1
    assert "no control socket at" in process.stderr
