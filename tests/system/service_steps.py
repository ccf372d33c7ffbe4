"""The steps of the test of the installed service. Each continues where the one before ended.

A step returns one line that says what it has tested, or raises.
"""

from __future__ import annotations

import json
import re
import socket
from collections.abc import Callable
from pathlib import Path

from helpers.rules.reference_comparison import facts, reference_action, reference_game
from system.errors import expect, expect_equal
from system.installed_table import CHECKOUT, HOME, INSIDE, UNIT, InstalledTable
from system.root import DAILY

from companion.adapters.virtual.spi import Max7219Chip
from companion.games.marrakech import parse_position, parse_record

Step = Callable[[InstalledTable], str]
WATCHDOG_S = 6
"""Shorter than the unit's 20 s, to save time."""
SPI_LOG_FOLDER = "/run/spi-log"
PORT = 8080
"""The page's port in the first settings."""
SETTINGS, GAMES = "etc/marrakech/marrakech.toml", "var/lib/marrakech"


def is_port_taken(port: int) -> bool:
    """The container shares this machine's network, where another page may be running."""
    with socket.socket() as server:
        server.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)  # as the page does
        try:
            server.bind(("", port))
        except OSError:
            return True
    return False


def install(table: InstalledTable) -> str:
    timers = table.container.check_run("systemctl", "list-timers", "--no-legend")
    expect(not [name for name in DAILY if f"{name}.timer" in timers], f"no daily timers: {timers}")
    announcement = table.root.at("etc/avahi/services/marrakech.service")
    announcement.parent.mkdir(parents=True)  # as if avahi were installed
    table.contents = table.root.contents()
    table.put_checkout()
    is_taken = is_port_taken(PORT)
    result = table.marrakech("install", "--virtual", folder=CHECKOUT)
    expect_equal(result.code, 0, str(result))
    expect(f"<port>{PORT}</port>" in announcement.read_text(), "the page is announced")
    wanted = {
        "ActiveState": "active",
        "NRestarts": "0",
        "SubState": "running",
        "Type": "notify",
        "UnitFileState": "enabled",
        "User": "marrakech",
    }
    expect_equal(table.show(*wanted), wanted, "the state of the service")
    expect(table.value("StatusText").startswith("SIMULATED | A new game"), "the status text")
    owner = table.container.check_run(
        "stat", "--format=%U", f"/proc/{table.value('MainPID')}"
    ).strip()
    expect_equal(owner, "marrakech", "the owner of the process")
    of_service = ("--unit", UNIT, "--output=cat", "--quiet")
    log = table.container.journal(*of_service)
    expect("the table is ready" in log, f"the log\n{log}")
    warnings = table.container.journal(*of_service, "--priority=warning").splitlines()
    taken = f"the page for phones: port {PORT} is in use by another program, using "
    expect_equal(len(warnings), int(is_taken), f"the number of warnings\n{log}")
    expect(all(line.startswith(taken) for line in warnings), f"only that warning\n{log}")
    started = table.value("InvocationID")
    again = table.marrakech("install", "--virtual", folder=CHECKOUT)
    expect_equal(again.code, 0, str(again))
    steps = [line for line in again.out.splitlines() if " ... " in line]
    expect(len(steps) > 8, f"a second install runs its steps\n{again}")
    done = [line for line in steps if not line.endswith("already done")]
    expect_equal(done, [], "a second install has nothing to do")
    expect_equal(table.value("InvocationID"), started, "it does not restart the service")
    return "running and notified; a second install has nothing to do"


def run_checks(table: InstalledTable) -> str:
    verified = table.container.run("systemd-analyze", "verify", f"/etc/systemd/system/{UNIT}")
    expect_equal((verified.code, verified.err), (0, ""), "systemd-analyze accepts the unit")
    result = table.marrakech("doctor", "--virtual")
    expect_equal(result.code, _is_in_memory(table), str(result))
    found = json.loads(table.marrakech("doctor", "--json").out)["checks"]
    failed = {one["name"] for one in found if one["level"] == "failed"}
    missing = {"pi", "disk"} if _is_in_memory(table) else {"pi"}
    expect_equal(failed, missing, "nothing fails but the check 'pi'")
    by_name = {one["name"]: (one["level"], one["said"]) for one in found}
    expect_equal(by_name["games"], ("good", "none yet"), "the check 'games'")
    expect_equal(by_name["config"][0], "good", f"the check 'config': {by_name}")
    return "systemd-analyze accepts the unit; no check of the doctor fails but 'pi'"


def _is_in_memory(table: InstalledTable) -> bool:
    """Whether the doctor's check 'disk' fails: depends on the machine that runs the test."""
    kind = table.container.check_run("stat", "--file-system", "--format=%T", "/var/lib").strip()
    return kind in ("tmpfs", "ramfs", "overlayfs")


