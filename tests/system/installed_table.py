"""The installed table in the container, controlled like by a user logged in on the Pi."""

from __future__ import annotations

import json
import shutil
from pathlib import Path
from typing import Any

from system.container import Container, ContainerResult
from system.errors import StepFailedError, expect_equal, wait_until

UNIT = "marrakech.service"
PYTHON = "/opt/marrakech/current/bin/python"
HOME = "/home/pi"
CHECKOUT = f"{HOME}/marrakech-companion"
PLAYER = f"{HOME}/player.py"
DROP_INS = f"/run/systemd/system/{UNIT}.d"
"""Lost at the next boot."""
INSIDE = Path(__file__).parent / "inside"


class InstalledTable:
    def __init__(self, container: Container, tree: Path) -> None:
        self.container = container
        self.root = container.root
        self.tree = tree
        """A clean copy of the checkout."""
        self.contents: dict[str, str] = {}
        """The files before the installation."""
        self._seed = 0

    # --- Checkouts ------------------------------------------------------------------------

    def put_checkout(self, folder: str = CHECKOUT) -> Path:
        """Copy the checkout into the container. Returns its path on this machine."""
        path = self.root.at(folder)
        shutil.copytree(self.tree, path)
        shutil.copy(INSIDE / "player.py", self.root.at(PLAYER))
        return path

    def marrakech(self, *words: str, folder: str | None = None) -> ContainerResult:
        """Run `./marrakech` in a checkout, or the installed command."""
        if folder is None:
            return self.container.run("marrakech", *words)
        return self.container.run("./marrakech", *words, folder=folder)

    # --- The service ----------------------------------------------------------------------

    def show(self, *names: str) -> dict[str, str]:
        """Properties of the unit."""
        output = self.container.check_run(
            "systemctl", "show", f"--property={','.join(names)}", UNIT
        )
        return dict(line.split("=", 1) for line in output.splitlines())

    def value(self, name: str) -> str:
        return self.show(name)[name]

    def wait_for_start(self, before: str) -> None:
        """Wait until it runs with another InvocationID."""

        def is_up() -> bool:
            state = self.show("ActiveState", "SubState", "InvocationID")
            is_running = (state["ActiveState"], state["SubState"]) == ("active", "running")
            return is_running and state["InvocationID"] != before

        wait_until(is_up, "the service is running again")

    def send(self, signal: str) -> None:
        """Send a signal to the main process."""
        self.container.check_run(
            "systemctl", "kill", "--kill-whom=main", f"--signal={signal}", UNIT
        )

    def set_drop_in(self, name: str, text: str | None) -> None:
        """Change the unit until the next boot; None removes the drop-in."""
        path = f"{DROP_INS}/{name}.conf"
        if text is None:
            self.container.check_run("rm", path)
        else:
            self.container.check_run("mkdir", "--parents", DROP_INS)
            self.container.check_run("sh", "-c", f"printf '%s' '{text}' > {path}")
        self.container.check_run("systemctl", "daemon-reload")

    # --- The table ------------------------------------------------------------------------

    def status(self) -> dict[str, Any]:
        result = self.marrakech("status", "--json")
        if result.code:
            raise StepFailedError(str(result))
        table: dict[str, Any] = json.loads(result.out)
        return table

    def play(self, goal: str) -> dict[str, Any]:
        """Play until the goal: see player.py. Returns the snapshot."""
        self._seed += 1
        answer = json.loads(self.container.check_run(PYTHON, PLAYER, str(self._seed), goal))
        table: dict[str, Any] = answer["table"]
        return table | {"presses": answer["presses"]}

    def play_on(self) -> dict[str, Any]:
        """Play until the middle of the next turn. Returns the game."""
        now = self.status()["game"]
        game: dict[str, Any] = self.play(str(now["turn"] + 1))["game"]
        return game

    def expect_game(self, wanted: dict[str, Any], when: str) -> None:
        """The market, Assam, money, rugs, turn and last entry are unchanged."""
        expect_equal(self.status()["game"], wanted, f"the game is the same {when}")
