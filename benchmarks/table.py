"""`marrakech bench table`: the daemon on mocked hardware, against a bare gpiozero and luma script.

Both use mock pins, the same disk and the same virtual bus, in child processes that take turns.
"""

from __future__ import annotations

import json
import platform
import subprocess
import time
from pathlib import Path
from random import Random
from statistics import median, quantiles
from tempfile import TemporaryDirectory
from typing import Any

from benchmarks.processes import module_command, module_environ
from companion.adapters.die import SystemRandomSource
from companion.errors import CompanionError
from companion.games.marrakech import (
    Phase,
    Rolled,
    Setup,
    legal_actions,
    usual_players,
)
from companion.storage.game_store import GameStore, StampedEntry, fingerprint
from companion.table.conversation import BeginGame
from companion.table.entries import Act, Aim, Beginning, Face, Undo
from companion.table.game import apply_entry, start_game

JOURNAL_ENTRIES = 5000
Figures = dict[str, Any]


def measure_table(rounds: int, presses: int) -> Figures:
    """All figures of one run."""
    with TemporaryDirectory(prefix="marrakech-bench-", dir=Path.cwd()) as name:
        folder = Path(name)
        bare: list[Figures] = []
        daemon: list[Figures] = []
        for n in range(rounds):
            bare.append(_child("bare", folder, presses))
            rest_s = 1 if n == rounds - 1 else 0
            daemon.append(_child("daemon", _new(folder, f"game{n}"), presses, 0, rest_s))
        debounced = _child("daemon", _new(folder, "debounced"), min(presses, 50), 12, 0)
        journal = _new(folder, "journal")
        write_long_journal(journal, JOURNAL_ENTRIES)
        resumes = [_child("resume", journal)["ms"] for _ in range(rounds)]
    return _summary(bare, daemon, debounced, resumes, presses)


def _new(folder: Path, name: str) -> Path:
    path = folder / name
    path.mkdir()
    return path


def _child(task: str, folder: Path, *numbers: int) -> Figures:
    start = time.monotonic()
    done = subprocess.run(
        [*module_command("child"), task, str(folder), *map(str, numbers)],
        env=module_environ(),
        capture_output=True,
        text=True,
        check=False,
    )
    if done.returncode:
        raise CompanionError(f"the benchmark's {task} failed: {done.stderr.strip()[-300:]}")
    figures: Figures = json.loads(done.stdout.strip().splitlines()[-1])
    if "first_light" in figures:
        figures["start_ms"] = (figures["first_light"] - start) * 1000
    return figures


def _summary(
    bare: list[Figures],
    daemon: list[Figures],
    debounced: Figures,
    resumes: list[float],
    presses: int,
) -> Figures:
    sides = {"bare": bare, "daemon": daemon}
    press = {
        name: _spread([ms for run in runs for ms in run["ms"]]) for name, runs in sides.items()
    }
    start = {
        name: round(median(run["start_ms"] for run in runs), 1) for name, runs in sides.items()
    }
    rss = {
        name: round(max(run["rss_kb"] for run in runs) / 1024, 1) for name, runs in sides.items()
    }
    return {
        "bench": "table: the daemon on mocked hardware, against a bare gpiozero and luma script",
        "press_to_light_ms": {
            **press,
            "times_bare_p50": round(press["daemon"]["p50"] / press["bare"]["p50"], 2),
            "with_debounce_12_ms": _spread(debounced["ms"]),
            "note": "fdatasync included; without debounce, except where stated",
        },
        "start_to_first_light_ms": {
            **start,
            "times_bare": round(start["daemon"] / start["bare"], 2),
        },
        "rss_mb": {**rss, "over_bare": round(rss["daemon"] - rss["bare"], 1)},
        "idle": {"moving_light": daemon[-1]["moving"], "at_rest": daemon[-1]["resting"]},
        "resume_ms": {"entries": JOURNAL_ENTRIES, "p50": round(median(resumes), 1)},
        "rounds": len(bare),
        "presses_each": presses,
        "python": platform.python_version(),
        "machine": platform.machine(),
    }


def _spread(times: list[float]) -> Figures:
    cuts = quantiles(times, n=100, method="inclusive")
    return {"p50": round(cuts[49], 3), "p99": round(cuts[98], 3)}


# --- A long journal -----------------------------------------------------------------------


def write_long_journal(folder: Path, entries: int) -> None:
    """A game with many turns of Assam, aimed rugs and undone actions."""
    rng = Random(1)
    beginning = Beginning(Setup(usual_players(4)))
    game = start_game(beginning)
    commands: list[BeginGame | StampedEntry] = [BeginGame(beginning)]
    while len(commands) <= entries:
        phase, is_undo = game.state.phase, rng.random() < 0.15
        entry: Face | Aim | Act | Undo
        if game.state.is_over or (is_undo and game.now.before is not None):
            entry = Undo()
        elif phase is Phase.ORIENT and rng.random() < 0.5:
            entry = Face(rng.choice([game.state.facing, game.state.facing.left]))
        elif phase is Phase.ORIENT:
            entry = Act(Rolled(SystemRandomSource(rng).roll()))
        elif phase is Phase.LAY and rng.random() < 0.7:
            entry = Aim(rng.choice(game.now.placements))
        else:
            legal = rng.choice(legal_actions(game.state))
            entry = Act(legal)
        game = apply_entry(game, entry)
        commands.append(StampedEntry(entry, fingerprint(game)))
    store = GameStore(folder)
    store.load()
    store.save(commands)
    store.close()
