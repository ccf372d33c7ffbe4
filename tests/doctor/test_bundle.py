"""The support file: its contents, what is redacted, and that it never overwrites a file."""

from __future__ import annotations

import json
import tarfile
from dataclasses import replace
from pathlib import Path

import pytest
from helpers.storage.game_folder import here, no_fsync, play
from helpers.storage.stored_games import SET_UP
from helpers.system.healthy_pi import HealthyPi, context_for

from companion.doctor import bundle
from companion.doctor.bundle import (
    bundle_files,
    check_bundle_path,
    contents_text,
    redact,
    redact_settings,
    write_bundle,
)
from companion.doctor.checks.run import run_checks
from companion.doctor.finding import failed, good
from companion.errors import CompanionError
from companion.machine.commands import CommandResult
from companion.storage.log_file import LOG_FILE, log_paths

__all__ = ["here", "no_fsync"]  # fixtures

NAMES = ("Zoraida", "Bartholomew")
LOG = (
    "2026-03-01 marrakech[7]: Zoraida may not write\n"
    "2026-03-01 systemd[1]: Main process exited, code=exited, status=1/FAILURE\n"
    '2026-03-01 marrakech[7]: /home/ana/m.toml: [game] names = ["Quentin"]: wrong\n'
)


@pytest.fixture
def machine(machine: HealthyPi) -> HealthyPi:
    """With a log of the service and of the kernel."""
    machine.answers["journalctl --unit=marrakech"] = CommandResult(0, LOG)
    machine.answers["dmesg"] = CommandResult(
        0, "".join(f"[{n}] dc:a6:32:0F:1e:2d line {n}\n" for n in range(400))
    )
    return machine


def write_log(folder: Path) -> None:
    """The log beside the games, with personal data in its oldest and its newest file."""
    for number, path in enumerate(log_paths(folder)):
        path.write_text(f"2026-03-0{number + 1} ERROR {LOG}")


def files_of(machine: HealthyPi, folder: Path, *, has_games: bool = False) -> dict[str, bytes]:
    settings = f'[game]\nnames = ["{NAMES[0]}", "{NAMES[1]}"]\nplayers = 2\n'
    context = replace(context_for(machine, settings, folder=folder), origin="/home/ana/m.toml")
    findings = [
        good("read from /home/ana/m.toml"),
        failed('[game] names = ["Quentin"]: wrong', "sudo"),
    ]
    return bundle_files(context, findings, has_games=has_games)


def test_bundle_has_these_files(machine: HealthyPi, tmp_path: Path) -> None:
    write_log(tmp_path)
    files = files_of(machine, tmp_path)
    assert list(files) == [
        "README.txt",
        "report.txt",
        "report.json",
        "config.toml",
        "pinout.txt",
        "versions.txt",
        "service.txt",
        "log.txt",
        "kernel.txt",
    ]
    assert b"model: Raspberry Pi 4 Model B Rev 1.4\n" in files["versions.txt"]
    assert b"gpiozero: 2.0.1.post3\n" in files["versions.txt"]
    assert b"names = '(redacted)'\n" in files["config.toml"]
    assert b"button NORTH  pin 29 (BCM 5)\n" in files["pinout.txt"]
    assert b"code=exited, status=1/FAILURE" in files["service.txt"], "codes in a log are not secret"
    starts = [line for line in files["log.txt"].splitlines() if b"ERROR" in line]
    assert [line[:10] for line in starts] == [b"2026-03-01", b"2026-03-02", b"2026-03-03"]
    lines = files["kernel.txt"].decode().splitlines()
    assert (len(lines), lines[-1]) == (300, "[399] (redacted) line 399")
    assert len(json.loads(files["report.json"])["checks"]) == 2


def test_players_and_owner_are_not_in_it(machine: HealthyPi, tmp_path: Path) -> None:
    play(tmp_path, f"{SET_UP} 2", players=2, names=NAMES)
    write_log(tmp_path)
    assert NAMES[0].encode() in (tmp_path / "game.jsonl").read_bytes()
    for name, data in files_of(machine, tmp_path).items():
        for word in (*NAMES, "Quentin", "/home/ana", "dc:a6:32"):
            assert word.encode() not in data, (name, word)


