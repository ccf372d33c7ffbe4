"""The table in the container, as somebody sees it who is logged in on the Pi."""

from __future__ import annotations

import json
import shutil
from pathlib import Path
from typing import Any

from system.container import Container, Ran
from system.failure import SceneError, expect_equal, wait_until

UNIT = "marrakech.service"
PYTHON = "/opt/marrakech/current/bin/python"
HOME = "/home/pi"
CHECKOUT = f"{HOME}/marrakech-companion"
PLAYER = f"{HOME}/player.py"
DROP_INS = f"/run/systemd/system/{UNIT}.d"
"""Gone with the next boot."""
INSIDE = Path(__file__).parent / "inside"


class Pi:
    def __init__(self, container: Container, tree: Path) -> None:
        self.container = container
        self.root = container.root
        self.tree = tree
        """A clean copy of the checkout."""
        self.contents: dict[str, str] = {}
        """What was there before anything was installed."""
        self._seed = 0

    # --- Checkouts --------------------------------------------------------------------

    def put_checkout(self, folder: str = CHECKOUT) -> Path:
        """Where it is on this machine."""
        place = self.root.at(folder)
        shutil.copytree(self.tree, place)
        shutil.copy(INSIDE / "player.py", self.root.at(PLAYER))
        return place

    def marrakech(self, *words: str, folder: str | None = None) -> Ran:
        """`./marrakech` in a checkout, or the command that is installed."""
        if folder is None:
            return self.container.run("marrakech", *words)
        return self.container.run("./marrakech", *words, folder=folder)

    # --- The service ------------------------------------------------------------------

    def show(self, *names: str) -> dict[str, str]:
        """What systemd says of the unit."""
        told = self.container.do("systemctl", "show", f"--property={','.join(names)}", UNIT)
        return dict(line.split("=", 1) for line in told.splitlines())

    def value(self, name: str) -> str:
        return self.show(name)[name]

    def wait_for_start(self, before: str) -> None:
        """Until it runs by another start than that one."""

        def is_up() -> bool:
            told = self.show("ActiveState", "SubState", "InvocationID")
            is_running = (told["ActiveState"], told["SubState"]) == ("active", "running")
            return is_running and told["InvocationID"] != before

        wait_until(is_up, "the service runs again")

    def send(self, signal: str) -> None:
        """To the companion itself."""
        self.container.do("systemctl", "kill", "--kill-whom=main", f"--signal={signal}", UNIT)

    def set_drop_in(self, name: str, text: str | None) -> None:
        """Change the unit, until the next boot at most; with None, as it was."""
        path = f"{DROP_INS}/{name}.conf"
        if text is None:
            self.container.do("rm", path)
        else:
            self.container.do("mkdir", "--parents", DROP_INS)
            self.container.do("sh", "-c", f"printf '%s' '{text}' > {path}")
        self.container.do("systemctl", "daemon-reload")

    # --- The table --------------------------------------------------------------------

    def status(self) -> dict[str, Any]:
        ran = self.marrakech("status", "--json")
        if ran.code:
            raise SceneError(str(ran))
        table: dict[str, Any] = json.loads(ran.out)
        return table

    def play(self, goal: str) -> dict[str, Any]:
        """Until the game is 'over', or a turn of this number is half played: see player.py."""
        self._seed += 1
        told = json.loads(self.container.do(PYTHON, PLAYER, str(self._seed), goal))
        table: dict[str, Any] = told["table"]
        return table | {"presses": told["presses"]}

    def play_on(self) -> dict[str, Any]:
        """The game, with the turn after this one half played."""
        now = self.status()["game"]
        game: dict[str, Any] = self.play(str(now["turn"] + 1))["game"]
        return game

    def expect_game(self, wanted: dict[str, Any], when: str) -> None:
        """The market, Assam, money, rugs, turn and what was told last are all as they were."""
        expect_equal(self.status()["game"], wanted, f"the game is the same {when}")
