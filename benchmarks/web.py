"""`marrakech bench web`: the table's response time while its page is flooded, and without.

Three processes: a table on mocked hardware, its page as with `marrakech serve`, and the flood. The
flood has the lowest priority, because real clients run on other machines. Rounds with and without
the flood take turns. The table should not slow down.
"""

from __future__ import annotations

import json
import platform
import subprocess
from collections.abc import Iterator
from contextlib import contextmanager
from itertools import chain
from pathlib import Path
from statistics import median, quantiles
from tempfile import TemporaryDirectory
from typing import Any

from benchmarks.processes import module_command, module_environ
from companion.errors import CompanionError

STREAMS = 200
Figures = dict[str, Any]


def measure_web(rounds: int, presses: int) -> Figures:
    """All figures of one run."""
    quiet: list[list[float]] = []
    flooded: list[list[float]] = []
    flood: Figures = {}
    with (
        TemporaryDirectory(prefix="marrakech-bench-", dir=Path.cwd()) as name,
        _process("web_table", name) as table,
    ):
        ready = _read_figures(table)
        before = after = _ask(table, presses)  # warm-up
        for _ in range(rounds):
            quiet.append(_ask(table, presses)["ms"])
            with _process("web_flood", str(ready["port"]), str(STREAMS)) as load:
                _read_figures(load)
                after = _ask(table, presses)
                flooded.append(after["ms"])
                flood = _ask(load, 0)
    return summary(ready, before, after, quiet, flooded, flood)


def summary(
    ready: Figures,
    before: Figures,
    after: Figures,
    quiet: list[list[float]],
    flooded: list[list[float]],
    flood: Figures,
) -> Figures:
    """`quiet` and `flooded` are the times of each round."""
    without, with_flood = spread([*chain(*quiet)]), spread([*chain(*flooded)])
    pairs = zip(quiet, flooded, strict=True)
    each = [spread(after)["p99"] / spread(before)["p99"] for before, after in pairs]
    return {
        "bench": "web: press to light on mocked hardware, while the page is flooded and without",
        "press_to_light_ms": {
            "without": without,
            "flooded": with_flood,
            "times_p50": round(with_flood["p50"] / without["p50"], 2),
            "times_p99": round(with_flood["p99"] / without["p99"], 2),
            "times_p99_of_rounds": {"median": round(median(each), 2), "worst": round(max(each), 2)},
            "note": "fdatasync included, without debounce",
        },
        "rss_mb": {
            who: {"before": _mb(before[key]), "flooded": _mb(after[key])}
            for who, key in (("table", "rss_kb"), ("page", "page_rss_kb"))
        },
        "page_ready_after_table_ms": round(ready["page_ms"], 1),
        "flood": flood,
        "presses_each": sum(map(len, quiet)),
        "python": platform.python_version(),
        "machine": platform.machine(),
    }


def spread(times: list[float]) -> Figures:
    cuts = quantiles(times, n=100, method="inclusive")
    return {"p50": round(cuts[49], 3), "p99": round(cuts[98], 3)}


def _mb(kb: int) -> float:
    return round(kb / 1024, 1)


# --- The other processes ------------------------------------------------------------------


@contextmanager
def _process(module: str, *args: str) -> Iterator[subprocess.Popen[str]]:
    """A child that answers each line with a line of JSON, and ends at the end of its input."""
    with subprocess.Popen(
        [*module_command(module), *args],
        env=module_environ(),
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
    ) as process:
        try:
            yield process
            process.communicate(timeout=60)
        finally:
            process.kill()


def _ask(process: subprocess.Popen[str], number: int) -> Figures:
    assert process.stdin is not None
    process.stdin.write(f"{number}\n")
    process.stdin.flush()
    return _read_figures(process)


def _read_figures(process: subprocess.Popen[str]) -> Figures:
    assert process.stdout is not None
    assert process.stderr is not None
    line = process.stdout.readline()
    if not line:
        raise CompanionError(f"the benchmark failed: {process.stderr.read().strip()[-300:]}")
    figures: Figures = json.loads(line)
    return figures
