"""The scenes, in their order: each goes on where the one before it has ended.

A scene says in a line what it has shown, or raises.
"""

from __future__ import annotations

import json
import re
import socket
from collections.abc import Callable
from pathlib import Path

from helpers.rules.reference_comparison import facts, reference_game, told
from system.failure import expect, expect_equal
from system.pi import CHECKOUT, HOME, INSIDE, UNIT, Pi
from system.root import DAILY

from companion.adapters.virtual.spi import Max7219Chip
from companion.games.marrakech import parse_position, parse_record

Scene = Callable[[Pi], str]
WATCHDOG_S = 6
"""Instead of the unit's 20, so that nobody waits so long for it here."""
WITNESS = "/run/witness"
PORT = 8080
"""Of the page, as the first settings have it."""
SETTINGS, GAMES = "etc/marrakech/marrakech.toml", "var/lib/marrakech"


def has_somebody(port: int) -> bool:
    """The container has the network of the machine, on which another may have a page."""
    with socket.socket() as door:
        door.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)  # as the page does
        try:
            door.bind(("", port))
        except OSError:
            return True
    return False


def install(pi: Pi) -> str:
    timers = pi.container.do("systemctl", "list-timers", "--no-legend")
    expect(not [name for name in DAILY if f"{name}.timer" in timers], f"nothing daily: {timers}")
    announcement = pi.root.at("etc/avahi/services/marrakech.service")
    announcement.parent.mkdir(parents=True)  # as where avahi is
    pi.contents = pi.root.contents()
    pi.put_checkout()
    is_taken = has_somebody(PORT)
    ran = pi.marrakech("install", "--virtual", folder=CHECKOUT)
    expect_equal(ran.code, 0, str(ran))
    expect(f"<port>{PORT}</port>" in announcement.read_text(), "avahi is told of the page")
    wanted = {
        "ActiveState": "active",
        "NRestarts": "0",
        "SubState": "running",
        "Type": "notify",
        "UnitFileState": "enabled",
        "User": "marrakech",
    }
    expect_equal(pi.show(*wanted), wanted, "how the service is")
    expect(pi.value("StatusText").startswith("SIMULATED | A new game"), "it says how it is")
    owner = pi.container.do("stat", "--format=%U", f"/proc/{pi.value('MainPID')}").strip()
    expect_equal(owner, "marrakech", "whose process it is")
    log = pi.container.journal("--unit", UNIT, "--output=cat")
    complaints = [line for line in log.splitlines() if line.startswith("marrakech: ")]
    taken = f"marrakech: the page for phones: port {PORT} is taken by another program, it is at "
    expect_equal(len(complaints), int(is_taken), f"what it complains of\n{log}")
    expect(all(line.startswith(taken) for line in complaints), f"just of that\n{log}")
    started = pi.value("InvocationID")
    again = pi.marrakech("install", "--virtual", folder=CHECKOUT)
    expect_equal(again.code, 0, str(again))
    steps = [line for line in again.out.splitlines() if " ... " in line]
    expect(len(steps) > 8, f"a second install takes its steps\n{again}")
    done = [line for line in steps if not line.endswith("already so")]
    expect_equal(done, [], "a second install has nothing to do")
    expect_equal(pi.value("InvocationID"), started, "and starts nothing again")
    return "from a clean tree; running and notified; a second install has nothing to do"


def run_checks(pi: Pi) -> str:
    verified = pi.container.run("systemd-analyze", "verify", f"/etc/systemd/system/{UNIT}")
    expect_equal((verified.code, verified.err), (0, ""), "systemd finds nothing wrong in the unit")
    ran = pi.marrakech("doctor", "--virtual")
    expect_equal(ran.code, _is_in_memory(pi), str(ran))
    found = json.loads(pi.marrakech("doctor", "--json").out)["checks"]
    failed = {one["name"] for one in found if one["level"] == "failed"}
    missing = {"pi", "disk"} if _is_in_memory(pi) else {"pi"}
    expect_equal(failed, missing, "the doctor misses nothing but a Pi")
    told = {one["name"]: (one["level"], one["said"]) for one in found}
    expect_equal(told["games"], ("good", "none yet"), "what the doctor says of the games")
    expect_equal(told["config"][0], "good", f"what the doctor says of the settings: {told}")
    return "systemd-analyze verify is silent; the doctor misses nothing but a Pi"


def _is_in_memory(pi: Pi) -> bool:
    """Where the doctor would not have games: it depends on the machine that the test runs on."""
    kind = pi.container.do("stat", "--file-system", "--format=%T", "/var/lib").strip()
    return kind in ("tmpfs", "ramfs", "overlayfs")


