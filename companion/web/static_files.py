"""The files of the page. They are few and small: read once, and kept."""

from __future__ import annotations

from dataclasses import dataclass
from hashlib import sha256
from pathlib import Path

FOLDER = Path(__file__).parent / "static"
INDEX = "index.html"
KINDS = {
    ".css": "text/css",
    ".html": "text/html",
    ".js": "text/javascript",
    ".svg": "image/svg+xml",
}


@dataclass(frozen=True, slots=True)
class StaticFile:
    body: bytes
    kind: str
    tag: str
    """For browsers that ask whether what they have is still the same."""


def read_static_files(folder: Path = FOLDER) -> dict[str, StaticFile]:
    """All files by name. What is not among them when the server starts is never served."""
    return {
        path.relative_to(folder).as_posix(): _read(path)
        for path in sorted(folder.rglob("*"))
        if path.suffix in KINDS and path.is_file()
    }


def _read(path: Path) -> StaticFile:
    body = path.read_bytes()
    return StaticFile(body, KINDS[path.suffix], sha256(body).hexdigest()[:16])
