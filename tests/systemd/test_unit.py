"""The unit: systemd understands all of it, it is shut as far as it can be, and says where not."""

from __future__ import annotations

import argparse
import json
import re
import shlex
import shutil
import subprocess
from ipaddress import ip_network
from pathlib import Path
from typing import Any

import pytest
from helpers.patience import PATIENCE_S
from helpers.requirements import need_tools
from helpers.system.unit_file import comments, read_unit

from companion.cli.commands import serve
from companion.config.file import SYSTEM_FILE
from companion.daemon.watchdog import BEATS

UNIT = Path(__file__).parents[2] / "systemd" / "marrakech.service"
PROGRAM = "/opt/marrakech/current/bin/marrakech"
SYSTEM_UNITS = Path("/usr/lib/systemd/system")
MOST_EXPOSED = 1.6


def value_of(key: str) -> str:
    (value,) = (one.value for one in read_unit(UNIT) if one.key == key)
    return value


def run_analyze(*words: str) -> subprocess.CompletedProcess[str]:
    need_tools({"systemd-analyze": "systemd"})
    return subprocess.run(
        ["systemd-analyze", "--no-pager", *words],
        capture_output=True,
        text=True,
        env={"PATH": "/usr/sbin:/usr/bin:/sbin:/bin", "SYSTEMD_COLORS": "0", "LC_ALL": "C.UTF-8"},
        timeout=PATIENCE_S,
    )


# --- It is understood ---------------------------------------------------------------------


@pytest.fixture
def root(tmp_path: Path) -> Path:
    """A machine with systemd's own units and the companion, as an installer leaves it."""
    if SYSTEM_UNITS.is_dir():
        shutil.copytree(SYSTEM_UNITS, tmp_path / str(SYSTEM_UNITS).lstrip("/"), symlinks=True)
    program = tmp_path / PROGRAM.lstrip("/")
    program.parent.mkdir(parents=True)
    program.write_text("#!/bin/sh\n")
    program.chmod(0o755)
    installed = tmp_path / "etc/systemd/system" / UNIT.name
    installed.parent.mkdir(parents=True)
    shutil.copy(UNIT, installed)
    return tmp_path


def verify(root: Path) -> tuple[int, str]:
    """It exits with 0 on a key that it does not know: what it says is what counts."""
    done = run_analyze("verify", f"--root={root}", UNIT.name)
    return done.returncode, done.stdout + done.stderr


@pytest.mark.systemd
def test_systemd_has_nothing_to_say_about_it(root: Path) -> None:
    assert verify(root) == (0, "")


@pytest.mark.systemd
@pytest.mark.parametrize(
    ("line", "broken", "said"),
    [
        ("RestartSec=5s", "RestartSex=5s", "Unknown key"),
        ("RestrictRealtime=yes", "RestrictRealtime=maybe", "Failed to parse boolean"),
        (f"ExecStart={PROGRAM}", "ExecStart=/opt/nothing", "not executable"),
    ],
)
def test_what_is_wrong_with_a_unit_would_be_said(
    root: Path, line: str, broken: str, said: str
) -> None:
    installed = root / "etc/systemd/system" / UNIT.name
    text = installed.read_text()
    assert line in text
    installed.write_text(text.replace(line, broken))
    assert said in verify(root)[1]


def test_it_starts_what_serve_understands_with_the_games_where_it_may_write() -> None:
    program, command, *words = shlex.split(value_of("ExecStart"))
    assert (program, command) == (PROGRAM, "serve")
    parser = argparse.ArgumentParser(exit_on_error=False)
    serve.add_arguments(parser)
    args = parser.parse_args(words)
    assert args.config == SYSTEM_FILE
    assert args.folder == Path("%S", value_of("StateDirectory"), "games")
    assert args.virtual is False, "a table that people sit at is no simulation"


def test_lgpio_may_write_where_it_is_started() -> None:
    assert value_of("WorkingDirectory") == f"%t/{value_of('RuntimeDirectory')}"


def test_a_card_may_stall_for_ten_seconds_between_two_beats() -> None:
    """Worn ones do; the heart needs three of its beats for it (see pulse.py)."""
    watchdog_s = int(value_of("WatchdogSec").removesuffix("s"))
    assert watchdog_s * (BEATS - 1) / BEATS >= 10
    assert int(value_of("TimeoutStopSec").removesuffix("s")) >= 10


def test_it_is_started_again_for_ever_and_not_in_a_hurry() -> None:
    assert value_of("Restart") == "always"
    assert value_of("StartLimitIntervalSec") == "0"
    assert value_of("RestartSec") == "5s"


# --- It is shut ---------------------------------------------------------------------------


def exposures() -> list[dict[str, Any]]:
    """What systemd finds open, of everything that it looks at."""
    done = run_analyze("security", "--offline=true", "--json=short", str(UNIT))
    assert done.stderr == ""
    found: list[dict[str, Any]] = json.loads(done.stdout)
    assert len(found) > 70
    return [one for one in found if one["exposure"] and float(one["exposure"]) > 0]


@pytest.mark.systemd
def test_its_exposure_is_small() -> None:
    done = run_analyze(
        "security", "--offline=true", f"--threshold={MOST_EXPOSED * 10:.0f}", str(UNIT)
    )
    assert done.returncode == 0, done.stdout
    (score,) = re.findall(r"Overall exposure level for \S+: ([\d.]+) ", done.stdout)
    assert float(score) <= MOST_EXPOSED


@pytest.mark.systemd
def test_the_threshold_is_looked_at() -> None:
    assert run_analyze("security", "--offline=true", "--threshold=5", str(UNIT)).returncode == 1


@pytest.mark.systemd
def test_everything_that_is_open_has_a_comment_that_says_why() -> None:
    """Either right above the setting, or by its name, where it is one that is not made."""
    explained = {one.key for one in read_unit(UNIT) if one.comment}
    explained |= set(re.findall(r"\b([A-Z]\w+)=", comments(UNIT)))
    names = [one["name"] for one in exposures()]
    assert names, "a table has pins, and a page"
    for name in names:
        assert set(re.findall(r"([A-Z][A-Za-z]+)=", name)) <= explained, name


def test_only_devices_of_a_table_are_open() -> None:
    assert value_of("DevicePolicy") == "closed"
    allowed = [one.value for one in read_unit(UNIT) if one.key == "DeviceAllow"]
    # spidev 153, ttyACM 166, ttyUSB 188: Linux's Documentation/admin-guide/devices.txt
    assert allowed == ["char-gpiochip rw", "char-153 rw", "char-166 rw", "char-188 rw"]


def test_of_the_network_only_the_house_is_open() -> None:
    assert value_of("RestrictAddressFamilies") == "AF_UNIX AF_INET AF_INET6"
    assert value_of("IPAddressDeny") == "any"
    named, ranges = {"localhost", "link-local", "multicast"}, value_of("IPAddressAllow").split()
    assert named < set(ranges)
    assert all(ip_network(one).is_private for one in ranges if one not in named)
