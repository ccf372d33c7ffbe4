"""Why a test cannot run here. Two reasons are told apart:

- a tool is missing, which a package brings: with CI=true that is a failure (see tests/conftest.py);
- this kernel, container or user may not do it: the test is skipped, in CI as well.
"""

from __future__ import annotations

import shutil
from pathlib import Path
from typing import NoReturn

import pytest

FORBIDDEN = "forbidden here: "
"""How the reason of the second kind of skip begins."""


def missing_tool(tool: str, package: str) -> NoReturn:
    """Skip the test, and name the Debian package that has the tool."""
    pytest.skip(f"{tool} is missing: 'sudo apt install {package}' brings it")


def need_tools(tools: dict[str, str]) -> None:
    """Skip the test unless all tools are there: programs, or files by their paths, and the Debian
    package of each."""
    for tool, package in tools.items():
        if not (Path(tool).exists() if tool.startswith("/") else shutil.which(tool)):
            missing_tool(tool, package)


def forbidden_here(reason: str) -> NoReturn:
    """Skip the test because no package would help: it needs another machine or user."""
    pytest.skip(f"{FORBIDDEN}{reason}")
