"""Skips a test that cannot run here, for one of two reasons:

- a tool is missing that a package has: with CI=true that is a failure (tests/conftest.py);
- the kernel, the container or the user may not run it: the test is skipped, in CI as well.
"""

from __future__ import annotations

import shutil
from pathlib import Path
from typing import NoReturn

import pytest

FORBIDDEN = "forbidden here: "
"""The start of the message for the second reason."""


def missing_tool(tool: str, package: str) -> NoReturn:
    """Skip the test, and name the Debian package of the tool."""
    pytest.skip(f"{tool} is missing: run 'sudo apt install {package}'")


def need_tools(tools: dict[str, str]) -> None:
    """Skip the test unless all tools exist. Maps programs or file paths to Debian packages."""
    for tool, package in tools.items():
        if not (Path(tool).exists() if tool.startswith("/") else shutil.which(tool)):
            missing_tool(tool, package)


def forbidden_here(reason: str) -> NoReturn:
    """Skip the test: it needs another machine or user."""
    pytest.skip(f"{FORBIDDEN}{reason}")
