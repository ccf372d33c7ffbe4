"""The support file: what is inside, what is left out, and that it overwrites nothing."""

from __future__ import annotations

import json
import tarfile
from dataclasses import replace
from pathlib import Path

import pytest
from helpers.storage.game_folder import at_once, here, play
from helpers.storage.stored_games import SET_UP
from helpers.system.fake_machine import FakeMachine, patient_of

from companion.doctor import bundle
from companion.doctor.bundle import (
    bundle_files,
    check_bundle,
    clean,
    contents_text,
    hide_settings,
    write_bundle,
)
from companion.doctor.checks.run import run_checks
from companion.doctor.finding import failed, good
from companion.doctor.machine import Ran
from companion.errors import CompanionError

__all__ = ["at_once", "here"]  # fixtures

NAMES = ("Zoraida", "Bartholomew")
LOG = (
    "2026-03-01 marrakech[7]: Zoraida may not write\n"
    "2026-03-01 systemd[1]: Main process exited, code=exited, status=1/FAILURE\n"
)


@pytest.fixture
def machine() -> FakeMachine:
    machine = FakeMachine()
    machine.runs["journalctl --unit=marrakech"] = Ran(0, LOG)
    machine.runs["dmesg"] = Ran(
        0, "".join(f"[{n}] dc:a6:32:0F:1e:2d line {n}\n" for n in range(400))
    )
    return machine


def files_of(machine: FakeMachine, folder: Path, *, has_games: bool = False) -> dict[str, bytes]:
    settings = f'[game]\nnames = ["{NAMES[0]}", "{NAMES[1]}"]\nplayers = 2\n'
    patient = replace(patient_of(machine, settings, folder=folder), origin="/home/ana/m.toml")
    findings = [
        good("read from /home/ana/m.toml"),
        failed('[game] names = ["Quentin"]: wrong', "sudo"),
    ]
    return bundle_files(patient, findings, has_games=has_games)


def test_it_has_what_somebody_far_away_needs(machine: FakeMachine, tmp_path: Path) -> None:
    files = files_of(machine, tmp_path)
    assert list(files) == [
        "README.txt",
        "report.txt",
        "report.json",
        "config.toml",
        "pinout.txt",
        "versions.txt",
        "service.txt",
        "kernel.txt",
    ]
    assert b"model: Raspberry Pi 4 Model B Rev 1.4\n" in files["versions.txt"]
    assert b"gpiozero: 2.0.1.post3\n" in files["versions.txt"]
    assert b"names = '(left out)'\n" in files["config.toml"]
    assert b"button NORTH  pin 29 (BCM 5)\n" in files["pinout.txt"]
    assert b"code=exited, status=1/FAILURE" in files["service.txt"], "a log's codes are no secrets"
    lines = files["kernel.txt"].decode().splitlines()
    assert (len(lines), lines[-1]) == (300, "[399] (left out) line 399")
    assert len(json.loads(files["report.json"])["checks"]) == 2


def test_nobody_who_played_is_in_it(machine: FakeMachine, tmp_path: Path) -> None:
    play(tmp_path, f"{SET_UP} 2", players=2, names=NAMES)
    assert NAMES[0].encode() in (tmp_path / "game.jsonl").read_bytes()
    for name, data in files_of(machine, tmp_path).items():
        for word in (*NAMES, "Quentin", "/home/ana", "dc:a6:32"):
            assert word.encode() not in data, (name, word)


def test_games_come_along_only_when_told_and_that_is_said(
    machine: FakeMachine, tmp_path: Path
) -> None:
    play(tmp_path, f"{SET_UP} 2", players=2, names=NAMES)
    without, with_games = (files_of(machine, tmp_path, has_games=has) for has in (False, True))
    assert "game.jsonl" not in without
    assert with_games["game.jsonl"] == (tmp_path / "game.jsonl").read_bytes()
    assert b"WITH the players' names" in with_games["README.txt"]
    assert "without games and names" in contents_text(Path("a.tar.gz"), without)
    assert "with the players' names" in contents_text(Path("a.tar.gz"), with_games)


