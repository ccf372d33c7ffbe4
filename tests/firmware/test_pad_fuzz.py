"""The logic under sanitizers, with the invariants of firmware/host/promises.c."""

from __future__ import annotations

import re
import subprocess
from pathlib import Path

import pytest
from helpers.pad.tools import FIRMWARE, make
from helpers.pad.vectors import IGNORED, LONGER, MESSAGES, STREAMS
from helpers.profiles import examples

pytestmark = pytest.mark.firmware

FUZZ_INPUTS = examples(50_000)
RANDOM_STREAMS = examples(500)
# A key is down briefly while the clock jumps by 0, or by a full turn; then the session ends.
JUMPS = ["0801 0501 0600 0700 0600 0802 0607", "0801 0501 0600 0780 0780 0600 0802 0607"]


def script_of(data: bytes) -> str:
    """A script that sends these bytes to a pad with a session, then waits."""
    pieces = [data[at : at + 63] for at in range(0, len(data), 63)]
    wire = b"".join(bytes([4, len(piece)]) + piece for piece in pieces)
    return (b"\x08\x01" + wire + b"\x05\x1f\x06\xff\x05\x00\x06\xff").hex()


def scripts() -> list[str]:
    streams_data = [*(m.data for m in MESSAGES + LONGER), *IGNORED, *(s.data for s in STREAMS)]
    return [*(script_of(data) for data in streams_data), *(jump.replace(" ", "") for jump in JUMPS)]


@pytest.fixture(scope="module")
def streams(build: Path) -> Path:
    make("host-san", build)
    return build / "streams-san"


def test_the_vectors_violate_no_invariant(streams: Path) -> None:
    ran = subprocess.run([streams], input="\n".join(scripts()), capture_output=True, text=True)
    assert (ran.returncode, ran.stderr) == (0, "")
    assert ran.stdout.startswith(f"{len(scripts())} scripts, ")


def test_random_streams_violate_no_invariant(streams: Path) -> None:
    words = ["random", str(RANDOM_STREAMS), "12345"]
    ran = subprocess.run([streams, *words], capture_output=True, text=True)
    print(ran.stdout)
    assert (ran.returncode, ran.stderr) == (0, "")
    assert ran.stdout.startswith(f"{RANDOM_STREAMS} scripts, ")


def test_the_fuzzer_violates_no_invariant(build: Path, tmp_path: Path) -> None:
    make("fuzz", build)
    corpus = tmp_path / "corpus"
    corpus.mkdir()
    for index, script in enumerate(scripts()):
        (corpus / str(index)).write_bytes(bytes.fromhex(script))
    ran = subprocess.run(
        [
            build / "fuzz-pad",
            f"-runs={FUZZ_INPUTS}",
            "-max_len=1024",
            "-print_final_stats=1",
            str(corpus),
        ],
        cwd=tmp_path,
        capture_output=True,
        text=True,
    )
    assert ran.returncode == 0, ran.stderr[-4000:]
    tried = re.search(r"number_of_executed_units: (\d+)", ran.stderr)
    speed = re.search(r"average_exec_per_sec: +(\d+)", ran.stderr)
    assert tried is not None
    assert speed is not None
    print(f"{tried[1]} inputs tried, {speed[1]} a second")
    assert int(tried[1]) >= FUZZ_INPUTS


def test_the_makefile_includes_all_files_of_core() -> None:
    """By a wildcard, so that no new file is forgotten."""
    assert "CORE = $(sort $(wildcard core/*.c))" in (FIRMWARE / "Makefile").read_text()
