"""Problems of the table as messages for players, with what to do about them."""

from __future__ import annotations

import errno

from companion.errors import CompanionError, one_line
from companion.i18n.message import Message, message
from companion.storage.journal_writer import RETRY_SUFFIX


def disk_trouble(error: OSError) -> Message:
    """Why inputs are not saved."""
    if error.errno in (errno.ENOSPC, errno.EDQUOT):
        return message("trouble.disk_full")
    if error.errno == errno.EROFS:
        return message("trouble.disk_readonly")
    if error.errno in (errno.EACCES, errno.EPERM):
        return message("trouble.disk_denied")
    return message("trouble.disk", reason=_reason(error))


def matrix_trouble(error: Exception) -> Message:
    """Why the matrix does not change. A `CompanionError` says what to do."""
    if isinstance(error, CompanionError):
        return message("trouble.no_matrix", advice=str(error))
    return message("trouble.matrix", reason=_reason(error))


def fault_trouble(error: Exception) -> Message:
    """A fault of the program: no more inputs are taken."""
    return message("trouble.fault", reason=one_line(f"{type(error).__name__}: {error}"))


def lost_text(error: OSError) -> str:
    """The text of a disk error when the process ends and nothing is retried."""
    return f"{str(error).removesuffix(RETRY_SUFFIX)}; it is lost"


def _reason(error: Exception) -> str:
    return one_line(getattr(error, "strerror", None) or str(error) or type(error).__name__)
