"""The page's static files: read at start, served from memory with ETags.

aiohttp's own static route reads the SD card for each request, and lacks charset and `no-cache`.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from hashlib import sha256
from pathlib import Path

from aiohttp import web

from companion.i18n.message import message
from companion.web.http.http_error import HttpError

FOLDER = Path(__file__).parent / "static"
INDEX = "index.html"
CONTENT_TYPES = {
    ".css": "text/css",
    ".html": "text/html",
    ".js": "text/javascript",
    ".svg": "image/svg+xml",
}


@dataclass(frozen=True, slots=True)
class StaticFile:
    body: bytes
    content_type: str
    etag: str


def read_static_files(folder: Path = FOLDER) -> dict[str, StaticFile]:
    """All files by their path below the folder. Nothing else is ever served."""
    return {
        path.relative_to(folder).as_posix(): _read(path)
        for path in sorted(folder.rglob("*"))
        if path.suffix in CONTENT_TYPES and path.is_file()
    }


def _read(path: Path) -> StaticFile:
    body = path.read_bytes()
    return StaticFile(body, CONTENT_TYPES[path.suffix], f'"{sha256(body).hexdigest()[:16]}"')


def static_routes(files: Mapping[str, StaticFile]) -> list[web.AbstractRouteDef]:
    async def index(request: web.Request) -> web.Response:
        return _response(request, files.get(INDEX))

    async def static(request: web.Request) -> web.Response:
        return _response(request, files.get(request.match_info["name"]))

    return [web.get("/", index), web.get("/static/{name:.+}", static)]


def _response(request: web.Request, file: StaticFile | None) -> web.Response:
    """Browsers cache the file and revalidate it on every use."""
    if file is None:
        raise HttpError(404, message("page.not_found"))
    is_cached = file.etag in request.headers.get("If-None-Match", "")
    response = web.Response(status=304) if is_cached else web.Response(body=file.body)
    response.content_type = file.content_type
    if file.content_type.startswith("text/"):
        response.charset = "utf-8"
    response.headers["Cache-Control"] = "no-cache"
    response.headers["ETag"] = file.etag
    return response
