"""Records all bytes on the virtual SPI bus in a file, inside the container.

Python imports this module at start-up if PYTHONPATH has its folder. The recorded bytes show what
was on the matrix when the process ended.
"""

from __future__ import annotations

import os

from companion.adapters.virtual.spi import VirtualSpi

_file = os.open(os.environ["SPI_LOG"], os.O_WRONLY | os.O_CREAT | os.O_APPEND, 0o644)
_write = VirtualSpi.writebytes


def _write_and_record(self: VirtualSpi, data: list[int]) -> None:
    _write(self, data)
    os.write(_file, bytes(data))


VirtualSpi.writebytes = _write_and_record  # type: ignore[method-assign]
