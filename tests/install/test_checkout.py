"""Which files of a checkout are installed, and the version's name."""

from __future__ import annotations

import tomllib
from pathlib import Path

import pytest
from helpers.system.fake_pi import make_checkout

import companion
from companion.config.file import DEFAULTS, effective_text, parse_config
from companion.config.model import Config
from companion.install.checkout import REQUIRED_FILES, Checkout, find_checkout
from companion.install.deployment import first_settings, virtual_drop_in
from companion.install.steps import InstallError

ROOT = Path(companion.__file__).parents[1]


def test_same_files_in_another_folder_are_the_same_version(tmp_path: Path) -> None:
    one, other = make_checkout(tmp_path / "one"), make_checkout(tmp_path / "other")
    assert one.version_name("3.11") == other.version_name("3.11")
    assert one.version_name("3.11") != one.version_name("3.13")
    assert one.version_name("3.11").startswith("1.0.0+")


@pytest.mark.parametrize(
    "name",
    [
        "companion/games/rules.py",
        "constraints.txt",
        "firmware/release/pad-1.0.0.hex",
        "systemd/60-marrakech.rules",
        "systemd/avahi/marrakech.service",
        "systemd/marrakech.service",
    ],
)
def test_any_changed_file_makes_another_version(tmp_path: Path, name: str) -> None:
    checkout = make_checkout(tmp_path)
    before = checkout.version_name()
    with (tmp_path / name).open("a") as file:
        file.write("# changed\n")
    assert checkout.version_name() != before


def test_generated_and_unrelated_files_do_not_change_the_version(tmp_path: Path) -> None:
    """Compiled modules, an editor's files, tests, a virtual environment."""
    checkout = make_checkout(tmp_path)
    before = checkout.version_name()
    for name in (
        "companion/games/__pycache__/rules.cpython-311.pyc",
        "companion/.rules.py.swp",
        "companion/.idea/some.xml",
        "firmware/release/README",
        "tests/test_some.py",
        ".venv/bin/python",
    ):
        (tmp_path / name).parent.mkdir(parents=True, exist_ok=True)
        (tmp_path / name).write_text("x")
    assert checkout.version_name() == before
    checkout.copy_sources(tmp_path / "copy")
    copied = [path for path in (tmp_path / "copy").rglob("*") if path.is_file()]
    assert sorted(str(path.relative_to(tmp_path / "copy")) for path in copied) == [
        "LICENSE",
        "README.md",
        "companion/__init__.py",
        "companion/games/rules.py",
        "companion/py.typed",
        "constraints.txt",
        "pyproject.toml",
    ]


@pytest.mark.parametrize("name", REQUIRED_FILES)
def test_incomplete_checkout_is_refused(tmp_path: Path, name: str) -> None:
    make_checkout(tmp_path)
    (tmp_path / name).unlink()
    with pytest.raises(InstallError, match=rf"is not a complete checkout .*: {name} is missing$"):
        Checkout(tmp_path)


def test_checkout_without_a_version_is_refused(tmp_path: Path) -> None:
    make_checkout(tmp_path)
    (tmp_path / "companion/__init__.py").write_text("")
    with pytest.raises(InstallError, match=r"has no __version__$"):
        Checkout(tmp_path)


# --- The real checkout --------------------------------------------------------------------


def test_this_checkout_can_be_installed() -> None:
    checkout = find_checkout()
    assert checkout.folder == ROOT
    assert checkout.version == companion.__version__
    assert any(name.endswith(".hex") for name in checkout.shared())


def test_simulated_service_keeps_its_games_apart() -> None:
    drop_in = virtual_drop_in(find_checkout().system_files().unit).decode()
    start = next(line for line in drop_in.splitlines() if line.endswith("--virtual"))
    assert start.startswith("ExecStart=/opt/marrakech/current/bin/marrakech serve ")
    assert "--folder" not in start or "/simulated --virtual" in start


def test_first_settings_are_valid_and_name_the_games_folder() -> None:
    text = first_settings(effective_text(Config(), DEFAULTS)).decode()
    assert tomllib.loads(text)["journal"]["folder"] == "/var/lib/marrakech/games"
    config = parse_config(text, "marrakech.toml")
    assert config.journal_folder({}) == Path("/var/lib/marrakech/games")
