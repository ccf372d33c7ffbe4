"""Checks of the die pad: probed on a real port, or reported by the running service."""

from __future__ import annotations

import asyncio
import errno
import os
from collections.abc import Callable
from dataclasses import replace

import pytest
from helpers.system.healthy_pi import HealthyPi, context_for, single_finding

from companion.adapters.hardware import PiHardware, VirtualHardware
from companion.adapters.known_pads import UsbPort
from companion.adapters.pad_health import PadHealth, PadState
from companion.adapters.pad_port import Port, open_port
from companion.adapters.serial_pad import SerialPad
from companion.adapters.virtual.pad import VirtualPad
from companion.config.model import Config
from companion.doctor.checks import pad
from companion.doctor.checks.pad import (
    check_modem,
    check_pad,
    firmware_finding,
    pad_finding,
    probe_pad,
    released_firmware,
)
from companion.doctor.checks.service import ServiceReply
from companion.machine.commands import TIMED_OUT, CommandResult
from companion.pad.messages import VERSION
from companion.table.inputs import Input

FLASH = "marrakech firmware flash"
RELEASED = released_firmware()


class FailingPorts(PiHardware):
    """A Pi with these serial ports; opening one raises the error, if given."""

    def __init__(self, *ports: str, error: Exception | None = None) -> None:
        self.ports = ports
        self.error = error

    def open_pad(
        self,
        loop: asyncio.AbstractEventLoop,
        config: Config,  # noqa: ARG002
        deliver: Callable[[Input], object],
        on_health: Callable[[PadHealth], None],
    ) -> SerialPad:
        def open_or_fail(path: str) -> Port:
            if self.error is not None:
                raise self.error
            return open_port(path)

        return SerialPad(
            loop, deliver, on_health, find_ports=lambda _: list(self.ports), open_port=open_or_fail
        )


# --- Probing ------------------------------------------------------------------------------


def test_probe_returns_the_identity_and_closes_the_pad() -> None:
    made: list[VirtualPad] = []

    def make_pad(loop: asyncio.AbstractEventLoop) -> VirtualPad:
        made.append(VirtualPad(loop, lambda: 1))
        return made[0]

    hardware = VirtualHardware(Config(), make_pad=make_pad)
    health = probe_pad(hardware, Config())
    assert health.state is PadState.CONNECTED
    assert health.identity is not None
    assert health.identity.firmware == (1, 0, 0)
    assert made[0].path == "", "unplugged again"


def test_pad_with_another_protocol_version_is_found() -> None:
    hardware = VirtualHardware(
        Config(), make_pad=lambda loop: VirtualPad(loop, lambda: 1, version=VERSION + 1)
    )
    assert pad_finding(probe_pad(hardware, Config())).text.endswith("newer than this companion")


