"""The parts of `marrakech bench web` work."""

from __future__ import annotations

import asyncio
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from tempfile import TemporaryDirectory

import pytest
from helpers.page.page_server import serve_test_page
from helpers.patience import PATIENCE_S

from benchmarks import web, web_flood
from benchmarks.processes import module_environ
from companion.errors import CompanionError


@pytest.fixture
def short_folder() -> Iterator[Path]:
    """A folder with a path short enough for a Unix socket, whatever TMPDIR is."""
    with TemporaryDirectory(prefix="m", dir="/tmp") as folder:
        yield Path(folder)


def test_a_table_answers_presses_while_its_page_is_flooded(
    short_folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(short_folder)
    monkeypatch.setattr(web, "STREAMS", 30)
    figures = web.measure_web(1, 3)
    assert figures["presses_each"] == 3
    assert figures["press_to_light_ms"]["without"]["p50"] > 0
    assert figures["press_to_light_ms"]["flooded"]["p99"] > 0
    assert figures["flood"]["streams"] == 30
    assert figures["flood"]["events"] >= 30
    assert set(figures["flood"]["bad_requests"]) <= {"slow", *web_flood.BAD}
    assert all(mb > 10 for who in figures["rss_mb"].values() for mb in who.values())
    assert list(short_folder.iterdir()) == []


def test_a_table_without_a_page_ends_with_an_error(
    short_folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The path of the folder is too long for a socket, so there is no page."""
    deep = short_folder / ("x" * 100)
    deep.mkdir()
    short_timeout = "from benchmarks import web_table; web_table.TIMEOUT_S = 5.0"
    code = f"{short_timeout}; from pathlib import Path; web_table.main(Path({str(deep)!r}))"
    done = subprocess.run(
        [sys.executable, "-P", "-c", code],
        env=module_environ(),
        capture_output=True,
        text=True,
        timeout=PATIENCE_S,
    )
    assert done.stdout == ""
    assert "path" in done.stderr


def test_a_failed_table_is_reported(tmp_path: Path) -> None:
    (tmp_path / "file").touch()
    message = r"(?s)^the benchmark failed: .*CompanionError: cannot write games"
    with (
        pytest.raises(CompanionError, match=message),
        web._process("web_table", str(tmp_path / "file")) as table,
    ):
        web._read_figures(table)


def test_the_summary_compares_flooded_and_quiet_rounds() -> None:
    rss = {"rss_kb": 20480, "page_rss_kb": 40960}
    more = {"rss_kb": 30720, "page_rss_kb": 51200}
    quiet, flooded = [[1.0, 1.0], [2.0, 2.0], [3.0, 3.0]], [[1.0, 1.0], [6.0, 6.0], [6.0, 6.0]]
    figures = web.summary({"page_ms": 500.04}, rss, more, quiet, flooded, {})
    assert figures["press_to_light_ms"]["times_p50"] == 3.0
    assert figures["press_to_light_ms"]["times_p99"] == 2.0
    assert figures["press_to_light_ms"]["times_p99_of_rounds"] == {"median": 2.0, "worst": 3.0}
    assert figures["presses_each"] == 6
    assert figures["rss_mb"] == {
        "table": {"before": 20.0, "flooded": 30.0},
        "page": {"before": 40.0, "flooded": 50.0},
    }
    assert figures["page_ready_after_table_ms"] == 500.0


def test_bad_requests_are_refused_by_the_page(tmp_path: Path) -> None:
    async def scenario() -> None:
        async with serve_test_page(tmp_path) as page:
            answers = {}
            for kind, sent in web_flood.BAD.items():
                async with page.connect() as (reader, writer):
                    writer.write(sent)
                    answers[kind] = (await reader.read(12)).decode()
            assert answers == {
                "malformed": "HTTP/1.0 400",
                "oversized_header": "HTTP/1.0 400",
                "oversized_body": "HTTP/1.1 413",
                "wrong_host": "HTTP/1.1 421",
                "wrong_code": "HTTP/1.1 403",
            }

    asyncio.run(scenario())
