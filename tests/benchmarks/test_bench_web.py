"""The page's benchmark: its pieces work. The figures are for `marrakech bench web`."""

from __future__ import annotations

import asyncio
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from tempfile import TemporaryDirectory

import pytest
from helpers.page.page_server import page_of
from helpers.patience import PATIENCE_S

from benchmarks import web, web_flood
from benchmarks.processes import module_environ
from companion.errors import CompanionError


@pytest.fixture
def short_folder() -> Iterator[Path]:
    """The path of a socket in it is short enough for the system, whatever TMPDIR is."""
    with TemporaryDirectory(prefix="m", dir="/tmp") as folder:
        yield Path(folder)


def test_a_table_answers_presses_with_its_page_beside_it(
    short_folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """And the flood comes, is counted, and goes."""
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


def test_a_table_that_has_no_page_does_not_wait_for_ever(
    short_folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """In a folder whose path is too long for a socket there is none."""
    deep = short_folder / ("x" * 100)
    deep.mkdir()
    waits_briefly = "from benchmarks import web_table; web_table.PATIENCE_S = 5.0"
    code = f"{waits_briefly}; from pathlib import Path; web_table.main(Path({str(deep)!r}))"
    done = subprocess.run(
        [sys.executable, "-P", "-c", code],
        env=module_environ(),
        capture_output=True,
        text=True,
        timeout=PATIENCE_S,
    )
    assert done.stdout == ""
    assert "path" in done.stderr


def test_a_table_that_fails_is_told(tmp_path: Path) -> None:
    (tmp_path / "file").touch()
    with (
        pytest.raises(CompanionError, match=r"(?s)^the benchmark failed: .*CompanionError: games"),
        web._process("web_table", str(tmp_path / "file")) as table,
    ):
        web._hear(table)


def test_with_and_without_are_summed_up_beside_each_other() -> None:
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


def test_what_is_bad_is_refused_by_the_page(tmp_path: Path) -> None:
    """Or the flood would be none."""

    async def scenario() -> None:
        async with page_of(tmp_path) as desk:
            answers = {}
            for kind, sent in web_flood.BAD.items():
                async with desk.wire() as (reader, writer):
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
