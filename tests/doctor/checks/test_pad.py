"""The die pad: met on a real port, judged by what it says, or by what the service says of it."""

from __future__ import annotations

import asyncio
import errno
import os
from collections.abc import Callable
from dataclasses import replace

import pytest
from helpers.system.fake_machine import FakeMachine, only, patient_of

from companion.adapters.hardware import PiHardware, VirtualHardware
from companion.adapters.pad_health import PadHealth, PadState
from companion.adapters.pad_port import Port, open_port
from companion.adapters.serial_pad import SerialPad
from companion.adapters.virtual.pad import VirtualPad
from companion.config.model import Config
from companion.doctor.checks import pad
from companion.doctor.checks.pad import (
    check_modem,
    check_pad,
    judge_firmware,
    judge_pad,
    meet_pad,
    released_firmware,
)
from companion.doctor.checks.service import Word
from companion.doctor.machine import Ran
from companion.pad.messages import VERSION
from companion.table.inputs import Input

FLASH = "marrakech firmware flash"
RELEASED = released_firmware()


@pytest.fixture
def machine() -> FakeMachine:
    return FakeMachine()


class TroubledHardware(PiHardware):
    """A Pi whose ports are these; they open, unless they have an error."""

    def __init__(self, *ports: str, error: Exception | None = None) -> None:
        self.ports = ports
        self.error = error

    def open_pad(
        self,
        loop: asyncio.AbstractEventLoop,
        config: Config,  # noqa: ARG002
        deliver: Callable[[Input], None],
        tell: Callable[[PadHealth], None],
    ) -> SerialPad:
        def opened(path: str) -> Port:
            if self.error is not None:
                raise self.error
            return open_port(path)

        return SerialPad(
            loop, deliver, tell, find_ports=lambda _: list(self.ports), open_port=opened
        )


# --- Meeting it ---------------------------------------------------------------------------


def test_a_pad_says_who_it_is_and_is_let_go_again() -> None:
    made: list[VirtualPad] = []

    def make_pad(loop: asyncio.AbstractEventLoop) -> VirtualPad:
        made.append(VirtualPad(loop, lambda: 1))
        return made[0]

    hardware = VirtualHardware(Config(), make_pad=make_pad)
    health = meet_pad(hardware, Config())
    assert health.state is PadState.CONNECTED
    assert health.identity is not None
    assert health.identity.firmware == (1, 0, 0)
    assert made[0].path == "", "unplugged again"


def test_a_pad_of_another_version_is_met_as_well() -> None:
    hardware = VirtualHardware(
        Config(), make_pad=lambda loop: VirtualPad(loop, lambda: 1, version=VERSION + 1)
    )
    assert judge_pad(meet_pad(hardware, Config())).said.endswith("newer than this companion")


@pytest.mark.parametrize(
    ("number", "found"),
    [
        (
            errno.EACCES,
            (
                "failed",
                "/dev/pad may not be used",
                "sudo usermod -aG dialout $USER, then log in again",
            ),
        ),
        (
            errno.EBUSY,
            (
                "note",
                "another program has /dev/pad: a companion, perhaps",
                "sudo fuser -v /dev/ttyUSB* /dev/ttyACM* says which; stop it",
            ),
        ),
        (
            errno.EIO,
            ("failed", "/dev/pad cannot be used as a serial port", "plug it in again"),
        ),
        (
            errno.ENOENT,
            ("warning", "there is no port /dev/pad", 'plug it in, or set [pad] port = "auto"'),
        ),
    ],
)
def test_a_port_that_does_not_open_is_told_at_once(
    number: int, found: tuple[str, str, str]
) -> None:
    hardware = TroubledHardware("/dev/pad", "/dev/other", error=OSError(number, "no"))
    judged = judge_pad(meet_pad(hardware, Config()))
    assert (judged.level.value, judged.said, judged.todo) == found


def test_where_no_port_is_there_is_no_pad(machine: FakeMachine) -> None:
    patient = replace(patient_of(machine), hardware=TroubledHardware())
    found = ("note", "none is plugged in", "plug it in, or play without it")
    assert only(check_pad, patient) == found


def test_a_pad_that_is_not_wanted_is_not_looked_for(machine: FakeMachine) -> None:
    patient = patient_of(machine, '[pad]\nport = "none"\n')
    assert only(check_pad, patient) == ("good", "not used: [pad] port is none", "")
    assert meet_pad(PiHardware(), patient.config) == PadHealth()


