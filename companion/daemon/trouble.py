"""What is wrong with the companion itself, in players' words, and what to do about it."""

from __future__ import annotations

import errno

from companion.errors import CompanionError, one_line
from companion.i18n.message import Message, message
from companion.storage.journal_writer import NEXT_TRY


def disk_trouble(error: OSError) -> Message:
    """Why what was told is not saved."""
    if error.errno in (errno.ENOSPC, errno.EDQUOT):
        return message("trouble.disk_full")
    if error.errno == errno.EROFS:
        return message("trouble.disk_readonly")
    if error.errno in (errno.EACCES, errno.EPERM):
        return message("trouble.disk_denied")
    return message("trouble.disk", reason=_reason(error))


def matrix_trouble(error: Exception) -> Message:
    """Why the matrix stays as it is. An error of ours says what to do, to whoever built it."""
    if isinstance(error, CompanionError):
        return message("trouble.no_matrix", advice=str(error))
    return message("trouble.matrix", reason=_reason(error))


def fault_trouble(error: Exception) -> Message:
    """A fault of ours: nothing is answered any more."""
    return message("trouble.fault", reason=one_line(f"{type(error).__name__}: {error}"))


def lost_text(error: OSError) -> str:
    """What is said at the very end, when there is no next try."""
    return f"{str(error).removesuffix(NEXT_TRY)}; it is lost"


def _reason(error: Exception) -> str:
    return one_line(getattr(error, "strerror", None) or str(error) or type(error).__name__)
