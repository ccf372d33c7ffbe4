"""The steps of the test on an emulated Raspberry Pi. Each continues where the one before ended.

A step returns one line that says what it has tested, or raises.
"""

from __future__ import annotations

import json
import re
from collections.abc import Callable
from pathlib import Path

from system.errors import StepFailedError, expect, expect_equal, wait_until
from system.installed_table import HOME, INSIDE, PYTHON, UNIT, InstalledTable
from system.pi_machine import KERNEL_TRACE, EmulatedPi
from system.root import Root
from system.spi_trace import transfers

from companion.adapters.virtual.spi import Max7219Chip

START_TIMEOUT_S = 600.0
OPEN_DEVICES = f"{HOME}/open_devices.py"
ALLOWED_DEVICES = re.compile(r"/dev/(gpiochip\d+|spidev\d+\.\d+)")
PSEUDO_DEVICES = re.compile(r"/dev/(full|null|zero|u?random|tty|ptmx|pts/(\d+|ptmx))")
"""Allowed by DevicePolicy=closed."""
NOT_EMULATED = {
    "power": "QEMU's firmware does not report the voltage",
    "clock": "no network, and a Raspberry Pi has no clock of its own",
    "pad": "no die pad is plugged in",
    "page": "no network, so no avahi either",
}
"""Checks of the doctor that cannot be good there, and why."""


class PiTable(InstalledTable):
    """The installed table on the emulated Pi."""

    container: EmulatedPi  # type: ignore[assignment]  # has the same methods

    def __init__(self, pi: EmulatedPi, root: Root, tree: Path) -> None:
        self.container = pi
        self.root = root
        self.tree = tree
        self._seed = 0

    def put_checkout(self, folder: str = f"{HOME}/marrakech-companion") -> Path:
        path = super().put_checkout(folder)
        self.root.at(OPEN_DEVICES).write_bytes((INSIDE / "open_devices.py").read_bytes())
        return path

    def wait_for_start(self, before: str) -> None:
        def is_up() -> bool:
            state = self.show("ActiveState", "SubState", "InvocationID")
            is_running = (state["ActiveState"], state["SubState"]) == ("active", "running")
            return is_running and state["InvocationID"] != before

        wait_until(is_up, "the service is running again", START_TIMEOUT_S)


Step = Callable[[PiTable], str]


def boot(table: PiTable) -> str:
    table.container.boot()
    kernel = table.container.check_run("uname", "--kernel-release", "--machine").strip()
    uptime_s = float(table.container.check_run("cat", "/proc/uptime").split()[0])
    return f"{kernel}; systemd is running, without failed units, after {uptime_s:.0f} s"


def serve(table: PiTable) -> str:
    unit = table.container.check_run("cat", f"/etc/systemd/system/{UNIT}")
    expect_equal(unit, (table.tree / "systemd" / UNIT).read_text(), "the unit is unchanged")
    wanted = {
        "ActiveState": "active",
        "DropInPaths": "",
        "NRestarts": "0",
        "SubState": "running",
        "Type": "notify",
        "User": "marrakech",
    }
    expect_equal(table.show(*wanted), wanted, "the state of the service")
    owner = table.container.check_run("stat", "--format=%U", f"/proc/{table.value('MainPID')}")
    expect_equal(owner.strip(), "marrakech", "the owner of the process")
    snapshot = table.status()
    expect_equal(snapshot["simulated"], False, "it is not simulated")
    expect_equal(snapshot["trouble"], [], "nothing is wrong")
    log = table.container.journal("--unit", UNIT, "--boot", "--output=cat")
    expect("the table is ready" in log, f"the log\n{log}")
    expect("stuck" not in log, f"all contacts are open\n{log}")
    pid = table.value("MainPID")
    links = table.container.check_run("sh", "-c", f"readlink /proc/{pid}/fd/*").split()
    expect("/dev/spidev0.0" in links, f"it has the SPI bus open: {links}")
    pins = next((line for line in log.splitlines() if "gpiochip" in line), "")
    return f"ready as the user marrakech, with no drop-in; {pins}"


def light_first(table: PiTable) -> str:
    """How long after the start of the process the first byte is sent, by the kernel's trace."""
    started_us = int(table.value("ExecMainStartTimestampMonotonic"))
    ready_us = int(table.value("ActiveEnterTimestampMonotonic"))
    trace = table.container.check_run("grep", "--max-count=1", "spi_transfer_start", KERNEL_TRACE)
    found = re.search(r" (\d+\.\d+): spi_transfer_start: spi0\.0 .*tx=\[([^]]*)\]", trace)
    if not found:
        raise StepFailedError(f"the kernel has recorded an SPI transfer: {trace}")
    light_s = float(found[1]) - started_us / 1e6
    ready_s = (ready_us - started_us) / 1e6
    expect(0 < light_s < ready_s, f"light {light_s:.1f} s, ready {ready_s:.1f} s after its start")
    return f"first SPI bytes {light_s:.1f} s, ready {ready_s:.1f} s after its start (emulated)"