def play(pi: Pi) -> str:
    table = pi.play("5")
    mover = next(one["called"] for one in table["game"]["players"] if one["to_play"])
    line = pi.value("StatusText")
    expect(
        line.startswith(f"SIMULATED | {mover}: your turn | turn 5, 4 of 4 play | "),
        f"the status line says whose turn it is: {line}",
    )
    shown = pi.container.do("systemctl", "status", "--full", "--no-pager", UNIT)
    expect(f'Status: "{line}"' in shown, f"systemctl status shows it\n{shown}")
    table = pi.play("over")
    game = table["game"]
    record = parse_record(pi.container.do("marrakech", "games", "export", "now", "--simulated"))
    # Counted by the other implementation of the rules, which shares no code with the first.
    twin = reference_game(record.start)
    for action in record.actions:
        twin.apply(told(action))
    final = parse_position(game["position"])
    expect_equal(
        facts(twin),
        facts(reference_game(final)),
        "the final count",
    )
    tops = [half["colour"] for row in game["market"] for half in row if half]
    for one in game["players"]:
        visible = sum(tops.count(colour) for colour in one["colours"])
        score = None if one["out"] else one["dirhams"] + visible
        expect_equal((one["visible"], one["score"]), (visible, score), f"{one['called']}'s count")
    expect(pi.marrakech("games", "--simulated").out.count("won by") == 1, "the game is listed")
    return f"{game['turn']} turns, {table['title']}; counted again by the reference rules"


def hang(pi: Pi) -> str:
    pi.set_drop_in("watchdog", f"[Service]\nWatchdogSec={WATCHDOG_S}s\n")
    pi.container.do("systemctl", "restart", UNIT)
    game = pi.play("4")["game"]
    started = pi.value("InvocationID")
    pi.send("SIGSTOP")
    pi.wait_for_start(started)
    pi.expect_game(game, "after a hang")
    log = pi.container.journal("--unit", UNIT, "--output=cat")
    expect("Watchdog timeout" in log, "systemd says that it was the watchdog")
    expect("most recent call first" in log, "its threads have said where they were")
    pi.set_drop_in("watchdog", None)
    return f"SIGSTOP: the watchdog ({WATCHDOG_S} s here) starts it again; same game"


def kill(pi: Pi) -> str:
    game = pi.play_on()
    started = pi.value("InvocationID")
    pi.send("SIGKILL")
    pi.wait_for_start(started)
    pi.expect_game(game, "after a kill")
    expect_equal(pi.status()["stage"], "resume", "it asks whether to go on")
    return f"SIGKILL in turn {game['turn']}, between die and rug: same game"


def reboot(pi: Pi) -> str:
    game = pi.play_on()
    pi.container.power_off()
    pi.container.boot()
    expect_equal(pi.value("ActiveState"), "active", "the service starts with the boot")
    pi.expect_game(game, "after a reboot")
    return f"poweroff and boot in turn {game['turn']}: same game"


def pull_plug(pi: Pi) -> str:
    game = pi.play_on()
    pi.container.pull_plug()
    pi.container.boot()
    expect_equal(pi.value("ActiveState"), "active", "the service starts with the boot")
    pi.expect_game(game, "after a power cut")
    return f"everything killed at once in turn {game['turn']}: same game"


def fail_upgrade(pi: Pi) -> str:
    game = pi.play_on()
    old = pi.container.do("readlink", "/opt/marrakech/current")
    place = pi.put_checkout(f"{HOME}/broken")
    set_version(place, "9.0.0")
    with (place / "companion/cli/commands/serve.py").open("a") as file:
        file.write('\n\ndef run(args):\n    raise RuntimeError("broken on purpose")\n')
    ran = pi.marrakech("upgrade", folder=f"{HOME}/broken")
    expect_equal(ran.code, 1, str(ran))
    expect(f"GOING BACK to {Path(old.strip()).name}" in ran.out, str(ran))
    expect("broken on purpose" in ran.out, f"it says why\n{ran}")
    expect_equal(pi.container.do("readlink", "/opt/marrakech/current"), old, "the version in use")
    expect_equal(pi.value("ActiveState"), "active", "the table is up")
    pi.expect_game(game, "after an upgrade that failed")
    return "a new version that does not come up: back to the old one, code 1; same game"


def upgrade(pi: Pi) -> str:
    game = pi.play_on()
    old = pi.status()["companion"]
    set_version(pi.put_checkout(f"{HOME}/new"), "9.0.1")
    ran = pi.marrakech("upgrade", folder=f"{HOME}/new")
    expect_equal(ran.code, 0, str(ran))
    expect_equal(pi.status()["companion"], "9.0.1", "the version that runs")
    pi.expect_game(game, "after an upgrade")
    game = pi.play_on()
    ran = pi.marrakech("upgrade", "--back")
    expect_equal(ran.code, 0, str(ran))
    expect_equal(pi.status()["companion"], old, "the version that runs")
    pi.expect_game(game, "after going back")
    return f"{old} to 9.0.1, and back by 'upgrade --back'; same game both times"


