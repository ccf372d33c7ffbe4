"""Types of JSON values."""

from __future__ import annotations

from typing import Any

JsonObject = dict[str, Any]
"""A JSON object: names and values."""
