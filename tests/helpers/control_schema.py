"""Makes docs/schema/control.json from the types of the control socket.

    .venv/bin/python -P tests/helpers/control_schema.py

A test fails when the file is out of date.
"""

from __future__ import annotations

import json
from inspect import cleandoc
from pathlib import Path
from typing import Any

import msgspec

from companion.control.messages import Request, Response, Snapshot

PATH = Path(__file__).parents[2] / "docs/schema/control.json"


def schema_text() -> str:
    (request, response, snapshot), definitions = msgspec.json.schema_components(
        (Request, Response, Snapshot), ref_template="#/$defs/{name}"
    )
    schema = {
        "$schema": "https://json-schema.org/draft/2020-12/schema",
        "title": "Control socket of the Marrakech companion",
        "description": "Requests, responses and snapshots: companion/control/messages.py.",
        "oneOf": [request, response, snapshot],
        "$defs": {name: _cleaned(one) for name, one in sorted(definitions.items())},
    }
    return json.dumps(schema, indent=2) + "\n"


def _cleaned(definition: dict[str, Any]) -> dict[str, Any]:
    """Docstrings without indentation: Python 3.13 removes it by itself, earlier versions do not."""
    if "description" in definition:
        return definition | {"description": cleandoc(definition["description"])}
    return definition


if __name__ == "__main__":
    PATH.parent.mkdir(exist_ok=True)
    PATH.write_text(schema_text())