def set_version(checkout: Path, version: str) -> None:
    path = checkout / "companion/__init__.py"
    text, count = re.subn(r'__version__ = "[^"]*"', f'__version__ = "{version}"', path.read_text())
    assert count == 1, path
    path.write_text(text)


def stop(pi: Pi) -> str:
    pi.container.do("install", "--directory", "--owner=marrakech", WITNESS)
    witness = (INSIDE / "sitecustomize.py").read_text()
    pi.container.do("sh", "-c", f"cat > {WITNESS}/sitecustomize.py <<'END'\n{witness}\nEND")
    pi.set_drop_in(
        "witness",
        f"[Service]\nEnvironment=PYTHONPATH={WITNESS} SPI_WITNESS={WITNESS}/bytes\n"
        f"ReadWritePaths={WITNESS}\n",
    )
    pi.container.do("systemctl", "restart", UNIT)
    game = pi.play_on()
    lit = lit_leds(pi)
    expect(lit > 0, "the matrix is lit while the table is open")
    pi.container.do("systemctl", "stop", UNIT)
    told = pi.show("ActiveState", "Result", "ExecMainStatus")
    wanted = {"ActiveState": "inactive", "Result": "success", "ExecMainStatus": "0"}
    expect_equal(told, wanted, "how it ended")
    expect_equal(lit_leds(pi), 0, "LEDs that are lit after the stop")
    found = json.loads(pi.marrakech("doctor", "--json").out)["checks"]
    games = [one["said"] for one in found if one["name"] == "games"]
    expect_equal(games, ["2 games whole"], "what the doctor says of the games")
    exported = json.loads(
        pi.container.do("marrakech", "games", "export", "now", "--simulated", "--json")
    )
    expect_equal(exported["position"], game["position"], "what the journal comes to")
    return f"code 0, matrix dark (it had {lit} LEDs lit), journal whole"


def lit_leds(pi: Pi) -> int:
    """As a chip shows it that has heard the same bytes."""
    data = bytes.fromhex(pi.container.do("od", "-An", "-v", "-tx1", f"{WITNESS}/bytes"))
    chip = Max7219Chip()
    for at in range(0, len(data), 2):
        chip.transfer(data[at : at + 2])
    return sum(any(led) for led in chip.light())


def uninstall(pi: Pi) -> str:
    kept = {name: told for name, told in pi.root.contents().items() if _is_kept(name)}
    expect(SETTINGS in kept and len(kept) > 4, f"there are settings and games: {sorted(kept)}")
    ran = pi.marrakech("uninstall", folder=CHECKOUT)
    expect_equal(ran.code, 0, str(ran))
    new = _new(pi)
    expect_equal({name: new.get(name) for name in kept}, kept, "games and settings stay")
    user = ["etc/passwd", "etc/shadow"]  # the games are his
    expect_equal(sorted(set(new) - set(kept)), user, "what else is left")
    expect_equal(pi.value("LoadState"), "not-found", "what systemd knows of the unit")
    ran = pi.marrakech("uninstall", "--purge", "--games", "--yes", folder=CHECKOUT)
    expect_equal(ran.code, 0, str(ran))
    expect_equal(_new(pi), {}, "what is left after --purge")
    expect(pi.container.run("getent", "passwd", "marrakech").code != 0, "the user is gone")
    return "games and settings stay; with --purge --games nothing does"


def _is_kept(name: str) -> bool:
    return any(name == kept or name.startswith(f"{kept}/") for kept in ("etc/marrakech", GAMES))


def _new(pi: Pi) -> dict[str, str]:
    """What is there, or is otherwise than before the install, and is not of a Debian package.

    The groups of the devices are left, as `uninstall` says. Names with a dash are the last states
    of the files beside them, as useradd and others keep them.
    """
    now, packages = pi.root.contents(), pi.root.of_packages()
    left = re.compile(r"etc/(group|gshadow)|etc/(passwd|shadow|group|gshadow|subuid|subgid)-")
    return {
        name: told
        for name, told in now.items()
        if pi.contents.get(name) != told and name not in packages and not left.fullmatch(name)
    }


SCENES: dict[str, Scene] = {
    "install": install,
    "examine": run_checks,
    "play a game": play,
    "hang": hang,
    "kill": kill,
    "reboot": reboot,
    "pull the plug": pull_plug,
    "failing upgrade": fail_upgrade,
    "upgrade and back": upgrade,
    "stop": stop,
    "uninstall": uninstall,
}
