"""Log lines for operators: form, priorities, and streams that fail."""

from __future__ import annotations

import logging
from collections.abc import Iterator
from pathlib import Path

import pytest

from companion import logs

logger = logging.getLogger("companion.test")


@pytest.fixture(autouse=True)
def restored_handlers() -> Iterator[None]:
    root = logging.getLogger(logs.ROOT)
    before = root.handlers[:], root.level, root.propagate
    yield
    root.handlers[:], root.level, root.propagate = before


def log_all() -> None:
    logger.debug("debug")
    logger.info("info %s", "with a value")
    logger.warning("two\nlines")
    logger.error("error")


def test_in_a_terminal_lines_begin_with_the_name(capsys: pytest.CaptureFixture[str]) -> None:
    logs.configure({})
    log_all()
    assert capsys.readouterr() == (
        "",
        "marrakech: info with a value\nmarrakech: two\\nlines\nmarrakech: error\n",
    )


def test_under_systemd_lines_begin_with_their_priority(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """systemd sets JOURNAL_STREAM to the device and inode of the stream."""
    path = tmp_path / "journal"
    with path.open("w") as stream:
        monkeypatch.setattr("sys.stderr", stream)
        status = path.stat()
        logs.configure({"JOURNAL_STREAM": f"{status.st_dev}:{status.st_ino}"})
        log_all()
    assert path.read_text() == "<6>info with a value\n<4>two\\nlines\n<3>error\n"


def test_another_stream_than_journalds_has_no_priorities(
    capsys: pytest.CaptureFixture[str],
) -> None:
    """A terminal may have inherited JOURNAL_STREAM from its session."""
    logs.configure({"JOURNAL_STREAM": "8:1"})
    logger.error("error")
    assert capsys.readouterr().err == "marrakech: error\n"


def test_configuring_twice_does_not_repeat_lines(capsys: pytest.CaptureFixture[str]) -> None:
    logs.configure({})
    logs.configure({})
    logger.error("once")
    assert capsys.readouterr().err == "marrakech: once\n"


@pytest.mark.parametrize("level", [logging.ERROR, logging.WARNING, logging.INFO])
def test_a_line_with_a_priority_is_read_back(
    level: int, capsys: pytest.CaptureFixture[str]
) -> None:
    logs.configure(has_priorities=True)
    logger.log(level, "text")
    assert logs.parse_line(capsys.readouterr().err.strip()) == (level, "text")


@pytest.mark.parametrize("line", ["", "text", "<9>text", "marrakech: <4>text", "<4text"])
def test_other_lines_have_no_priority(line: str) -> None:
    assert logs.parse_line(line) is None


def test_a_stream_that_fails_does_not_stop_the_program(monkeypatch: pytest.MonkeyPatch) -> None:
    """The next line is written when it works again."""

    class Failing:
        is_full = True

        def __init__(self) -> None:
            self.lines: list[str] = []

        def write(self, text: str) -> int:
            if self.is_full:
                raise BlockingIOError
            self.lines.append(text)
            return len(text)

        def flush(self) -> None:
            pass

    stream = Failing()
    monkeypatch.setattr("sys.stderr", stream)
    logs.configure({}, has_priorities=False)
    logger.error("one")
    stream.is_full = False
    logger.error("two")
    assert "".join(stream.lines) == "marrakech: two\n"


def test_without_standard_error_nothing_is_written(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("sys.stderr", None)
    logs.configure({})
    logger.error("one")
