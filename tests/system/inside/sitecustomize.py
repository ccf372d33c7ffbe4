"""A witness inside the container: keeps every byte that goes over the virtual SPI bus, in a file.

Python imports it by its name, where PYTHONPATH says so. How a matrix was left cannot be seen from
outside once its process has ended; from these bytes a chip of the same kind can be lit again.
"""

from __future__ import annotations

import os

from companion.adapters.virtual.spi import VirtualSpi

_file = os.open(os.environ["SPI_WITNESS"], os.O_WRONLY | os.O_CREAT | os.O_APPEND, 0o644)
_write = VirtualSpi.writebytes


def _write_and_keep(self: VirtualSpi, data: list[int]) -> None:
    _write(self, data)
    os.write(_file, bytes(data))


VirtualSpi.writebytes = _write_and_keep  # type: ignore[method-assign]
