"""A USB serial device plugged into the test kernel's USB port, and a die pad behind it.

The kernel's gadget driver is the device, its dummy controller the cable. The device's end is
/dev/ttyGS*, the host's end /dev/ttyACM*.
"""

from __future__ import annotations

import asyncio
import os
import tty
from collections.abc import Callable
from contextlib import suppress
from pathlib import Path

from companion.adapters.virtual.pad import VirtualPad

_GADGETS = Path("/sys/kernel/config/usb_gadget")
_ENGLISH = "strings/0x409"
UNO = (0x2341, 0x0043)
"""Vendor and product of an Arduino Uno, which has the same driver as this device."""


class UsbSerial:
    """A USB device with one serial port; `number` chooses one of the kernel's two USB ports."""

    def __init__(
        self,
        number: int = 0,
        *,
        ids: tuple[int, int] = UNO,
        manufacturer: str = "Arduino (www.arduino.cc)",
        serial: str = "75834353430351E0B1A1",
    ) -> None:
        self._folder = _GADGETS / f"device{number}"
        self._controller = f"dummy_udc.{number}"
        self._make(ids, {"manufacturer": manufacturer, "serialnumber": serial})
        function = self._folder / "functions/acm.0"
        self.device = Path(f"/dev/ttyGS{(function / 'port_num').read_text().strip()}")

    def _make(self, ids: tuple[int, int], texts: dict[str, str]) -> None:
        config = self._folder / "configs/c.1"
        for folder in (self._folder, self._folder / _ENGLISH, config):
            folder.mkdir()
        for name, value in zip(("idVendor", "idProduct"), ids, strict=True):
            (self._folder / name).write_text(f"{value:#06x}")
        for name, text in texts.items():
            (self._folder / _ENGLISH / name).write_text(text)
        function = self._folder / "functions/acm.0"
        function.mkdir()
        (config / function.name).symlink_to(function)

    def plug_in(self) -> None:
        (self._folder / "UDC").write_text(self._controller)

    def unplug(self) -> None:
        with suppress(OSError):  # it is not plugged in
            (self._folder / "UDC").write_text("\n")

    def close(self) -> None:
        """Unplug the device and remove it."""
        self.unplug()
        (self._folder / "configs/c.1/acm.0").unlink()
        for name in ("configs/c.1", "functions/acm.0", _ENGLISH, "."):
            (self._folder / name).resolve().rmdir()


class UsbPad(VirtualPad):
    """A virtual die pad whose port is that of a USB device."""

    kind = "usb"

    def __init__(
        self, loop: asyncio.AbstractEventLoop, roll: Callable[[], int], device: UsbSerial
    ) -> None:
        self._device = device
        super().__init__(loop, roll, board=b"UNO ")

    def unplug(self) -> None:
        super().unplug()
        self._device.unplug()

    def _connect(self) -> None:
        self._device.plug_in()
        self.path = str(self._device.device)
        self._pad_end = os.open(self.path, os.O_RDWR | os.O_NOCTTY | os.O_NONBLOCK)
        self._host_end = os.dup(self._pad_end)
        tty.setraw(self._pad_end)
        self._loop.add_reader(self._pad_end, self._read)
        self._send()