def test_what_may_not_be_read_is_not_inside(tmp_path: Path) -> None:
    machine = FakeMachine()
    machine.runs.clear()
    files = files_of(machine, tmp_path / "nowhere", has_games=True)
    assert {"service.txt", "kernel.txt", "game.jsonl"}.isdisjoint(files)


def test_whatever_is_called_a_secret_is_hidden() -> None:
    text = 'port = 80\ncode = 1234\nadmin_token= "x"\nPassword = "y"  # default: ""\nkeys = [1]\n'
    assert hide_settings(text) == (
        "port = 80\ncode = '(left out)'\nadmin_token= '(left out)'\n"
        "Password = '(left out)'\nkeys = [1]\n"
    )


def test_a_name_is_left_out_where_it_stands_alone() -> None:
    assert clean("Al, Alfred: Al.", ["Al"]) == "(left out), Alfred: (left out)."


def test_what_somebody_called_the_machine_is_left_out() -> None:
    """It is often called after its owner."""
    assert clean("http://annas-pi.local:8080/") == "http://(left out).local:8080/"


# --- Writing ------------------------------------------------------------------------------


def test_it_is_an_archive_with_one_folder(tmp_path: Path) -> None:
    path = tmp_path / "marrakech.tar.gz"
    write_bundle(path, {"a.txt": b"one", "b.txt": b"two"})
    with tarfile.open(path) as tar:
        assert tar.getnames() == ["marrakech-support/a.txt", "marrakech-support/b.txt"]
        inside = tar.extractfile("marrakech-support/b.txt")
        assert inside is not None
        assert inside.read() == b"two"
    assert contents_text(path, {"a.txt": b"one"}) == (
        f"{path}, without games and names, has inside:\n"
        "  a.txt               3 bytes\n"
        "Look into it before you send it: README.txt says what was left out."
    )


def test_a_file_that_is_there_stays_as_it_is(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    path = tmp_path / "mine.tar.gz"
    path.write_text("mine")
    with pytest.raises(CompanionError, match="is there already: name another file"):
        write_bundle(path, {"a.txt": b"one"})
    assert path.read_text() == "mine"
    with monkeypatch.context() as patch:
        patch.setattr(bundle, "check_bundle", lambda _: None)  # it came after the first look
        with pytest.raises(CompanionError, match="is there already"):
            write_bundle(path, {"a.txt": b"one"})
    assert path.read_text() == "mine"
    (tmp_path / "link.tar.gz").symlink_to(tmp_path / "nowhere")
    with pytest.raises(CompanionError, match="is there already"):
        check_bundle(tmp_path / "link.tar.gz")


def test_half_a_support_file_is_none(tmp_path: Path) -> None:
    class Broken(dict[str, bytes]):
        def items(self) -> object:  # type: ignore[override]
            raise OSError(28, "No space left on device")

    path = tmp_path / "a.tar.gz"
    with pytest.raises(CompanionError, match=r"a\.tar\.gz: No space left on device"):
        write_bundle(path, Broken())
    assert not path.exists()


@pytest.mark.parametrize("name", ["", "support.zip", "marrakech.tar.gz/"])
def test_a_name_that_says_something_else_is_refused(tmp_path: Path, name: str) -> None:
    if name.endswith("/"):
        with pytest.raises(CompanionError, match="cannot write"):
            write_bundle(tmp_path / name / "a.tar.gz", {})
    else:
        with pytest.raises(CompanionError, match=r"call it marrakech\.tar\.gz"):
            check_bundle(Path(name))


def test_a_whole_examination_fits_into_it(machine: FakeMachine, tmp_path: Path) -> None:
    patient = patient_of(machine, '[pad]\nport = "none"\n', folder=tmp_path)
    files = bundle_files(patient, list(run_checks(patient)))
    assert files["report.txt"].startswith(b"ok    pi        Raspberry Pi 4 Model B Rev 1.4\n")
