"""One pytest process of the crew (crew.py): runs the test files that nobody else has taken.

    coverage run -p tests/crew_worker.py FOLDER PIPE

FOLDER lists the files; whoever first makes the file of a number there has taken the one on that
line. What came of it goes through the pipe, as a line of JSON. All else is plain pytest.
"""

from __future__ import annotations

import json
import os
import sys
from collections import Counter
from collections.abc import Generator, Iterator
from pathlib import Path

import pytest

Status = tuple[str, str, object]
"""What a report counts as, its letter among the dots, and its word."""

# The dots of several workers at once tell nobody anything. What pytest remembers for the next time
# would be a part of the truth only.
OPTIONS = ["-q", "-o", "console_output_style=classic", "-p", "no:cacheprovider"]


class Worker:
    """A plugin of pytest that stands in for its loop over the tests."""

    def __init__(self, folder: Path, pipe: int) -> None:
        self._folder = folder
        self._pipe = pipe
        self._counts: Counter[str] = Counter()
        self._seconds = 0.0

    def pytest_configure(self, config: pytest.Config) -> None:
        self._hook = config.hook
        self._config = config

    def pytest_runtestloop(self, session: pytest.Session) -> bool | None:
        if session.testsfailed:
            return None  # pytest says what could not be collected, and runs nothing
        self._tell(collected=len(session.items))
        tests: dict[str, list[pytest.Item]] = {}
        for test in session.items:
            tests.setdefault(_file_of(test), []).append(test)
        pause = _Pause.from_parent(session, name="pause")
        for file in self._take_files():
            own = tests.get(file, [])
            self._tell(begun=file)
            for test, following in zip(own, [*own[1:], pause], strict=False):
                self._hook.pytest_runtest_protocol(item=test, nextitem=following)
            if own:
                self._tell_of(file, len(own))
        return True

    def pytest_runtest_logreport(self, report: pytest.TestReport) -> None:
        self._seconds += report.duration
        category, *_ = self._hook.pytest_report_teststatus(report=report, config=self._config)
        if category:  # a fixture that did as it should counts as nothing
            self._counts[category] += 1

    @pytest.hookimpl(wrapper=True)
    def pytest_report_teststatus(self) -> Generator[None, Status, Status]:
        category, _, word = yield
        return category, "", word

    def _take_files(self) -> Iterator[str]:
        for number, file in enumerate((self._folder / "files").read_text().splitlines()):
            try:
                (self._folder / str(number)).touch(exist_ok=False)
            except FileExistsError:
                continue
            yield file

    def _tell_of(self, file: str, tests: int) -> None:
        seconds = round(self._seconds, 3)
        self._tell(file=file, tests=tests, counts=self._counts, seconds=seconds)
        self._counts, self._seconds = Counter(), 0.0

    def _tell(self, **event: object) -> None:
        """Short enough (PIPE_BUF) to stay whole between the lines of others."""
        os.write(self._pipe, json.dumps(event).encode() + b"\n")


class _Pause(pytest.Item):
    """Stands for the first test of the next file, which is not to be taken before it can be run: so
    pytest puts away what belongs to a file, and keeps what the session shares."""

    def runtest(self) -> None:
        raise AssertionError("it is never run")


def _file_of(test: pytest.Item) -> str:
    return test.nodeid.partition("::")[0]


if __name__ == "__main__":
    pipe = int(sys.argv[2])
    os.set_inheritable(pipe, False)  # it ends with this process, whatever tests leave behind
    sys.exit(pytest.main(OPTIONS, plugins=[Worker(Path(sys.argv[1]), pipe)]))