def confine(table: PiTable) -> str:
    """Root in the control group of the service: only its device filter can refuse anything."""
    run = (PYTHON, OPEN_DEVICES)
    group = table.value("ControlGroup")
    found = json.loads(table.container.check_run(*run, "--group", group))
    opened = {name for name, error in found.items() if error != "EPERM"}
    devices = {name for name in opened if not PSEUDO_DEVICES.fullmatch(name)}
    wanted = {name for name in found if ALLOWED_DEVICES.fullmatch(name)}
    expect({"/dev/gpiochip0", "/dev/spidev0.0"} <= wanted, f"they exist: {sorted(found)}")
    expect_equal(sorted(devices), sorted(wanted), "the devices that the service may open")
    card = table.container.check_run("findmnt", "--noheadings", "--output=SOURCE", "/").strip()
    refused = [card, "/dev/mem"]
    expect_equal([found[name] for name in refused], ["EPERM"] * 2, "the card and the memory")
    outside = json.loads(table.container.check_run(*run, *refused))
    expect_equal(list(outside.values()), ["", ""], "which root may open outside of the service")
    pid = table.value("MainPID")
    status = table.container.check_run("cat", f"/proc/{pid}/status")
    for line in ("CapEff:\t0000000000000000", "NoNewPrivs:\t1", "Seccomp:\t2"):
        expect(line in status, f"{line}\n{status}")
    return f"may open {', '.join(sorted(devices))}; refused: {len(found) - len(opened)} others"


def show_picture(table: PiTable) -> str:
    """The bytes that reach the SPI controller, decoded as by a MAX7219."""
    chip = Max7219Chip()
    pictures: list[list[str]] = []
    shown: list[list[str]] = []
    with table.container.traced_writes() as lines:
        table.container.check_run("systemctl", "restart", UNIT)
        shown.append(table.status()["light"]["frame"])
        table.container.check_run("marrakech", "press", "ok")
        shown.append(table.status()["light"]["frame"])
    sent = list(transfers(lines))
    expect(len(sent) > 20, f"transfers on the SPI bus: {len(sent)}, writes: {len(lines)}")
    for data in sent:
        chip.transfer(data)
        pictures.append(picture(chip))
    lit = [mono(frame) for frame in shown]
    expect(lit[0] != lit[1], f"a press changes the picture: {shown}")
    for frame in lit:
        expect(frame in pictures, "the chip shows\n{}".format("\n".join(frame)))
    expect(["." * 8] * 8 in pictures, "the old process leaves the matrix dark")
    return f"{len(sent)} transfers; the chip shows the table's picture, and the next one"


def picture(chip: Max7219Chip) -> list[str]:
    leds = "".join("#" if any(led) else "." for led in chip.light())
    return [leds[at : at + 8] for at in range(0, 64, 8)]


def mono(frame: list[str]) -> list[str]:
    """A frame of a snapshot without its colours."""
    return [re.sub(r"[^.]", "#", row) for row in frame]


def check(table: PiTable) -> str:
    result = table.marrakech("doctor", "--json")
    found = json.loads(result.out)["checks"]
    failed = [one for one in found if one["level"] == "failed"]
    expect_equal(failed, [], "no check fails")
    others = [one for one in found if one["level"] not in ("good", "absent")]
    unexpected = [one for one in others if one["name"] not in NOT_EMULATED]
    expect_equal(unexpected, [], "all checks are good, except those that need a real Pi")
    by_name = {one["name"]: one["said"] for one in found}
    expect("Raspberry Pi 3 Model B" in by_name["pi"], by_name["pi"])
    names = ", ".join(f"{one['name']} {one['level']}" for one in others)
    return f"nothing failed; {by_name['pins']}; not good there: {names}"


def hang(table: PiTable) -> str:
    game = table.play("2")["game"]
    started = table.value("InvocationID")
    table.send("SIGSTOP")
    table.wait_for_start(started)
    table.expect_game(game, "after a hang")
    log = table.container.journal("--unit", UNIT, "--boot", "--output=cat")
    expect("Watchdog timeout" in log, f"systemd logs the watchdog timeout\n{log}")
    return "SIGSTOP: the watchdog of the unit (20 s) restarts it; same game"


def reboot(table: PiTable) -> str:
    """The kernel resets the machine through the watchdog of the Pi, as on a real one."""
    game = table.play_on()
    table.container.reboot()
    expect_equal(table.value("ActiveState"), "active", "the service starts at boot")
    table.expect_game(game, "after a reboot")
    return f"systemctl reboot in turn {game['turn']}: same game"


def cut_power(table: PiTable) -> str:
    """Right after a confirmed press: what was confirmed is on the card."""
    game = table.play_on()
    table.container.cut_power()
    table.container.boot()
    expect_equal(table.value("ActiveState"), "active", "the service starts at boot")
    table.expect_game(game, "after a power cut")
    expect_equal(table.status()["stage"], "resume", "it offers to resume the game")
    table.play_on()
    return f"QEMU killed in turn {game['turn']}, between die and rug: same game, and it goes on"


STEPS: dict[str, Step] = {
    "boot": boot,
    "service": serve,
    "first light": light_first,
    "sandbox": confine,
    "picture": show_picture,
    "doctor": check,
    "hang": hang,
    "power cut": cut_power,
    "reboot": reboot,
}
