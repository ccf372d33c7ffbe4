"""Runs the README's commands on a fresh machine: a minimal Debian with nothing but python3.

    python -P tests/system/fresh_machine.py
    ... --release trixie        only this release (default: bookworm, then trixie)
    ... --user plain            only as this user (default: plain, then root)
    ... --commit REV            this commit (default: HEAD); uncommitted changes are not tested
    ... --command "play"        only commands that start with this (default: all of the README)

For each release, debootstrap creates a root, this repository is cloned into it, and every command
of the README's code blocks runs there: first as a user without privileges, then as root. Needs
root. Exit code 77 if this machine cannot run it.
"""

from __future__ import annotations

import argparse
import os
import re
import shlex
import shutil
import subprocess
import sys
from collections.abc import Sequence
from functools import partial
from pathlib import Path

sys.path.append(str(Path(__file__).parents[1]))  # -P leaves it out

from system.errors import CannotRunError, StepFailedError
from system.host import find_mirror, find_package_access
from system.root import Root
from system.terminal import play_in_terminal
from system.workspace import (
    CHECKOUT,
    FAILED,
    SKIPPED,
    StepLog,
    check_machine,
    interrupt_on_signals,
    temporary_folder,
)

RELEASES = ("bookworm", "trixie")
PACKAGES = ("python3",)
HOMES = {"plain": "/home/player", "root": "/root"}
"""The plain user comes first, because packages installed by root are visible to all."""
PLAIN_ID = 1000
_AS_PLAIN = ("setpriv", f"--reuid={PLAIN_ID}", f"--regid={PLAIN_ID}", "--clear-groups")


def main(words: list[str]) -> int:
    args = parse_arguments(words)
    try:
        check_machine()
        with interrupt_on_signals(), temporary_folder() as work:
            return run_all(work, args)
    except CannotRunError as error:
        print(f"SKIPPED: {error}", flush=True)
        return SKIPPED


def parse_arguments(words: list[str]) -> argparse.Namespace:
    parser = argparse.ArgumentParser(description=(__doc__ or "").partition("\n")[0])
    parser.add_argument("--release", action="append", choices=RELEASES, help="default: all")
    parser.add_argument("--user", action="append", choices=list(HOMES), help="default: all")
    parser.add_argument("--commit", default="HEAD", metavar="REV", help="default: HEAD")
    parser.add_argument(
        "--command", default="", metavar="WORDS", help="only commands that start with this"
    )
    return parser.parse_args(words)


def run_all(work: Path, args: argparse.Namespace) -> int:
    log = StepLog()
    failed = 0
    try:
        for release in args.release or RELEASES:
            machine = FreshMachine(work / release, release, args.commit)
            log.run(f"{release}: root", machine.make)
            for user in args.user or HOMES:
                log.run(f"{release}, {user}: clone", partial(machine.clone, user))
                for command in machine.readme_commands(user):
                    if not command.startswith(args.command):
                        continue
                    try:
                        name = f"{release}, {user}: ./marrakech {command}"
                        log.run(name, partial(machine.run, user, command))
                    except StepFailedError as error:
                        print(f"\n=== FAILED: {name} ===\n{error}", flush=True)
                        failed += 1
    finally:
        log.print_table()
    return FAILED if failed else 0


class FreshMachine:
    def __init__(self, folder: Path, release: str, commit: str) -> None:
        folder.mkdir()
        self._log = folder / "root.log"
        self._release = release
        self._commit = commit
        self._access = find_package_access(os.environ)
        self._root = Root(folder / "root", self._access)

    def make(self) -> str:
        mirror = find_mirror(os.environ, self._release)
        self._root.make(mirror, self._log, release=self._release, packages=PACKAGES)
        home = HOMES["plain"]
        self._check_run(
            "useradd", "--create-home", "--home-dir", home, f"--uid={PLAIN_ID}", "player"
        )
        settings = self._root.at("root/.config")
        if settings.is_dir():  # pip's, so that this user can download packages as well
            shutil.copytree(settings, self._root.at(f"{home}/.config"))
        return self._check_run("python3", "--version").strip()

    def clone(self, user: str) -> str:
        target = self._root.at(HOMES[user]) / "marrakech-companion"
        for command in (
            ["git", "clone", "--quiet", "--no-hardlinks", str(CHECKOUT), str(target)],
            ["git", "-C", str(target), "checkout", "--quiet", "--detach", self._commit],
            ["git", "-C", str(target), "describe", "--always"],
        ):
            done = subprocess.run(command, check=True, capture_output=True, text=True)
        if user == "plain":
            self._check_run("chown", "--recursive", f"{PLAIN_ID}:{PLAIN_ID}", HOMES[user])
        return done.stdout.strip()

    def readme_commands(self, user: str) -> list[str]:
        readme = self._root.at(HOMES[user]) / "marrakech-companion/README.md"
        return commands_in(readme.read_text())

    def run(self, user: str, command: str) -> str:
        """Run ./marrakech with this command. Returns the line with the number of passed tests."""
        log = self._log.with_name("-".join([user, *re.findall(r"\w+", command)]) + ".log")
        words = self._as_user(user, "./marrakech", *shlex.split(command))
        if command == "play":
            return play_in_terminal(words, self._environ(user), log)
        with log.open("wb") as file:
            done = subprocess.run(
                words,
                env=self._environ(user),
                stdin=subprocess.DEVNULL,
                stdout=file,
                stderr=subprocess.STDOUT,
                check=False,
            )
        printed = log.read_text(errors="replace").strip()
        if done.returncode:
            lines = printed.splitlines()
            failed = [line for line in lines[:-60] if re.match("FAILED|ERROR|E   ", line)]
            excerpt = "\n".join([*failed, "...", *lines[-60:]])
            raise StepFailedError(f"exit code {done.returncode}; it printed:\n{excerpt}")
        return next((line for line in reversed(printed.splitlines()) if " passed" in line), "")

    def _as_user(self, user: str, *command: str) -> list[str]:
        folder = f"{HOMES[user]}/marrakech-companion"
        set_user = _AS_PLAIN if user == "plain" else ()
        return self._root.enter("env", f"--chdir={folder}", *set_user, *command)

    def _environ(self, user: str) -> dict[str, str]:
        return {**self._root.environ, "HOME": HOMES[user], "TERM": "xterm-256color"}

    def _check_run(self, *command: str) -> str:
        done = self._root.run(*command)
        if done.returncode:
            raise CannotRunError(f"{shlex.join(command)}: {done.stderr.strip()}")
        return done.stdout


def commands_in(readme: str) -> list[str]:
    """The arguments of ./marrakech in the code blocks, without duplicates."""
    blocks: Sequence[str] = re.findall(r"^```\n(.*?)^```", readme, re.MULTILINE | re.DOTALL)
    lines = [line for block in blocks for line in block.splitlines()]
    found = [line.partition("#")[0].strip() for line in lines if line.startswith("./marrakech ")]
    return list(dict.fromkeys(line.removeprefix("./marrakech ") for line in found))


if __name__ == "__main__":
    try:
        sys.exit(main(sys.argv[1:]))
    except KeyboardInterrupt:
        sys.exit(130)
