"""The crew: every test file is run once by one of several pytest processes, or it is a failure.

Each test has a small checkout of its own and real processes.
"""

from __future__ import annotations

import os
import re
import shutil
import subprocess
import sys
from pathlib import Path

import pytest
from crew import Tally

HERE = Path(__file__).parent
PROJECT = """\
[tool.pytest.ini_options]
addopts = ["--import-mode=importlib", "-ra"]
[tool.coverage.run]
source = ["shop"]
"""
SHOP = "def sell():\n    return 1\ndef buy():\n    return 2\n"
SELLS = "import shop\ndef test_sells(): assert shop.sell() == 1\n"
BUYS = "import shop\ndef test_buys(): assert shop.buy() == 2\n"
# As `python crew.py`, elsewhere; Ctrl-C is heard, which a job in the background may ignore.
RUNNER = """\
import signal, sys
from pathlib import Path
signal.signal(signal.SIGINT, signal.default_int_handler)
sys.path.append(sys.argv[1])
import crew
try:
    sys.exit(crew.run_crew(Path.cwd(), int(sys.argv[2])))
except KeyboardInterrupt:
    sys.exit(130)
"""


class Checkout:
    def __init__(self, root: Path) -> None:
        self.root = root
        (root / "pyproject.toml").write_text(PROJECT)
        (root / "shop.py").write_text(SHOP)
        (root / "tests" / "deeper").mkdir(parents=True)
        shutil.copy(HERE / "conftest.py", root / "tests")

    def write(self, **sources: str) -> None:
        """Test files by their names; a `deeper__` is in a folder."""
        for name, source in sources.items():
            (self.root / "tests" / f"{name.replace('__', '/')}.py").write_text(source)

    def run(self, workers: int = 2, ci: str = "") -> tuple[int, list[str]]:
        """The exit code and the lines that were said, with T for every time."""
        told = [sys.executable, "-c", RUNNER, str(HERE), str(workers)]
        environment = {**os.environ, "CI": ci, "PYTHONPATH": str(self.root)}
        ran = subprocess.run(
            told, cwd=self.root, env=environment, capture_output=True, text=True, timeout=120
        )
        assert ran.stderr == ""
        text = re.sub(r" *\d+\.\d+ ?s\b", " T", ran.stdout)
        return ran.returncode, text.splitlines()

    def coverage(self) -> str:
        command = [sys.executable, "-m", "coverage", "report", "--format=total"]
        return subprocess.run(command, cwd=self.root, capture_output=True, text=True).stdout.strip()


@pytest.fixture
def checkout(tmp_path: Path) -> Checkout:
    return Checkout(tmp_path)


def test_every_file_is_run_once_and_all_is_summed_up(checkout: Checkout) -> None:
    """By the worker that is free; what each of them covers is put together."""
    checkout.write(test_one=SELLS, deeper__test_two=BUYS + "def test_more(): pass\n")
    code, lines = checkout.run()
    assert code == 0
    assert lines[0] == "2 files; pytest processes side by side: 2"
    assert sorted(lines[1:3]) == [
        " T  tests/deeper/test_two.py: 2 passed",
        " T  tests/test_one.py: 1 passed",
    ]
    assert [line for line in lines if line.startswith("---")] == [
        "--- worker 1 of 2 ---",
        "--- worker 2 of 2 ---",
        "--- the slowest files ---",
        "--- 3 passed, 0 failed, 0 skipped, of 3 tests in 2 files ---",
    ]
    assert checkout.coverage() == "100"


def test_workers_run_side_by_side(checkout: Checkout) -> None:
    """Each of two files waits for the other to be under way."""
    meet = """\
import time
from pathlib import Path
def test_meets():
    Path("{}").touch()
    end = time.monotonic() + 60
    while not Path("{}").exists():
        assert time.monotonic() < end
        time.sleep(0.01)
"""
    checkout.write(test_one=SELLS + meet.format("one", "two"), test_two=meet.format("two", "one"))
    code, lines = checkout.run()
    assert (code, lines[-1]) == (
        0,
        "--- 3 passed, 0 failed, 0 skipped, of 3 tests in 2 files ---",
    )


