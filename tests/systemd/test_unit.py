"""The systemd unit is valid and sandboxed, and explains what it leaves open."""

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
from companion.daemon.watchdog import CHECKS_PER_INTERVAL

UNIT = Path(__file__).parents[2] / "systemd" / "marrakech.service"
PROGRAM = "/opt/marrakech/current/bin/marrakech"
SYSTEM_UNITS = Path("/usr/lib/systemd/system")
MAX_EXPOSURE = 1.6


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


# --- Validity -----------------------------------------------------------------------------


@pytest.fixture
def root(tmp_path: Path) -> Path:
    """A root with systemd's own units and the installed companion."""
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
    """Exit code and output: the exit code is 0 even for unknown keys."""
    done = run_analyze("verify", f"--root={root}", UNIT.name)
    return done.returncode, done.stdout + done.stderr


@pytest.mark.systemd
def test_systemd_analyze_accepts_the_unit(root: Path) -> None:
    assert verify(root) == (0, "")


@pytest.mark.systemd
@pytest.mark.parametrize(
    ("line", "broken", "message"),
    [
        ("RestartSec=5s", "RestartSex=5s", "Unknown key"),
        ("RestrictRealtime=yes", "RestrictRealtime=maybe", "Failed to parse"),
        (f"ExecStart={PROGRAM}", "ExecStart=/opt/nothing", "not executable"),
    ],
)
def test_errors_in_a_unit_are_detected(root: Path, line: str, broken: str, message: str) -> None:
    installed = root / "etc/systemd/system" / UNIT.name
    text = installed.read_text()
    assert line in text
    installed.write_text(text.replace(line, broken))
    assert message in verify(root)[1]


def test_command_line_is_valid_and_games_are_in_the_state_directory() -> None:
    program, command, *words = shlex.split(value_of("ExecStart"))
    assert (program, command) == (PROGRAM, "serve")
    parser = argparse.ArgumentParser(exit_on_error=False)
    serve.add_arguments(parser)
    args = parser.parse_args(words)
    assert args.config == SYSTEM_FILE
    assert args.folder == Path("%S", value_of("StateDirectory"), "games")
    assert args.virtual is False, "not simulated"


def test_working_directory_is_writable_for_lgpio() -> None:
    assert value_of("WorkingDirectory") == f"%t/{value_of('RuntimeDirectory')}"


def test_card_may_stall_for_ten_seconds_between_two_pings() -> None:
    """Worn cards do. See companion/daemon/watchdog.py."""
    watchdog_s = int(value_of("WatchdogSec").removesuffix("s"))
    assert watchdog_s * (CHECKS_PER_INTERVAL - 1) / CHECKS_PER_INTERVAL >= 10
    assert int(value_of("TimeoutStopSec").removesuffix("s")) >= 10


def test_restarts_are_unlimited_with_a_delay() -> None:
    assert value_of("Restart") == "always"
    assert value_of("StartLimitIntervalSec") == "0"
    assert value_of("RestartSec") == "5s"


# --- Sandboxing ---------------------------------------------------------------------------


def exposures() -> list[dict[str, Any]]:
    """The findings of systemd-analyze security with an exposure above 0."""
    done = run_analyze("security", "--offline=true", "--json=short", str(UNIT))
    assert done.stderr == ""
    found: list[dict[str, Any]] = json.loads(done.stdout)
    assert len(found) > 70
    return [one for one in found if one["exposure"] and float(one["exposure"]) > 0]


@pytest.mark.systemd
def test_exposure_is_small() -> None:
    done = run_analyze(
        "security", "--offline=true", f"--threshold={MAX_EXPOSURE * 10:.0f}", str(UNIT)
    )
    assert done.returncode == 0, done.stdout
    (score,) = re.findall(r"Overall exposure level for \S+: ([\d.]+) ", done.stdout)
    assert float(score) <= MAX_EXPOSURE


@pytest.mark.systemd
def test_threshold_is_effective() -> None:
    assert run_analyze("security", "--offline=true", "--threshold=5", str(UNIT)).returncode == 1


@pytest.mark.systemd
def test_everything_that_is_open_is_explained_in_a_comment() -> None:
    """Directly above the setting, or by name for a setting that is not used."""
    explained = {one.key for one in read_unit(UNIT) if one.comment}
    explained |= set(re.findall(r"\b([A-Z]\w+)=", comments(UNIT)))
    names = [one["name"] for one in exposures()]
    assert names, "pins and page are open"
    for name in names:
        assert set(re.findall(r"([A-Z][A-Za-z]+)=", name)) <= explained, name


def test_only_the_devices_of_a_table_are_allowed() -> None:
    assert value_of("DevicePolicy") == "closed"
    allowed = [one.value for one in read_unit(UNIT) if one.key == "DeviceAllow"]
    # spidev 153, ttyACM 166, ttyUSB 188: Linux's Documentation/admin-guide/devices.txt
    assert allowed == ["char-gpiochip rw", "char-153 rw", "char-166 rw", "char-188 rw"]


def test_only_local_networks_are_allowed() -> None:
    assert value_of("RestrictAddressFamilies") == "AF_UNIX AF_INET AF_INET6"
    assert value_of("IPAddressDeny") == "any"
    named, ranges = {"localhost", "link-local", "multicast"}, value_of("IPAddressAllow").split()
    assert named < set(ranges)
    assert all(ip_network(one).is_private for one in ranges if one not in named)