def test_a_port_that_stays_silent_is_not_waited_for_longer_than_told() -> None:
    ends = os.openpty()  # it opens, and says nothing
    path = os.ttyname(ends[1])
    health = meet_pad(TroubledHardware(path), Config(), limit_s=0.05)
    for end in ends:
        os.close(end)
    assert health.state is PadState.SEARCHING
    judged = judge_pad(health)
    assert (judged.level.value, judged.said, judged.todo) == (
        "warning",
        "its port does not answer as a pad does",
        FLASH,
    )


# --- Its firmware -------------------------------------------------------------------------


def test_the_released_image_is_the_measure(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(pad, "released_firmware", lambda: (1, 2, 0))
    assert judge_firmware((1, 2, 0), "on X: ").said == "on X: firmware 1.2.0"
    old = judge_firmware((1, 1, 9))
    assert (old.level.value, old.said, old.todo) == (
        "warning",
        "firmware 1.1.9, the companion comes with 1.2.0",
        FLASH,
    )
    new = judge_firmware((1, 10, 0))
    assert (new.level.value, new.said, new.todo) == (
        "note",
        "firmware 1.10.0, newer than the companion's 1.2.0",
        "git pull",
    )


def test_an_installation_without_the_image_has_no_measure(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(pad, "released_firmware", lambda: None)
    assert judge_firmware((0, 0, 1)).level.value == "good"


def test_the_released_version_is_read_from_the_name_of_the_image() -> None:
    assert RELEASED is not None
    assert RELEASED >= (1, 0, 0)


# --- What the service says ----------------------------------------------------------------


@pytest.mark.parametrize(
    ("word", "found"),
    [
        (
            None,
            (
                "unknown",
                "the service has its port, and does not say how it is",
                "look at the pad's LED",
            ),
        ),
        (
            Word(pad="No die pad is plugged in: plug it in, or play without it."),
            (
                "note",
                "the service says: No die pad is plugged in",
                "plug it in, or play without it",
            ),
        ),
        (Word(pad="it is quiet"), ("note", "the service says: it is quiet", "check its cable")),
        (Word(pad=""), ("good", "the service hears it", "")),
        (Word(pad="", firmware=(0, 1, 0)), ("warning", None, FLASH)),
    ],
)
def test_while_the_service_runs_its_word_counts_and_the_port_is_left_alone(
    machine: FakeMachine, word: Word | None, found: tuple[str, str | None, str]
) -> None:
    machine.install_service()
    patient = replace(
        patient_of(machine, says=word),
        hardware=TroubledHardware("/dev/pad", error=AssertionError("the port was opened")),
    )
    level, said, todo = only(check_pad, patient)
    assert (level, said if found[1] else None, todo) == found


# --- ModemManager -------------------------------------------------------------------------

ACTIVE = Ran(0, "active\n")
RULE = 'SUBSYSTEM=="tty", ENV{ID_MM_DEVICE_IGNORE}="1"\n'


def test_modem_manager_is_trouble_only_where_it_runs_and_was_not_told(
    machine: FakeMachine,
) -> None:
    said = "ModemManager is not running"
    assert only(check_modem, patient_of(machine)) == ("good", said, "")
    machine.runs["systemctl is-active"] = ACTIVE
    machine.files["/usr/lib/udev/rules.d/77-mm-usb.rules"] = RULE
    assert only(check_modem, patient_of(machine)) == (
        "warning",
        "ModemManager is running, and takes the pad for a modem",
        "sudo ./marrakech install, in the checkout, brings a rule for it; or sudo systemctl "
        "disable --now ModemManager",
    )
    machine.files["/etc/udev/rules.d/60-marrakech.rules"] = RULE
    said = "ModemManager is running, and is told to leave the pad alone"
    assert only(check_modem, patient_of(machine)) == ("good", said, "")


def test_without_systemctl_modem_manager_cannot_be_told(machine: FakeMachine) -> None:
    machine.runs["systemctl is-active"] = TimeoutError("systemctl does not answer")
    level, said, _ = only(check_modem, patient_of(machine))
    assert level == "unknown"
    assert said == "systemctl cannot be asked (systemctl does not answer)"
