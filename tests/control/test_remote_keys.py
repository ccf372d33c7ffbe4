"""Remote keys: mock pins and the pad's keys, or events straight to the controller."""

from __future__ import annotations

import asyncio
from dataclasses import replace
from pathlib import Path
from typing import cast

import pytest
from helpers.table.virtual_table import VirtualTable, virtual_table_config

from companion.adapters.hardware import PiHardware, VirtualHardware
from companion.adapters.virtual.pad_device import PadDevice
from companion.config.model import Config
from companion.control.remote_input import DirectKeys, VirtualKeys, remote_keys_for
from companion.pad.messages import ROLL_KEY
from companion.table.inputs import Button
from companion.testing.virtual_time import run

KEYS: tuple[Button | int, ...] = (Button.OK, 3, ROLL_KEY)


class RecordedKeys:
    """Keys that record what they are asked to do."""

    contact_ms = 0.0

    def __init__(self) -> None:
        self.done: list[tuple[str, Button | int]] = []

    def press(self, key: Button | int) -> None:
        self.done.append(("press", key))

    def release(self, key: Button | int) -> None:
        self.done.append(("release", key))


class RecordedPad:
    """A pad with nothing but keys."""

    kind = "recorded"

    def __init__(self) -> None:
        self.path = "/dev/pad"
        self.done: list[tuple[str, int]] = []

    def press(self, key: int) -> None:
        self.done.append(("press", key))

    def release(self, key: int) -> None:
        self.done.append(("release", key))


def electronic_die_config() -> Config:
    config = virtual_table_config()
    return replace(config, die=replace(config.die, input="electronic"))


def test_buttons_and_wired_keys_are_pins(tmp_path: Path) -> None:
    hardware, direct = VirtualHardware(virtual_table_config()), RecordedKeys()
    keys = VirtualKeys(hardware, virtual_table_config(), direct)
    for key in (Button.OK, 3):
        keys.press(key)
        assert hardware.contacts.is_down(key)
        keys.release(key)
        assert not hardware.contacts.is_down(key)
    assert direct.done == []


def test_keys_without_a_contact_are_delivered_directly() -> None:
    direct = RecordedKeys()
    keys = VirtualKeys(VirtualHardware(electronic_die_config()), electronic_die_config(), direct)
    for key in (3, ROLL_KEY):
        keys.press(key)
        keys.release(key)
    assert direct.done == [("press", 3), ("release", 3), ("press", ROLL_KEY), ("release", ROLL_KEY)]


def test_die_keys_are_the_pads_while_it_is_plugged_in() -> None:
    hardware, direct, pad = VirtualHardware(virtual_table_config()), RecordedKeys(), RecordedPad()
    hardware.pad = cast("PadDevice", pad)
    keys = VirtualKeys(hardware, virtual_table_config(), direct)
    for key in KEYS:
        keys.press(key)
        keys.release(key)
    pad.path = ""
    keys.press(3)
    assert hardware.contacts.is_down(3)
    assert pad.done == [("press", 3), ("release", 3), ("press", ROLL_KEY), ("release", ROLL_KEY)]
    assert direct.done == []


def test_a_key_is_released_where_it_was_pressed() -> None:
    """The pad is unplugged in between."""
    hardware, pad = VirtualHardware(virtual_table_config()), RecordedPad()
    hardware.pad = cast("PadDevice", pad)
    keys = VirtualKeys(hardware, virtual_table_config(), RecordedKeys())
    keys.press(2)
    pad.path = ""
    keys.release(2)
    assert pad.done == [("press", 2), ("release", 2)]


@pytest.mark.parametrize("debounce_ms", [0, 12, 100])
def test_the_contact_time_is_longer_than_the_debounce_times(debounce_ms: int) -> None:
    config = virtual_table_config()
    config = replace(config, buttons=replace(config.buttons, debounce_ms=debounce_ms))
    keys = VirtualKeys(VirtualHardware(config), config, RecordedKeys())
    assert keys.contact_ms > max(debounce_ms, 8)


def test_direct_keys_deliver_the_events_of_a_contact(tmp_path: Path) -> None:
    async def scenario() -> None:
        with VirtualTable(tmp_path, rolls=[4]) as virtual_table:
            controller = virtual_table.table.controller
            keys = remote_keys_for(
                virtual_table.loop, controller, virtual_table.config, PiHardware()
            )
            assert isinstance(keys, DirectKeys)
            for key in (Button.OK, Button.OK, Button.OK, Button.OK, ROLL_KEY):
                keys.press(key)
                keys.release(key)
                await asyncio.sleep(0.02)
            assert virtual_table.stage.name == "LAY"
            assert len(virtual_table.conversation.active_game.now.path) == 4
            keys.press(Button.OK)
            await asyncio.sleep(1.1)
            assert virtual_table.stage.name == "AUDIT_ASSAM", "it was held"
            keys.release(Button.OK)

    run(scenario())


def test_a_virtual_table_gets_virtual_keys(tmp_path: Path) -> None:
    async def scenario() -> None:
        with VirtualTable(tmp_path) as virtual_table:
            controller, config = virtual_table.table.controller, virtual_table.config
            virtual = remote_keys_for(
                virtual_table.loop, controller, config, virtual_table.hardware
            )
            assert isinstance(virtual, VirtualKeys)

    run(scenario())