def test_one_worker_is_a_crew(checkout: Checkout) -> None:
    checkout.write(test_one=SELLS)
    code, lines = checkout.run(workers=1)
    assert (code, lines[0]) == (0, "1 files; pytest processes side by side: 1")
    assert lines[lines.index("--- worker 1 of 1 ---") + 1] == "1 passed in T"  # and no dots
    assert checkout.coverage() == "75"


SHARES = """
import pytest
@pytest.fixture(scope="session")
def pad():
    with open("made", "a") as made: made.write("once ")
    yield
    with open("made", "a") as made: made.write("put away")
    assert {}
"""


@pytest.mark.parametrize(("is_well", "code"), [(True, 0), (False, 1)])
def test_what_a_session_shares_is_made_once_in_a_worker(
    is_well: bool, code: int, checkout: Checkout
) -> None:
    """And put away at its end, where trouble is a failure."""
    with (checkout.root / "tests" / "conftest.py").open("a") as file:
        file.write(SHARES.format(is_well))
    uses = "def test_uses(pad): pass\n"
    checkout.write(test_one=SELLS + uses, deeper__test_two=uses, test_three=uses)
    assert checkout.run(workers=1)[0] == code
    assert (checkout.root / "made").read_text() == "once put away"


def test_tests_do_not_meet_at_a_companions_socket(
    checkout: Checkout, monkeypatch: pytest.MonkeyPatch
) -> None:
    names = ["NOTIFY_SOCKET", "RUNTIME_DIRECTORY", "WATCHDOG_USEC", "XDG_RUNTIME_DIR"]
    for name in names:
        monkeypatch.setenv(name, "/run/one")
    alone = f"import os\ndef test_alone(): assert not os.environ.keys() & set({names})\n"
    checkout.write(test_one=SELLS, test_two=alone)
    assert checkout.run(workers=1)[0] == 0


def test_a_failure_is_shown_whole_and_fails(checkout: Checkout) -> None:
    wrong = "def test_is_wrong():\n    price = 30\n    assert price == 31\n"
    checkout.write(test_one=SELLS, test_two=wrong)
    code, lines = checkout.run(workers=1)
    assert code == 1
    assert " T  tests/test_two.py: 1 FAILED" in lines
    at = lines.index("    def test_is_wrong():")
    assert lines[at + 1 : at + 4] == [
        "        price = 30",
        ">       assert price == 31",
        "E       assert 30 == 31",
    ]
    assert lines[-2:] == [
        "--- 1 passed, 1 FAILED, 0 skipped, of 2 tests in 2 files ---",
        "worker 1 FAILED with code 1",
    ]


@pytest.mark.parametrize(("ci", "code"), [("true", 1), ("", 0)])
def test_a_skip_is_said_and_fails_in_ci(ci: str, code: int, checkout: Checkout) -> None:
    skips = "import pytest\ndef test_skips(): pytest.skip('no such tool')\n"
    checkout.write(test_one=SELLS, test_two=skips)
    ended, lines = checkout.run(workers=1, ci=ci)
    assert ended == code
    assert "SKIPPED [1] tests/test_two.py:2: no such tool" in lines
    assert any(line.startswith("1 tests did NOT run") for line in lines)
    assert "--- 1 passed, 0 failed, 1 SKIPPED, of 2 tests in 2 files ---" in lines


@pytest.mark.parametrize("name", ["SIGSEGV", "SIGKILL"])
def test_a_worker_that_dies_is_a_failure_and_the_others_go_on(
    name: str, checkout: Checkout
) -> None:
    dies = f"import os, signal\ndef test_dies(): os.kill(os.getpid(), signal.{name})\n"
    checkout.write(test_a=dies, test_b=SELLS, test_c=BUYS)
    code, lines = checkout.run()
    assert code == 1
    (died,) = [line for line in lines if "DIED" in line]
    assert re.fullmatch(rf"worker [12] DIED: {name}", died)
    assert lines[-3:] == [
        "--- 2 passed, 0 failed, 0 skipped, of 3 tests in 3 files ---",
        died,
        "tests/test_a.py: NOT RUN",
    ]


