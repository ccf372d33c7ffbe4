"""`marrakech doctor`: prints what it found, and its exit code says whether anything failed."""

from __future__ import annotations

import asyncio
import json
import os
import pty
from pathlib import Path

import pytest
from helpers.system.fake_machine import MODEL, FakeMachine

from companion.cli.commands import doctor
from companion.cli.main import main
from companion.cli.terminal_person import TerminalPerson
from companion.doctor.walk.person import LeftError
from companion.testing import virtual_time

SIMULATED = "SIMULATED: a virtual matrix, mock pins and a virtual die pad; nothing is wired\n"
NO_PAD = '[pad]\nport = "none"\n[die]\ninput = "electronic"\n'


@pytest.fixture
def machine(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> FakeMachine:
    machine = FakeMachine()
    machine.environ = {"HOME": str(tmp_path)}
    monkeypatch.setattr(doctor, "this_machine", lambda: machine)
    monkeypatch.chdir(tmp_path)
    Path("marrakech.toml").write_text(NO_PAD)
    return machine


def test_a_pi_where_nothing_failed_ends_with_0_and_offers_the_walk(
    machine: FakeMachine, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(["doctor"]) == 0
    out, err = capsys.readouterr()
    assert err == ""
    lines = out.splitlines()
    assert lines[0] == "ok    pi        Raspberry Pi 4 Model B Rev 1.4"
    assert lines[-2:] == ["nothing failed; 1 note and 1 cannot be told", doctor.WALK]


def test_a_failure_ends_with_1_and_says_what_to_do(
    machine: FakeMachine, capsys: pytest.CaptureFixture[str]
) -> None:
    del machine.files["/dev/gpiochip0"]
    assert main(["doctor"]) == 1
    assert (
        "FAIL  pins      the kernel shows no GPIO: there is no /dev/gpiochip*\n"
        "                -> sudo apt full-upgrade\n"
    ) in capsys.readouterr().out


def test_faults_in_the_config_do_not_stop_the_doctor(
    machine: FakeMachine, capsys: pytest.CaptureFixture[str]
) -> None:
    Path("marrakech.toml").write_text(f"{NO_PAD}[game]\nplayers = 9\nbooklet = 'xx'\n")
    assert main(["doctor"]) == 1
    out = capsys.readouterr().out
    assert out.count("FAIL  config    marrakech.toml: [game] ") == 2
    assert "ok    power     " in out


def test_json_is_all_of_standard_output(
    machine: FakeMachine, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(["doctor", "--json"]) == 0
    document = json.loads(capsys.readouterr().out)
    assert document["ok"] is True
    assert document["simulated"] is False
    assert document["checks"][0]["said"] == "Raspberry Pi 4 Model B Rev 1.4"


def test_a_laptop_is_told_in_few_lines(
    machine: FakeMachine, capsys: pytest.CaptureFixture[str]
) -> None:
    del machine.files[MODEL]
    assert main(["doctor"]) == 1
    out = capsys.readouterr().out
    assert out.count("not on this machine") == 1
    assert "doctor --walk" not in out


def test_it_changes_nothing(machine: FakeMachine, tmp_path: Path) -> None:
    before = sorted(tmp_path.rglob("*"))
    main(["doctor"])
    main(["doctor", "--virtual", "--json"])
    assert sorted(tmp_path.rglob("*")) == before


# --- The support file ---------------------------------------------------------------------


def test_a_support_file_is_written_and_its_contents_are_told(
    machine: FakeMachine, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(["doctor", "--bundle", "a.tar.gz"]) == 0
    out = capsys.readouterr().out
    assert "a.tar.gz, without games and names, has inside:\n  README.txt " in out
    assert Path("a.tar.gz").exists()
    assert main(["doctor", "--bundle", "a.tar.gz"]) == 2
    told = "marrakech: a.tar.gz is there already: name another file\n"
    assert capsys.readouterr() == ("", told), "before all the work"


def test_with_json_the_contents_are_told_beside_it(
    machine: FakeMachine, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(["doctor", "--json", "--bundle", "a.tgz"]) == 0
    out, err = capsys.readouterr()
    assert json.loads(out)["ok"] is True
    assert err.startswith("a.tgz, without games and names")


def test_games_without_a_support_file_are_refused(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["doctor", "--with-games"]) == 2
    assert capsys.readouterr().err == (
        "marrakech: --with-games goes into a support file: name one with --bundle\n"
    )


# --- The walk -----------------------------------------------------------------------------


def test_a_virtual_walk_answers_for_itself_and_is_marked(
    machine: FakeMachine, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(asyncio, "run", virtual_time.run)
    assert main(["doctor", "--virtual", "--walk"]) == 0
    out, err = capsys.readouterr()
    assert err == ""
    assert out.startswith(SIMULATED)
    assert "Press button NORTH (20 s).\nSeen on pin 29 (BCM 5).\n" in out
    assert "ok    button    button BACK is seen on pin 36 (BCM 16)\n" in out
    assert out.endswith("\nnothing failed\n")


def test_while_the_service_runs_it_must_be_stopped_first(
    machine: FakeMachine, capsys: pytest.CaptureFixture[str]
) -> None:
    machine.install_service()
    assert main(["doctor", "--walk"]) == 2
    assert capsys.readouterr() == (
        "",
        "marrakech: the service has pins, matrix and die pad in its hands: 'sudo systemctl stop "
        "marrakech', walk, and then 'sudo systemctl start marrakech'\n",
    )


def test_a_real_walk_needs_somebody_at_a_terminal(
    machine: FakeMachine, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(["doctor", "--walk"]) == 2
    assert capsys.readouterr().err == (
        "marrakech: a walk needs somebody at a terminal: with --virtual it does not\n"
    )


# --- At the keyboard ----------------------------------------------------------------------


def answered(typed: bytes, *, is_hasty: bool = False) -> tuple[bool, list[str]]:
    """What somebody at a terminal answers who types this, and what was said to him."""
    said: list[str] = []
    ours, theirs = pty.openpty()

    def say(line: str) -> None:
        if not said:
            os.write(ours, typed)
        said.append(line)

    async def main() -> bool:
        return await TerminalPerson(say, theirs).has("Well?")

    os.write(ours, b"n\n" * is_hasty)
    try:
        return asyncio.run(main()), said
    finally:
        os.close(ours)
        os.close(theirs)


@pytest.mark.parametrize(
    ("typed", "is_so"), [(b"y\n", True), (b"YES \n", True), (b"n\n", False), (b" no\n", False)]
)
def test_yes_and_no_are_understood(typed: bytes, is_so: bool) -> None:
    assert answered(typed) == (is_so, ["Well? [y/n]"])


def test_whatever_else_is_asked_again() -> None:
    assert answered(b"perhaps\n\ny\n") == (True, ["Well? [y/n]"] * 3)


def test_what_was_typed_before_the_question_answers_nothing() -> None:
    assert answered(b"y\n", is_hasty=True) == (True, ["Well? [y/n]"])


def test_who_ends_the_input_has_left() -> None:
    with pytest.raises(LeftError):
        answered(b"\x04")


def test_the_loop_goes_on_while_somebody_thinks() -> None:
    """A pad that nobody speaks to for some seconds would be lost."""
    ours, theirs = pty.openpty()
    beats: list[int] = []

    async def main() -> bool:
        loop = asyncio.get_running_loop()

        def beat() -> None:
            beats.append(1)
            if len(beats) == 5:
                os.write(ours, b"y\n")
            else:
                loop.call_soon(beat)

        loop.call_soon(beat)
        return await TerminalPerson(lambda _: None, theirs).sees("Well?", [])

    try:
        assert asyncio.run(main())
    finally:
        os.close(ours)
        os.close(theirs)
    assert len(beats) == 5