def play(table: InstalledTable) -> str:
    snapshot = table.play("5")
    mover = next(one["called"] for one in snapshot["game"]["players"] if one["to_play"])
    line = table.value("StatusText")
    expect(
        line.startswith(f"SIMULATED | {mover}: your turn | turn 5, 4 of 4 play | "),
        f"the status text has the player to move: {line}",
    )
    shown = table.container.check_run("systemctl", "status", "--full", "--no-pager", UNIT)
    expect(f'Status: "{line}"' in shown, f"systemctl status shows it\n{shown}")
    snapshot = table.play("over")
    game = snapshot["game"]
    record = parse_record(
        table.container.check_run("marrakech", "games", "export", "now", "--simulated")
    )
    # The reference rules share no code with the companion.
    reference = reference_game(record.start)
    for action in record.actions:
        reference.apply(reference_action(action))
    final = parse_position(game["position"])
    expect_equal(
        facts(reference),
        facts(reference_game(final)),
        "the final count",
    )
    tops = [half["colour"] for row in game["market"] for half in row if half]
    for one in game["players"]:
        visible = sum(tops.count(colour) for colour in one["colours"])
        score = None if one["out"] else one["dirhams"] + visible
        expect_equal((one["visible"], one["score"]), (visible, score), f"{one['called']}'s count")
    expect(table.marrakech("games", "--simulated").out.count("won by") == 1, "the game is listed")
    return f"{game['turn']} turns, {snapshot['title']}; counted again by the reference rules"


def hang(table: InstalledTable) -> str:
    table.set_drop_in("watchdog", f"[Service]\nWatchdogSec={WATCHDOG_S}s\n")
    table.container.check_run("systemctl", "restart", UNIT)
    game = table.play("4")["game"]
    started = table.value("InvocationID")
    table.send("SIGSTOP")
    table.wait_for_start(started)
    table.expect_game(game, "after a hang")
    log = table.container.journal("--unit", UNIT, "--output=cat")
    expect("Watchdog timeout" in log, "systemd logs the watchdog timeout")
    expect("most recent call first" in log, "the stacks of its threads are logged")
    table.set_drop_in("watchdog", None)
    return f"SIGSTOP: the watchdog ({WATCHDOG_S} s here) restarts it; same game"


def kill(table: InstalledTable) -> str:
    game = table.play_on()
    started = table.value("InvocationID")
    table.send("SIGKILL")
    table.wait_for_start(started)
    table.expect_game(game, "after a kill")
    expect_equal(table.status()["stage"], "resume", "it offers to resume the game")
    return f"SIGKILL in turn {game['turn']}, between die and rug: same game"


def reboot(table: InstalledTable) -> str:
    game = table.play_on()
    table.container.power_off()
    table.container.boot()
    expect_equal(table.value("ActiveState"), "active", "the service starts at boot")
    table.expect_game(game, "after a reboot")
    return f"poweroff and boot in turn {game['turn']}: same game"


def cut_power(table: InstalledTable) -> str:
    game = table.play_on()
    table.container.cut_power()
    table.container.boot()
    expect_equal(table.value("ActiveState"), "active", "the service starts at boot")
    table.expect_game(game, "after a power cut")
    log = table.root.at(f"{GAMES}/games/simulated/marrakech.log").read_text()
    expect("ended without notice" in log, f"the log names the power cut\n{log}")
    return f"all processes killed at once in turn {game['turn']}: same game"


def fail_upgrade(table: InstalledTable) -> str:
    game = table.play_on()
    old = table.container.check_run("readlink", "/opt/marrakech/current")
    checkout = table.put_checkout(f"{HOME}/broken")
    set_version(checkout, "9.0.0")
    with (checkout / "companion/cli/commands/serve.py").open("a") as file:
        file.write('\n\ndef run(args):\n    raise RuntimeError("broken on purpose")\n')
    result = table.marrakech("upgrade", folder=f"{HOME}/broken")
    expect_equal(result.code, 1, str(result))
    expect(f"GOING BACK to {Path(old.strip()).name}" in result.out, str(result))
    expect("broken on purpose" in result.out, f"the reason is printed\n{result}")
    expect_equal(
        table.container.check_run("readlink", "/opt/marrakech/current"), old, "the version in use"
    )
    expect_equal(table.value("ActiveState"), "active", "the service is up")
    table.expect_game(game, "after an upgrade that failed")
    return "a new version that does not start: back to the old one, code 1; same game"


def upgrade(table: InstalledTable) -> str:
    game = table.play_on()
    old = table.status()["companion"]
    set_version(table.put_checkout(f"{HOME}/new"), "9.0.1")
    result = table.marrakech("upgrade", folder=f"{HOME}/new")
    expect_equal(result.code, 0, str(result))
    expect_equal(table.status()["companion"], "9.0.1", "the running version")
    table.expect_game(game, "after an upgrade")
    game = table.play_on()
    result = table.marrakech("upgrade", "--back")
    expect_equal(result.code, 0, str(result))
    expect_equal(table.status()["companion"], old, "the running version")
    table.expect_game(game, "after going back")
    return f"{old} to 9.0.1, and back by 'upgrade --back'; same game both times"