def test_a_file_without_a_test_is_a_failure(checkout: Checkout) -> None:
    checkout.write(test_one=SELLS, test_none="def check(): pass\n")
    code, lines = checkout.run()
    assert (code, lines[-1]) == (1, "tests/test_none.py: NOT RUN")


def test_a_checkout_without_tests_is_a_failure(checkout: Checkout) -> None:
    code, lines = checkout.run()
    assert code == 1
    assert lines[-2:] == ["worker 1 FAILED with code 5", "worker 2 FAILED with code 5"]


def test_a_test_in_a_file_that_the_crew_does_not_know_is_a_failure(checkout: Checkout) -> None:
    """pytest finds files by a second pattern, too."""
    checkout.write(test_one=SELLS, two_test=BUYS)
    code, lines = checkout.run()
    assert (code, lines[-1]) == (1, "2 tests were found, but 1 RUN")


def test_what_cannot_be_imported_is_shown_once(checkout: Checkout) -> None:
    checkout.write(test_one=SELLS, test_two="import no_such_shop\n")
    code, lines = checkout.run()
    assert code == 1
    assert len([line for line in lines if line.startswith("E   ModuleNotFoundError")]) == 1
    assert lines[lines.index("--- worker 2 of 2 ---") + 1] == "the same"
    assert lines[-4:] == [
        "worker 1 FAILED with code 2",
        "worker 2 FAILED with code 2",
        "tests/test_one.py: NOT RUN",
        "tests/test_two.py: NOT RUN",
    ]


def test_of_many_files_that_did_not_run_ten_are_named() -> None:
    assert Tally([f"{number}" for number in range(25)]).faults() == [
        *(f"{number}: NOT RUN" for number in range(10)),
        "15 more: NOT RUN",
    ]


def test_the_ten_slowest_files_are_named() -> None:
    tally = Tally([f"{number}" for number in range(25)])
    for number in range(25):
        tally.add({"file": f"{number}", "tests": 1, "counts": {"passed": 1}, "seconds": number / 2})
    assert tally.faults() == ["0 tests were found, but 25 RUN"]
    assert tally.summary()[:3] == ["--- the slowest files ---", "  12.0 s  24", "  11.5 s  23"]
    assert tally.summary()[10:] == [
        "   7.5 s  15",
        "--- 25 passed, 0 failed, 0 skipped, of 0 tests in 25 files ---",
    ]


def test_control_c_ends_all_workers_and_tells_where_they_were(checkout: Checkout) -> None:
    """Each of two tests waits until both are under way; then one interrupts the crew."""
    waits = """\
import os, signal, time
from pathlib import Path
def test_waits():
    Path("{me}").write_text(str(os.getpid()))
    end = time.monotonic() + 60
    while not Path("{other}").exists() and time.monotonic() < end:
        time.sleep(0.01)
    if "{me}" == "one":
        os.kill(os.getppid(), signal.SIGINT)
    time.sleep(100)
"""
    wrong = "def test_is_wrong(): assert False\n"
    checkout.write(
        test_one=wrong + waits.format(me="one", other="two"),
        test_two=waits.format(me="two", other="one"),
    )
    code, lines = checkout.run()
    assert code == 130
    assert "FAILED tests/test_one.py::test_is_wrong - assert False" in lines
    under_way = [line for line in lines if line.endswith(": under way")]
    assert sorted(under_way) == ["tests/test_one.py: under way", "tests/test_two.py: under way"]
    for name in ("one", "two"):
        with pytest.raises(ProcessLookupError):
            os.kill(int((checkout.root / name).read_text()), 0)