def test_games_are_added_only_on_request(machine: HealthyPi, tmp_path: Path) -> None:
    play(tmp_path, f"{SET_UP} 2", players=2, names=NAMES)
    without, with_games = (files_of(machine, tmp_path, has_games=has) for has in (False, True))
    assert "game.jsonl" not in without
    assert with_games["game.jsonl"] == (tmp_path / "game.jsonl").read_bytes()
    assert b"WITH the players' names" in with_games["README.txt"]
    assert "without games and names" in contents_text(Path("a.tar.gz"), without)
    assert "with the players' names" in contents_text(Path("a.tar.gz"), with_games)


def test_unreadable_files_are_left_out(machine: HealthyPi, tmp_path: Path) -> None:
    machine.answers.clear()
    files = files_of(machine, tmp_path / "nowhere", has_games=True)
    assert {"service.txt", "log.txt", "kernel.txt", "game.jsonl"}.isdisjoint(files)
    (tmp_path / LOG_FILE).mkdir()
    assert "log.txt" not in files_of(machine, tmp_path)


def test_private_settings_are_redacted() -> None:
    text = 'port = 80\ncode = 1234\nadmin_token= "x"\nPassword = "y"  # default: ""\nkeys = [1]\n'
    assert redact_settings(text) == (
        "port = 80\ncode = '(redacted)'\nadmin_token= '(redacted)'\n"
        "Password = '(redacted)'\nkeys = [1]\n"
    )


def test_name_is_redacted_only_as_a_whole_word() -> None:
    assert redact("Al, Alfred: Al.", ["Al"]) == "(redacted), Alfred: (redacted)."


def test_host_name_is_redacted() -> None:
    """It often contains the owner's name."""
    assert redact("http://annas-pi.local:8080/") == "http://(redacted).local:8080/"


# --- Writing ------------------------------------------------------------------------------


def test_bundle_is_an_archive_with_one_folder(tmp_path: Path) -> None:
    path = tmp_path / "marrakech.tar.gz"
    write_bundle(path, {"a.txt": b"one", "b.txt": b"two"})
    with tarfile.open(path) as tar:
        assert tar.getnames() == ["marrakech-support/a.txt", "marrakech-support/b.txt"]
        member = tar.extractfile("marrakech-support/b.txt")
        assert member is not None
        assert member.read() == b"two"
    assert contents_text(path, {"a.txt": b"one"}) == (
        f"{path}, without games and names, contains:\n"
        "  a.txt               3 bytes\n"
        "Check it before you send it: README.txt says what was redacted."
    )


def test_existing_file_is_not_overwritten(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    path = tmp_path / "mine.tar.gz"
    path.write_text("mine")
    with pytest.raises(CompanionError, match="already exists: choose another name"):
        write_bundle(path, {"a.txt": b"one"})
    assert path.read_text() == "mine"
    with monkeypatch.context() as patch:
        patch.setattr(bundle, "check_bundle_path", lambda _: None)  # created after the first check
        with pytest.raises(CompanionError, match="already exists"):
            write_bundle(path, {"a.txt": b"one"})
    assert path.read_text() == "mine"
    (tmp_path / "link.tar.gz").symlink_to(tmp_path / "nowhere")
    with pytest.raises(CompanionError, match="already exists"):
        check_bundle_path(tmp_path / "link.tar.gz")


def test_failed_write_leaves_no_file(tmp_path: Path) -> None:
    class Broken(dict[str, bytes]):
        def items(self) -> object:  # type: ignore[override]
            raise OSError(28, "No space left on device")

    path = tmp_path / "a.tar.gz"
    with pytest.raises(CompanionError, match=r"a\.tar\.gz: No space left on device"):
        write_bundle(path, Broken())
    assert not path.exists()


@pytest.mark.parametrize("name", ["", "support.zip", "marrakech.tar.gz/"])
def test_name_must_end_in_tar_gz(tmp_path: Path, name: str) -> None:
    if name.endswith("/"):
        with pytest.raises(CompanionError, match="cannot write"):
            write_bundle(tmp_path / name / "a.tar.gz", {})
    else:
        with pytest.raises(CompanionError, match=r"must end in \.tar\.gz"):
            check_bundle_path(Path(name))


def test_bundle_of_all_checks(machine: HealthyPi, tmp_path: Path) -> None:
    context = context_for(machine, '[pad]\nport = "none"\n', folder=tmp_path)
    files = bundle_files(context, list(run_checks(context)))
    assert files["report.txt"].startswith(b"ok    pi        Raspberry Pi 4 Model B Rev 1.4\n")