@pytest.mark.parametrize(
    ("number", "found"),
    [
        (
            errno.EACCES,
            (
                "failed",
                "no permission to open /dev/pad",
                "sudo usermod -aG dialout $USER, then log in again",
            ),
        ),
        (
            errno.EBUSY,
            (
                "note",
                "another program uses /dev/pad: perhaps a companion",
                "sudo fuser -v /dev/ttyUSB* /dev/ttyACM* shows which; stop it",
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
def test_port_that_does_not_open_is_reported_at_once(
    number: int, found: tuple[str, str, str]
) -> None:
    hardware = FailingPorts("/dev/pad", "/dev/other", error=OSError(number, "no"))
    finding = pad_finding(probe_pad(hardware, Config()))
    assert (finding.level.value, finding.text, finding.advice) == found


def test_without_a_port_no_pad_is_plugged_in(machine: HealthyPi) -> None:
    context = replace(context_for(machine), hardware=FailingPorts())
    found = ("note", "none is plugged in", "plug it in, or play without it")
    assert single_finding(check_pad, context) == found


NANO = UsbPort("/dev/ttyUSB0", "/by-path/a", 0x1A86, 0x7523)
PRINTER = UsbPort("/dev/ttyUSB1", "/by-path/b", 0x1A86, 0x7523, name="USB Serial")


@pytest.mark.parametrize(
    ("devices", "found"),
    [
        (
            [NANO],
            (
                "note",
                "/dev/ttyUSB0 (1a86:7523) may be the pad or another device, and was not opened",
                f"if it is the pad: sudo marrakech firmware remember, or {FLASH} if it is new",
            ),
        ),
        (
            [NANO, PRINTER],
            (
                "note",
                "any of /dev/ttyUSB0 (1a86:7523), /dev/ttyUSB1 (USB Serial) may be the pad, and "
                "none was opened",
                "if one is the pad: sudo marrakech firmware remember --port /by-path/a, with its "
                "port",
            ),
        ),
    ],
)
def test_devices_that_nobody_named_are_reported_and_not_opened(
    machine: HealthyPi,
    monkeypatch: pytest.MonkeyPatch,
    devices: list[UsbPort],
    found: tuple[str, str, str],
) -> None:
    monkeypatch.setattr(pad, "usb_ports", lambda: devices)
    monkeypatch.setattr(pad, "known_pads", list)
    hardware = FailingPorts("/dev/ttyUSB0", error=AssertionError("the port was opened"))
    context = replace(context_for(machine), hardware=hardware)
    assert single_finding(check_pad, context) == found


def test_unused_pad_is_not_probed(machine: HealthyPi) -> None:
    context = context_for(machine, '[pad]\nport = "none"\n')
    assert single_finding(check_pad, context) == ("good", "not used: [pad] port is none", "")
    assert probe_pad(PiHardware(), context.config) == PadHealth()


def test_silent_port_times_out() -> None:
    ends = os.openpty()  # it opens, and sends nothing
    path = os.ttyname(ends[1])
    health = probe_pad(FailingPorts(path), Config(), timeout_s=0.05)
    for end in ends:
        os.close(end)
    assert health.state is PadState.SEARCHING
    finding = pad_finding(health)
    assert (finding.level.value, finding.text, finding.advice) == (
        "warning",
        "its port does not answer like a pad",
        FLASH,
    )


# --- Its firmware -------------------------------------------------------------------------


def test_firmware_is_compared_with_the_released_image(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(pad, "released_firmware", lambda: (1, 2, 0))
    assert firmware_finding((1, 2, 0), "on X: ").text == "on X: firmware 1.2.0"
    old = firmware_finding((1, 1, 9))
    assert (old.level.value, old.text, old.advice) == (
        "warning",
        "firmware 1.1.9, the companion comes with 1.2.0",
        FLASH,
    )
    new = firmware_finding((1, 10, 0))
    assert (new.level.value, new.text, new.advice) == (
        "note",
        "firmware 1.10.0, newer than the companion's 1.2.0",
        "git pull",
    )


def test_any_firmware_is_good_without_a_released_image(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(pad, "released_firmware", lambda: None)
    assert firmware_finding((0, 0, 1)).level.value == "good"


def test_released_version_is_in_the_name_of_the_image() -> None:
    assert RELEASED is not None
    assert RELEASED >= (1, 0, 0)


# --- The reply of the service -------------------------------------------------------------


@pytest.mark.parametrize(
    ("reply", "found"),
    [
        (
            None,
            (
                "unknown",
                "the service uses its port, and does not report its state",
                "look at the pad's LED",
            ),
        ),
        (
            ServiceReply(pad_message="No die pad is plugged in: plug it in, or play without it."),
            (
                "note",
                "the service reports: No die pad is plugged in",
                "plug it in, or play without it",
            ),
        ),
        (
            ServiceReply(pad_message="it is quiet"),
            ("note", "the service reports: it is quiet", "check its cable"),
        ),
        (ServiceReply(pad_message=""), ("good", "connected to the service", "")),
        (ServiceReply(pad_message="", pad_firmware=(0, 1, 0)), ("warning", None, FLASH)),
    ],
)
def test_reply_of_the_running_service_is_used_and_the_port_is_not_opened(
    machine: HealthyPi, reply: ServiceReply | None, found: tuple[str, str | None, str]
) -> None:
    machine.install_service()
    context = replace(
        context_for(machine, reply=reply),
        hardware=FailingPorts("/dev/pad", error=AssertionError("the port was opened")),
    )
    level, text, advice = single_finding(check_pad, context)
    assert (level, text if found[1] else None, advice) == found


# --- ModemManager -------------------------------------------------------------------------

ACTIVE = CommandResult(0, "active\n")
RULE = 'SUBSYSTEM=="tty", ENV{ID_MM_DEVICE_IGNORE}="1"\n'


def test_modem_manager_is_a_warning_only_without_our_rule(
    machine: HealthyPi,
) -> None:
    text = "ModemManager is not running"
    assert single_finding(check_modem, context_for(machine)) == ("good", text, "")
    machine.answers["systemctl is-active"] = ACTIVE
    machine.place("/usr/lib/udev/rules.d/77-mm-usb.rules", RULE)
    assert single_finding(check_modem, context_for(machine)) == (
        "warning",
        "ModemManager is running, and treats the pad as a modem",
        "sudo ./marrakech install, in the checkout, installs a rule for it; or sudo systemctl "
        "disable --now ModemManager",
    )
    machine.place("/etc/udev/rules.d/60-marrakech.rules", RULE)
    text = "ModemManager is running, and a udev rule makes it ignore the pad"
    assert single_finding(check_modem, context_for(machine)) == ("good", text, "")


def test_modem_manager_is_unknown_without_systemctl(machine: HealthyPi) -> None:
    machine.answers["systemctl is-active"] = CommandResult(TIMED_OUT, "", "systemctl: no answer")
    level, text, _ = single_finding(check_modem, context_for(machine))
    assert level == "unknown"
    assert text == "systemctl: no answer"