def set_version(checkout: Path, version: str) -> None:
    path = checkout / "companion/__init__.py"
    text, count = re.subn(r'__version__ = "[^"]*"', f'__version__ = "{version}"', path.read_text())
    assert count == 1, path
    path.write_text(text)


def stop(table: InstalledTable) -> str:
    table.container.check_run("install", "--directory", "--owner=marrakech", SPI_LOG_FOLDER)
    module = (INSIDE / "sitecustomize.py").read_text()
    table.container.check_run(
        "sh", "-c", f"cat > {SPI_LOG_FOLDER}/sitecustomize.py <<'END'\n{module}\nEND"
    )
    table.set_drop_in(
        "spi-log",
        f"[Service]\nEnvironment=PYTHONPATH={SPI_LOG_FOLDER} SPI_LOG={SPI_LOG_FOLDER}/bytes\n"
        f"ReadWritePaths={SPI_LOG_FOLDER}\n",
    )
    table.container.check_run("systemctl", "restart", UNIT)
    game = table.play_on()
    lit = lit_leds(table)
    expect(lit > 0, "the matrix is lit while the service runs")
    table.container.check_run("systemctl", "stop", UNIT)
    state = table.show("ActiveState", "Result", "ExecMainStatus")
    wanted = {"ActiveState": "inactive", "Result": "success", "ExecMainStatus": "0"}
    expect_equal(state, wanted, "how it ended")
    expect_equal(lit_leds(table), 0, "LEDs lit after the stop")
    found = json.loads(table.marrakech("doctor", "--json").out)["checks"]
    games = [one["said"] for one in found if one["name"] == "games"]
    expect_equal(games, ["2 games intact"], "the check 'games'")
    exported = json.loads(
        table.container.check_run("marrakech", "games", "export", "now", "--simulated", "--json")
    )
    expect_equal(exported["position"], game["position"], "the position in the journal")
    return f"code 0, matrix dark (it had {lit} LEDs lit), journal intact"


def lit_leds(table: InstalledTable) -> int:
    """Replays the recorded SPI bytes into a simulated chip."""
    data = bytes.fromhex(
        table.container.check_run("od", "-An", "-v", "-tx1", f"{SPI_LOG_FOLDER}/bytes")
    )
    chip = Max7219Chip()
    for at in range(0, len(data), 2):
        chip.transfer(data[at : at + 2])
    return sum(any(led) for led in chip.light())


def uninstall(table: InstalledTable) -> str:
    kept = {name: kind for name, kind in table.root.contents().items() if _is_kept(name)}
    expect(SETTINGS in kept and len(kept) > 4, f"settings and games exist: {sorted(kept)}")
    result = table.marrakech("uninstall", folder=CHECKOUT)
    expect_equal(result.code, 0, str(result))
    changed = _changes(table)
    expect_equal({name: changed.get(name) for name in kept}, kept, "games and settings stay")
    user = ["etc/passwd", "etc/shadow"]  # the user owns the games
    expect_equal(sorted(set(changed) - set(kept)), user, "what else is left")
    expect_equal(table.value("LoadState"), "not-found", "the unit's LoadState")
    result = table.marrakech("uninstall", "--purge", "--games", "--yes", folder=CHECKOUT)
    expect_equal(result.code, 0, str(result))
    expect_equal(_changes(table), {}, "what is left after --purge")
    expect(table.container.run("getent", "passwd", "marrakech").code != 0, "the user is gone")
    return "games and settings stay; with --purge --games nothing stays"


def _is_kept(name: str) -> bool:
    return any(name == kept or name.startswith(f"{kept}/") for kept in ("etc/marrakech", GAMES))


def _changes(table: InstalledTable) -> dict[str, str]:
    """New and changed files since before the install, without those of Debian packages.

    Ignores the device groups, which `uninstall` keeps, and the backups of useradd (names with a
    dash).
    """
    now, packages = table.root.contents(), table.root.package_files()
    ignored = re.compile(r"etc/(group|gshadow)|etc/(passwd|shadow|group|gshadow|subuid|subgid)-")
    return {
        name: kind
        for name, kind in now.items()
        if table.contents.get(name) != kind and name not in packages and not ignored.fullmatch(name)
    }


STEPS: dict[str, Step] = {
    "install": install,
    "doctor": run_checks,
    "play a game": play,
    "hang": hang,
    "kill": kill,
    "reboot": reboot,
    "power cut": cut_power,
    "failing upgrade": fail_upgrade,
    "upgrade and back": upgrade,
    "stop": stop,
    "uninstall": uninstall,
}
