"""A matrix that reconnects after a failed open."""

from __future__ import annotations

from collections.abc import Callable

from companion.adapters.matrix import Matrix
from companion.light.frame import LedFrame


class ReconnectingMatrix:
    """Opens the matrix when it is first used. While that fails, every call raises the error.

    The display retries, as after a failed transfer.
    """

    def __init__(self, open_matrix: Callable[[], Matrix]) -> None:
        self._open_matrix = open_matrix
        self._matrix: Matrix | None = None
        self._is_closed = False

    def open(self) -> Matrix:
        """The matrix. Raises the error if it cannot be opened."""
        assert not self._is_closed
        if self._matrix is None:
            self._matrix = self._open_matrix()
        return self._matrix

    def show(self, shown: LedFrame) -> None:
        self.open().show(shown)

    def reinitialize(self, brightness: int | None = None) -> None:
        self.open().reinitialize(brightness)

    def close(self) -> None:
        self._is_closed = True
        if self._matrix is not None:
            self._matrix.close()
