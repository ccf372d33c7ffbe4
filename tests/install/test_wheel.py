"""The wheel that pip builds from a checkout, without the network."""

from __future__ import annotations

import re
import subprocess
import sys
from email.message import Message
from email.parser import Parser
from pathlib import Path
from zipfile import ZipFile

import pytest

import companion
from companion.i18n.catalogue_loader import renderer_for
from companion.i18n.languages import LANGUAGES
from companion.i18n.message import message
from companion.install.checkout import find_checkout

PACKAGE = Path(companion.__file__).parent
BUILD = "import sys; from setuptools.build_meta import build_wheel; build_wheel(sys.argv[1])"
RUN = """\
import sys
sys.path.insert(0, sys.argv[1])
import companion
from companion.cli.main import main
assert companion.__file__.startswith(sys.argv[1])
sys.exit(main(sys.argv[2:]))
"""


@pytest.fixture(scope="module")
def wheel(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Built from the files that the installer copies."""
    folder = tmp_path_factory.mktemp("wheel")
    find_checkout().copy_sources(folder / "build")
    subprocess.run(
        [sys.executable, "-c", BUILD, folder], cwd=folder / "build", check=True, capture_output=True
    )
    (built,) = folder.glob("*.whl")
    return built


@pytest.fixture(scope="module")
def metadata(wheel: Path) -> Message:
    name = f"marrakech_companion-{companion.__version__}.dist-info/METADATA"
    return Parser().parsestr(ZipFile(wheel).read(name).decode())


def test_wheel_is_platform_independent(wheel: Path) -> None:
    """A Pi has no compiler."""
    assert wheel.name == f"marrakech_companion-{companion.__version__}-py3-none-any.whl"


def test_wheel_has_all_modules_and_nothing_else(wheel: Path) -> None:
    """No tests, no hardware, no firmware."""
    modules = {f"companion/{path.relative_to(PACKAGE)}" for path in PACKAGE.rglob("*.py")}
    names = {name for name in ZipFile(wheel).namelist() if ".dist-info/" not in name}
    page = {
        f"companion/{path.relative_to(PACKAGE)}"
        for path in PACKAGE.glob("web/static/**/*")
        if path.is_file()
    }
    words = {
        f"companion/i18n/locale/{language.locale}/LC_MESSAGES/marrakech.mo"
        for language in LANGUAGES.values()
        if language.code != "en"
    }
    assert names == modules | page | words | {"companion/py.typed"}


def test_wheel_has_the_licence_and_the_command(wheel: Path) -> None:
    prefix = f"marrakech_companion-{companion.__version__}.dist-info"
    names = ZipFile(wheel).namelist()
    assert f"{prefix}/licenses/LICENSE" in names
    entry_points = ZipFile(wheel).read(f"{prefix}/entry_points.txt").decode()
    assert entry_points == "[console_scripts]\nmarrakech = companion.cli.main:main\n"


def test_metadata_has_python_licence_and_dependencies(metadata: Message) -> None:
    assert metadata["Requires-Python"] == ">=3.11"
    assert metadata["License-Expression"] == "MIT"
    needs = [need for need in metadata.get_all("Requires-Dist", []) if "extra ==" not in need]
    names = sorted(re.split("[<>=!]", need)[0] for need in needs)
    assert names == ["aiohttp", "gpiozero", "luma.led_matrix", "pillow", "pyserial", "segno"]


def run_from(wheel: Path, folder: Path, *words: str) -> str:
    ZipFile(wheel).extractall(folder)
    done = subprocess.run(
        [sys.executable, "-P", "-c", RUN, str(folder), *words],
        capture_output=True,
        text=True,
        cwd="/",
    )
    assert (done.returncode, done.stderr) == (0, "")
    return done.stdout


def test_wheel_runs(wheel: Path, tmp_path: Path) -> None:
    assert run_from(wheel, tmp_path, "perft", "2") == "12\n"


def test_wheel_has_compiled_catalogues(wheel: Path, tmp_path: Path) -> None:
    printed = run_from(wheel, tmp_path, "rules", "--language", "cs")
    assert printed.splitlines()[0] == renderer_for("cs").render(message("rules.title"))
