"""`marrakech doctor`: the printed findings and the exit code."""

from __future__ import annotations

import asyncio
import json
import os
import pty
from pathlib import Path

import pytest
from helpers.system.healthy_pi import MODEL, HealthyPi

from companion.cli.commands import doctor
from companion.cli.main import main
from companion.cli.terminal_person import TerminalPerson
from companion.doctor.walk.person import WalkAbortedError
from companion.testing import virtual_time

SIMULATED = "SIMULATED: virtual matrix, mock pins and virtual die pad; no hardware is used\n"
NO_PAD = '[pad]\nport = "none"\n[die]\ninput = "electronic"\n'


@pytest.fixture
def machine(
    tmp_path: Path, tmp_path_factory: pytest.TempPathFactory, monkeypatch: pytest.MonkeyPatch
) -> HealthyPi:
    machine = HealthyPi(tmp_path_factory.mktemp("machine"))
    machine.environ = {"HOME": str(tmp_path)}
    monkeypatch.setattr(doctor, "this_machine", lambda: machine)
    monkeypatch.chdir(tmp_path)
    Path("marrakech.toml").write_text(NO_PAD)
    return machine


def test_a_healthy_pi_gives_exit_code_0_and_offers_the_walk(
    machine: HealthyPi, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(["doctor"]) == 0
    out, err = capsys.readouterr()
    assert err == ""
    lines = out.splitlines()
    assert lines[0] == "ok    pi        Raspberry Pi 4 Model B Rev 1.4"
    assert lines[-2:] == ["nothing failed; 1 note and 1 unknown", doctor.WALK_HINT]


def test_a_failure_gives_exit_code_1_and_a_remedy(
    machine: HealthyPi, capsys: pytest.CaptureFixture[str]
) -> None:
    machine.change_gpio_chips({})
    assert main(["doctor"]) == 1
    assert (
        "FAIL  pins      the kernel has no GPIO device: there is no /dev/gpiochip*\n"
        "                -> sudo apt full-upgrade\n"
    ) in capsys.readouterr().out


def test_an_invalid_config_does_not_stop_the_doctor(
    machine: HealthyPi, capsys: pytest.CaptureFixture[str]
) -> None:
    Path("marrakech.toml").write_text(f"{NO_PAD}[game]\nplayers = 9\nbooklet = 'xx'\n")
    assert main(["doctor"]) == 1
    out = capsys.readouterr().out
    assert out.count("FAIL  config    marrakech.toml: [game] ") == 2
    assert "ok    power     " in out


def test_standard_output_is_only_json(
    machine: HealthyPi, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(["doctor", "--json"]) == 0
    document = json.loads(capsys.readouterr().out)
    assert document["ok"] is True
    assert document["simulated"] is False
    assert document["checks"][0]["said"] == "Raspberry Pi 4 Model B Rev 1.4"


def test_a_laptop_gets_a_short_report(
    machine: HealthyPi, capsys: pytest.CaptureFixture[str]
) -> None:
    machine.delete(MODEL)
    assert main(["doctor"]) == 1
    out = capsys.readouterr().out
    assert out.count("not on this machine") == 1
    assert "doctor --walk" not in out


def test_it_changes_nothing(machine: HealthyPi, tmp_path: Path) -> None:
    before = sorted(tmp_path.rglob("*"))
    main(["doctor"])
    main(["doctor", "--virtual", "--json"])
    assert sorted(tmp_path.rglob("*")) == before


# --- The support file ---------------------------------------------------------------------


def test_a_support_file_is_written_and_its_contents_are_listed(
    machine: HealthyPi, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(["doctor", "--bundle", "a.tar.gz"]) == 0
    out = capsys.readouterr().out
    assert "a.tar.gz, without games and names, contains:\n  README.txt " in out
    assert Path("a.tar.gz").exists()
    assert main(["doctor", "--bundle", "a.tar.gz"]) == 2
    error = "marrakech: a.tar.gz already exists: choose another name\n"
    assert capsys.readouterr() == ("", error), "before all the work"


def test_with_json_the_contents_are_listed_on_standard_error(
    machine: HealthyPi, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(["doctor", "--json", "--bundle", "a.tgz"]) == 0
    out, err = capsys.readouterr()
    assert json.loads(out)["ok"] is True
    assert err.startswith("a.tgz, without games and names")


def test_games_without_a_support_file_are_refused(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["doctor", "--with-games"]) == 2
    assert capsys.readouterr().err == ("marrakech: --with-games needs --bundle FILE.tar.gz\n")


# --- The walk -----------------------------------------------------------------------------


def test_a_virtual_walk_needs_no_person_and_is_marked_as_simulated(
    machine: HealthyPi, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(asyncio, "run", virtual_time.run)
    assert main(["doctor", "--virtual", "--walk"]) == 0
    out, err = capsys.readouterr()
    assert err == ""
    assert out.startswith(SIMULATED)
    assert "Press button NORTH (20 s).\nDetected on pin 29 (BCM 5).\n" in out
    assert "ok    button    button BACK works on pin 36 (BCM 16)\n" in out
    assert out.endswith("\nnothing failed\n")


def test_a_walk_is_refused_while_the_service_runs(
    machine: HealthyPi, capsys: pytest.CaptureFixture[str]
) -> None:
    machine.install_service()
    assert main(["doctor", "--walk"]) == 2
    assert capsys.readouterr() == (
        "",
        "marrakech: the service is using the pins, the matrix and the die pad: run 'sudo systemctl "
        "stop marrakech' before the walk and 'sudo systemctl start marrakech' after it\n",
    )


def test_a_real_walk_needs_a_terminal(
    machine: HealthyPi, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(["doctor", "--walk"]) == 2
    assert capsys.readouterr().err == (
        "marrakech: --walk needs a terminal, except with --virtual\n"
    )


# --- Answers at the terminal --------------------------------------------------------------


def answered(typed: bytes, *, is_typed_early: bool = False) -> tuple[bool, list[str]]:
    """The answer of a person who types this, and the lines printed to them."""
    lines: list[str] = []
    ours, theirs = pty.openpty()

    def print_line(line: str) -> None:
        if not lines:
            os.write(ours, typed)
        lines.append(line)

    async def main() -> bool:
        return await TerminalPerson(print_line, theirs).confirm("Well?")

    os.write(ours, b"n\n" * is_typed_early)
    try:
        return asyncio.run(main()), lines
    finally:
        os.close(ours)
        os.close(theirs)


@pytest.mark.parametrize(
    ("typed", "is_so"), [(b"y\n", True), (b"YES \n", True), (b"n\n", False), (b" no\n", False)]
)
def test_yes_and_no_are_understood(typed: bytes, is_so: bool) -> None:
    assert answered(typed) == (is_so, ["Well? [y/n]"])


def test_other_answers_are_asked_again() -> None:
    assert answered(b"perhaps\n\ny\n") == (True, ["Well? [y/n]"] * 3)


def test_input_from_before_the_question_is_dropped() -> None:
    assert answered(b"y\n", is_typed_early=True) == (True, ["Well? [y/n]"])


def test_end_of_input_ends_the_walk() -> None:
    with pytest.raises(WalkAbortedError):
        answered(b"\x04")


def test_waiting_for_an_answer_does_not_block_the_loop() -> None:
    """Otherwise the die pad would time out."""
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
        return await TerminalPerson(lambda _: None, theirs).confirm_frames("Well?", [])

    try:
        assert asyncio.run(main())
    finally:
        os.close(ours)
        os.close(theirs)
    assert len(beats) == 5
