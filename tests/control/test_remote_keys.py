"""Fingers from afar: on mock pins and on the pad's keys, or by telling the daemon."""

from __future__ import annotations

import asyncio
from dataclasses import replace
from pathlib import Path
from typing import cast

import pytest
from helpers.table.virtual_table import VirtualTable, sitting_config

from companion.adapters.hardware import PiHardware, VirtualHardware
from companion.adapters.virtual.pad_device import PadDevice
from companion.config.model import Config
from companion.control.remote_keys import DirectKeys, VirtualKeys, remote_keys_for
from companion.pad.messages import ROLL_KEY
from companion.table.inputs import Button
from companion.testing.virtual_time import run

KEYS: tuple[Button | int, ...] = (Button.OK, 3, ROLL_KEY)


class Notebook:
    """Fingers that write down what they are asked to do."""

    touch_ms = 0.0

    def __init__(self) -> None:
        self.done: list[tuple[str, Button | int]] = []

    def press(self, key: Button | int) -> None:
        self.done.append(("press", key))

    def lift(self, key: Button | int) -> None:
        self.done.append(("lift", key))


class NotedPad:
    """A pad of which only the keys matter."""

    kind = "noted"

    def __init__(self) -> None:
        self.path = "/dev/pad"
        self.done: list[tuple[str, int]] = []

    def press(self, key: int) -> None:
        self.done.append(("press", key))

    def release(self, key: int) -> None:
        self.done.append(("lift", key))


def electronic() -> Config:
    config = sitting_config()
    return replace(config, die=replace(config.die, input="electronic"))


def test_buttons_and_wired_keys_are_pins(tmp_path: Path) -> None:
    hardware, distant = VirtualHardware(sitting_config()), Notebook()
    fingers = VirtualKeys(hardware, sitting_config(), distant)
    for key in (Button.OK, 3):
        fingers.press(key)
        assert hardware.hands.is_down(key)
        fingers.lift(key)
        assert not hardware.hands.is_down(key)
    assert distant.done == []


def test_keys_that_are_nowhere_are_told_from_afar() -> None:
    distant = Notebook()
    fingers = VirtualKeys(VirtualHardware(electronic()), electronic(), distant)
    for key in (3, ROLL_KEY):
        fingers.press(key)
        fingers.lift(key)
    assert distant.done == [("press", 3), ("lift", 3), ("press", ROLL_KEY), ("lift", ROLL_KEY)]


def test_the_die_is_on_the_pad_while_that_is_plugged_in() -> None:
    hardware, distant, pad = VirtualHardware(sitting_config()), Notebook(), NotedPad()
    hardware.pad = cast("PadDevice", pad)
    fingers = VirtualKeys(hardware, sitting_config(), distant)
    for key in KEYS:
        fingers.press(key)
        fingers.lift(key)
    pad.path = ""
    fingers.press(3)
    assert hardware.hands.is_down(3)
    assert pad.done == [("press", 3), ("lift", 3), ("press", ROLL_KEY), ("lift", ROLL_KEY)]
    assert distant.done == []


def test_a_key_is_let_go_where_it_was_pressed() -> None:
    """The pad was unplugged in between."""
    hardware, pad = VirtualHardware(sitting_config()), NotedPad()
    hardware.pad = cast("PadDevice", pad)
    fingers = VirtualKeys(hardware, sitting_config(), Notebook())
    fingers.press(2)
    pad.path = ""
    fingers.lift(2)
    assert pad.done == [("press", 2), ("lift", 2)]


@pytest.mark.parametrize("debounce_ms", [0, 12, 100])
def test_a_touch_lasts_longer_than_any_contact_bounces(debounce_ms: int) -> None:
    config = sitting_config()
    config = replace(config, buttons=replace(config.buttons, debounce_ms=debounce_ms))
    fingers = VirtualKeys(VirtualHardware(config), config, Notebook())
    assert fingers.touch_ms > max(debounce_ms, 8)


def test_from_afar_the_daemon_is_told_what_a_contact_would(tmp_path: Path) -> None:
    async def scenario() -> None:
        with VirtualTable(tmp_path, rolls=[4]) as sitting:
            daemon = sitting.table.daemon
            fingers = remote_keys_for(sitting.loop, daemon, sitting.config, PiHardware())
            assert isinstance(fingers, DirectKeys)
            for key in (Button.OK, Button.OK, Button.OK, Button.OK, ROLL_KEY):
                fingers.press(key)
                fingers.lift(key)
                await asyncio.sleep(0.02)
            assert sitting.stage.name == "LAY"
            assert len(sitting.conversation.playing.now.path) == 4
            fingers.press(Button.OK)
            await asyncio.sleep(1.1)
            assert sitting.stage.name == "AUDIT_ASSAM", "it was held"
            fingers.lift(Button.OK)

    run(scenario())


def test_the_hardware_says_which_fingers(tmp_path: Path) -> None:
    async def scenario() -> None:
        with VirtualTable(tmp_path) as sitting:
            daemon, config = sitting.table.daemon, sitting.config
            virtual = remote_keys_for(sitting.loop, daemon, config, sitting.hardware)
            assert isinstance(virtual, VirtualKeys)

    run(scenario())
