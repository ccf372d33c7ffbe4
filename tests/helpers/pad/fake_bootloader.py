"""A bootloader behind a pty: STK500 version 1, for chips that simavr does not have.

It has no timeout, and answers at one speed only. `flash` is what was written.
"""

from __future__ import annotations

import contextlib
import os
import select
import termios
import threading
import tty

_OK = b"\x14\x10"
# The number of bytes that follow a command, without the 0x20 at its end.
_ARGUMENTS = {0x30: 0, 0x41: 1, 0x42: 20, 0x45: 5, 0x50: 0, 0x51: 0, 0x55: 2, 0x56: 4, 0x75: 0}
_WRITE_PAGE, _READ_PAGE = 0x64, 0x74


class FakeBootloader:
    def __init__(self, baud: int = 115_200, signature: str = "1e950f") -> None:
        self.speed = getattr(termios, f"B{baud}")
        self.signature = bytes.fromhex(signature)
        self.is_silent = False
        self.flash = bytearray(b"\xff" * 32768)
        self._address = 0
        self._pending = b""
        self._port, self._other = os.openpty()
        tty.setraw(self._other)
        self.path = os.ttyname(self._other)
        self._stop, self._stopped = os.pipe()
        self._thread = threading.Thread(target=self._serve)
        self._thread.start()

    def close(self) -> None:
        os.close(self._stopped)
        self._thread.join()
        for end in (self._port, self._other, self._stop):
            os.close(end)

    def _serve(self) -> None:
        while self._stop not in (ready := select.select([self._port, self._stop], [], [])[0]):
            assert ready
            with contextlib.suppress(OSError):
                data = os.read(self._port, 4096)
                if self.is_silent or termios.tcgetattr(self._port)[5] != self.speed:
                    continue
                self._pending += data
                while answer := self._next_answer():
                    os.write(self._port, answer)

    def _next_answer(self) -> bytes:
        """The answer to the next command, or nothing if the command is not complete."""
        data = self._pending
        if not data:
            return b""
        length = self._length(data)
        if length is None or len(data) < length:
            return b""
        self._pending = data[length:]
        return self._answer(data[:length])

    def _length(self, data: bytes) -> int | None:
        if data[0] in (_WRITE_PAGE, _READ_PAGE):
            if len(data) < 3:
                return None
            count = int.from_bytes(data[1:3], "big") if data[0] == _WRITE_PAGE else 0
            return 5 + count
        return 2 + _ARGUMENTS.get(data[0], 0)

    def _answer(self, command: bytes) -> bytes:
        body = b""
        at = 2 * self._address
        if command[0] == 0x75:
            body = self.signature
        elif command[0] in (0x41, 0x56):
            body = b"\x03"
        elif command[0] == 0x55:
            self._address = int.from_bytes(command[1:3], "little")
        elif command[0] == _WRITE_PAGE:
            self.flash[at : at + len(command) - 5] = command[4:-1]
        elif command[0] == _READ_PAGE:
            body = bytes(self.flash[at : at + int.from_bytes(command[1:3], "big")])
        return _OK[:1] + body + _OK[1:]
