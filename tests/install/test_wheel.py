"""The wheel: what pip builds from a checkout, without the network and outside of it."""

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
from companion.i18n.catalogue_loader import speech_in
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
    """Built from what the installer copies, as pip does it on the Pi."""
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


def test_wheel_is_for_every_machine(wheel: Path) -> None:
    """There is no compiler on a Pi, and none is needed."""
    assert wheel.name == f"marrakech_companion-{companion.__version__}-py3-none-any.whl"


def test_wheel_has_every_module_and_nothing_else(wheel: Path) -> None:
    """No tests, no hardware, no firmware: those are the checkout's."""
    modules = {f"companion/{path.relative_to(PACKAGE)}" for path in PACKAGE.rglob("*.py")}
    names = {name for name in ZipFile(wheel).namelist() if ".dist-info/" not in name}
    page = {f"companion/{path.relative_to(PACKAGE)}" for path in PACKAGE.glob("web/static/*")}
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
    told = ZipFile(wheel).read(f"{prefix}/entry_points.txt").decode()
    assert told == "[console_scripts]\nmarrakech = companion.cli.main:main\n"


def test_metadata_says_what_it_needs_and_is(metadata: Message) -> None:
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


def test_what_is_in_the_wheel_runs(wheel: Path, tmp_path: Path) -> None:
    assert run_from(wheel, tmp_path, "perft", "2") == "12\n"


def test_what_is_in_the_wheel_speaks_every_language(wheel: Path, tmp_path: Path) -> None:
    """From catalogues that were compiled for it: the checkout's own are not taken along."""
    told = run_from(wheel, tmp_path, "rules", "--language", "cs")
    assert told.splitlines()[0] == speech_in("cs").say(message("rules.title"))
