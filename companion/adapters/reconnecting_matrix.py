"""A matrix that may come later: the table is played without light until it does."""

from __future__ import annotations

from collections.abc import Callable

from companion.adapters.matrix import Matrix
from companion.light.frame import Picture


class ReconnectingMatrix:
    """Opens the matrix as soon as that can be done; until then showing a picture raises why not.

    The screen tries again and again, as with a matrix that has failed.
    """

    def __init__(self, open_matrix: Callable[[], Matrix]) -> None:
        self._open_matrix = open_matrix
        self._matrix: Matrix | None = None
        self._is_closed = False

    def open(self) -> Matrix:
        """The matrix itself, or why there is none."""
        assert not self._is_closed
        if self._matrix is None:
            self._matrix = self._open_matrix()
        return self._matrix

    def show(self, shown: Picture) -> None:
        self.open().show(shown)

    def renew(self, brightness: int | None = None) -> None:
        self.open().renew(brightness)

    def close(self) -> None:
        self._is_closed = True
        if self._matrix is not None:
            self._matrix.close()
