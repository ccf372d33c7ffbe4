"""`marrakech bench table`: the daemon on mocked hardware, beside a bare gpiozero + luma script.

Both press mock pins, sync the same disk and write to the same virtual bus, in processes of their
own that take turns.
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
from companion.adapters.die import Chance
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
from companion.table.entries import Act, Aim, Beginning, Face, TakeBack
from companion.table.game import begin, tell

JOURNAL_ENTRIES = 5000
Figures = dict[str, Any]


def measure_table(rounds: int, presses: int) -> Figures:
    """All figures of one run."""
    with TemporaryDirectory(prefix="marrakech-bench-", dir=Path.cwd()) as name:
        folder = Path(name)
        bare: list[Figures] = []
        ours: list[Figures] = []
        for n in range(rounds):
            bare.append(_child("bare", folder, presses))
            is_last = n == rounds - 1
            ours.append(_child("daemon", _new(folder, f"game{n}"), presses, 0, 1 if is_last else 0))
        usual = _child("daemon", _new(folder, "debounced"), min(presses, 50), 12, 0)
        journal = _new(folder, "journal")
        write_long_journal(journal, JOURNAL_ENTRIES)
        resumes = [_child("resume", journal)["ms"] for _ in range(rounds)]
    return _summary(bare, ours, usual, resumes, presses)


def _new(folder: Path, name: str) -> Path:
    made = folder / name
    made.mkdir()
    return made


def _child(what: str, folder: Path, *numbers: int) -> Figures:
    began = time.monotonic()
    done = subprocess.run(
        [*module_command("child"), what, str(folder), *map(str, numbers)],
        env=module_environ(),
        capture_output=True,
        text=True,
        check=False,
    )
    if done.returncode:
        raise CompanionError(f"the benchmark's {what} failed: {done.stderr.strip()[-300:]}")
    figures: Figures = json.loads(done.stdout.strip().splitlines()[-1])
    if "first_light" in figures:
        figures["start_ms"] = (figures["first_light"] - began) * 1000
    return figures


def _summary(
    bare: list[Figures], ours: list[Figures], usual: Figures, resumes: list[float], presses: int
) -> Figures:
    sides = {"bare": bare, "daemon": ours}
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
        "bench": "table: the daemon on mocked hardware, beside a bare gpiozero + luma script",
        "press_to_light_ms": {
            **press,
            "times_bare_p50": round(press["daemon"]["p50"] / press["bare"]["p50"], 2),
            "with_debounce_12_ms": _spread(usual["ms"]),
            "note": "fdatasync included; without debounce, unless said",
        },
        "start_to_first_light_ms": {
            **start,
            "times_bare": round(start["daemon"] / start["bare"], 2),
        },
        "rss_mb": {**rss, "over_bare": round(rss["daemon"] - rss["bare"], 1)},
        "idle": {"moving_light": ours[-1]["moving"], "at_rest": ours[-1]["resting"]},
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
    """Games of a family that cannot make up its mind: with turning, aiming and taking back."""
    random = Random(1)
    beginning = Beginning(Setup(usual_players(4)))
    game = begin(beginning)
    notes: list[BeginGame | StampedEntry] = [BeginGame(beginning)]
    while len(notes) <= entries:
        phase, undo = game.state.phase, random.random() < 0.15
        told: Face | Aim | Act | TakeBack
        if game.state.is_over or (undo and game.now.before is not None):
            told = TakeBack()
        elif phase is Phase.ORIENT and random.random() < 0.5:
            told = Face(random.choice([game.state.facing, game.state.facing.left]))
        elif phase is Phase.ORIENT:
            told = Act(Rolled(Chance(random).roll()))
        elif phase is Phase.LAY and random.random() < 0.7:
            told = Aim(random.choice(game.offered()))
        else:
            legal = random.choice(legal_actions(game.state))
            told = Act(legal)
        game = tell(game, told)
        notes.append(StampedEntry(told, fingerprint(game)))
    keeper = GameStore(folder)
    keeper.load()
    keeper.save(notes)
    keeper.close()
