"""The table as a process: it stops when it is told to, and never dies in silence."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

from helpers.patience import PATIENCE_S

from companion.storage.journal_reader import read_journal

PREPARED = """
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

def tell_matrix():
    lit = sum(led != (0, 0, 0) for led in hardware.chip.light())
    print(f"{lit} lit, bus {'open' if hardware.spi.is_open else 'closed'}", flush=True)

def begin(table):
    for _ in range(4):
        table.daemon.deliver(OK)
"""


def run_scenario(folder: Path, body: str) -> subprocess.CompletedProcess[str]:
    """Run a service in a process of its own, with virtual hardware that can be looked at."""
    return subprocess.run(
        [sys.executable, "-c", PREPARED + body, str(folder)],
        capture_output=True,
        text=True,
        check=False,
        timeout=PATIENCE_S,
    )


def test_sigterm_writes_what_was_heard_and_darkens_the_matrix(tmp_path: Path) -> None:
    done = run_scenario(
        tmp_path,
        """
def opened(table):
    begin(table)
    table.daemon.deliver(die_key(2))
    tell_matrix()
    os.kill(os.getpid(), signal.SIGTERM)

run_service(Config(), hardware, folder, opened=opened)
tell_matrix()
""",
    )
    assert done.stderr == ""
    assert done.returncode == 0
    assert done.stdout.splitlines()[0].endswith("bus open")
    assert done.stdout.splitlines()[1] == "0 lit, bus closed"
    assert len(read_journal(tmp_path / "game.jsonl").entries) == 1


def test_no_thread_of_it_keeps_the_others_waiting_for_long(tmp_path: Path) -> None:
    """And whoever runs a table in a program of their own has it as it was afterwards."""
    done = run_scenario(
        tmp_path,
        """
def opened(table):
    print(sys.getswitchinterval())
    stop()

run_service(Config(), hardware, folder, opened=opened)
print(sys.getswitchinterval())
""",
    )
    assert done.stdout.split() == ["0.0005", "0.005"]


def test_sigint_stops_it_as_well(tmp_path: Path) -> None:
    done = run_scenario(
        tmp_path,
        """
run_service(
    Config(), hardware, folder, opened=lambda _: os.kill(os.getpid(), signal.SIGINT)
)
tell_matrix()
""",
    )
    assert (done.returncode, done.stdout, done.stderr) == (0, "0 lit, bus closed\n", "")


def test_sigterm_before_the_loop_is_there_darkens_the_matrix(tmp_path: Path) -> None:
    """The first light is on, and a small Pi is still busy importing."""
    done = run_scenario(
        tmp_path,
        """
import atexit
for name in [name for name in sys.modules if name.startswith("asyncio")]:
    del sys.modules[name]

class Finder:
    def find_spec(self, name, path=None, target=None):
        if name == "asyncio":
            tell_matrix()
            os.kill(os.getpid(), signal.SIGTERM)

sys.meta_path.insert(0, Finder())
atexit.register(tell_matrix)
run_service(Config(), hardware, folder, opened=lambda _: print("it never opens"))
""",
    )
    assert done.stdout.splitlines() == ["1 lit, bus open", "0 lit, bus closed"]
    assert (done.returncode, done.stderr) == (0, "")


def test_a_fault_of_its_own_stops_it_with_a_traceback_and_everything_is_saved(
    tmp_path: Path,
) -> None:
    done = run_scenario(
        tmp_path,
        """
def opened(table):
    begin(table)
    table.daemon.deliver(die_key(2))
    asyncio.get_running_loop().call_later(0.2, lambda: 1 / 0)

try:
    run_service(Config(), hardware, folder, opened=opened)
finally:
    tell_matrix()
""",
    )
    assert done.stdout == "6 lit, bus closed\n"
    assert done.returncode == 1
    assert done.stderr.count("Traceback") == 1
    assert done.stderr.endswith("ZeroDivisionError: division by zero\n")
    assert len(read_journal(tmp_path / "game.jsonl").entries) == 1


def test_a_fault_in_the_daemon_stops_it_too(tmp_path: Path) -> None:
    """Here a watcher: the same goes for hearing, writing and drawing."""
    done = run_scenario(
        tmp_path,
        """
def fail(view):
    if view.status.is_heard is False and view.conversation.game:
        raise LookupError("nobody knows")

def opened(table):
    table.daemon.watch(fail)
    asyncio.get_running_loop().call_later(0.1, begin, table)

run_service(Config(), hardware, folder, opened=opened)
""",
    )
    assert done.returncode == 1
    assert done.stderr.endswith("LookupError: nobody knows\n")
    assert read_journal(tmp_path / "game.jsonl").header is not None


def test_what_could_not_be_saved_at_the_end_is_said(tmp_path: Path) -> None:
    """The disk is full from the first roll on, and still is when it stops."""
    done = run_scenario(
        tmp_path,
        """
from companion.errors import CompanionError

def fill(table):
    size = (folder / "game.jsonl").stat().st_size
    resource.setrlimit(resource.RLIMIT_FSIZE, (size, resource.RLIM_INFINITY))
    table.daemon.deliver(die_key(2))
    stop()

def opened(table):
    begin(table)
    asyncio.get_running_loop().call_later(0.3, fill, table)

try:
    run_service(Config(), hardware, folder, opened=opened)
except CompanionError as error:
    print(error)
tell_matrix()
""",
    )
    assert done.stderr == ""
    assert done.stdout.splitlines() == [
        f"1 entry is not saved in {tmp_path / 'game.jsonl'} "
        "(File too large: copy the games away, change the card); it is lost",
        "6 lit, bus closed",
    ]
    assert read_journal(tmp_path / "game.jsonl").entries == []


def test_a_journal_that_is_damaged_is_refused_with_a_sign_on_the_matrix(tmp_path: Path) -> None:
    (tmp_path / "game.jsonl").write_text("this is no journal\n")
    done = run_scenario(
        tmp_path,
        """
from companion.errors import CompanionError
try:
    run_service(Config(), hardware, folder)
except CompanionError as error:
    print(error)
tell_matrix()
""",
    )
    assert "line 1 of the journal: this is not the header of a journal" in done.stdout
    assert done.stdout.endswith("6 lit, bus closed\n")
    assert done.stderr == ""


def test_a_table_that_nobody_can_call_has_no_page(tmp_path: Path) -> None:
    """A page shows whichever table answers at its socket: here that would be another one."""
    (tmp_path / "control.sock").write_text("something else")
    done = run_scenario(
        tmp_path,
        """
import companion.daemon.web_process as beside

def refuse(*_, **__):
    raise AssertionError("a page of which table?")

beside.page_beside = refuse
run_service(Config(), hardware, folder, opened=lambda _: stop(), page_opened=print)
""",
    )
    assert (done.returncode, done.stdout) == (0, "")
    assert done.stderr.count("\n") == 1
    assert "no control socket at" in done.stderr
