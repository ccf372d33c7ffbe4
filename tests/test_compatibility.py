"""Games, settings and interfaces of version 1 still work: see fixtures/version_1/README.md."""

from __future__ import annotations

import argparse
import asyncio
import json
import shutil
from dataclasses import asdict
from pathlib import Path
from typing import Any

import pytest
from helpers.table.table_driver import INPUTS, TableDriver

from companion.cli.main import COMMANDS, _parser, main
from companion.config.file import load_config
from companion.control.setup_schema import setup_choices
from companion.control.snapshot import snapshot_of
from companion.i18n.wire_form import WireRenderer
from companion.storage.game_store import GameStore
from companion.table.scenes.stage_scenes import RailStatus
from companion.table.view import TableView
from companion.web.file_worker import FileWorker
from companion.web.server import PageSettings, _routes
from companion.web.table_client import TableClient

VERSION_1 = Path(__file__).parent / "fixtures/version_1"
EXPORTS = sorted((VERSION_1 / "exports").iterdir())
CHANGES_BETWEEN_RUNS = ("companion", "uptime_s")


def fixture(name: str) -> Any:  # noqa: ANN401 - whatever the JSON has
    return json.loads((VERSION_1 / name).read_text())


@pytest.mark.parametrize("exported", EXPORTS, ids=lambda path: path.name)
def test_a_game_of_version_1_is_exported_byte_for_byte(
    exported: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    format_options = ["--json"] if exported.suffix == ".json" else []
    folder = str(VERSION_1 / "games")
    assert main(["games", "--folder", folder, "export", exported.stem, *format_options]) == 0
    assert capsys.readouterr().out == exported.read_text()


def test_a_game_of_version_1_goes_on_where_it_was(tmp_path: Path) -> None:
    """The journal is opened for writing, and nothing in it changes."""
    folder = tmp_path / "games"
    shutil.copytree(VERSION_1 / "games", folder)
    before = (folder / "game.jsonl").read_bytes()
    store = GameStore(folder)
    game, torn_bytes = store.load()
    store.close()
    assert game is not None
    assert (game.now.entry_count, torn_bytes) == (8, 0)
    assert (folder / "game.jsonl").read_bytes() == before


@pytest.mark.parametrize("name", ["default", "own"])
def test_a_config_of_version_1_means_the_same(name: str) -> None:
    path = VERSION_1 / f"configs/{name}.toml"
    config, _ = load_config(path, environ={}, cwd=Path("/"))
    settings = json.loads(json.dumps(asdict(config), default=str))
    assert settings == fixture("configs/settings.json")[name]


def command_line_options(parser: argparse.ArgumentParser, name: str) -> dict[str, list[str]]:
    found: dict[str, list[str]] = {}
    names: list[str] = []
    for action in parser._actions:
        if isinstance(action, argparse._SubParsersAction):
            for sub_name, sub_parser in action.choices.items():
                found |= command_line_options(sub_parser, f"{name} {sub_name}")
        else:
            names += action.option_strings or [f"<{action.dest}>"]
    return found | {name: sorted(names)}


@pytest.mark.parametrize("command", COMMANDS)
def test_a_command_has_the_options_of_version_1(command: str) -> None:
    expected = {
        name: options
        for name, options in fixture("command_line.json").items()
        if name.split()[0] == command
    }
    parser = command_line_options(_parser(command), "marrakech")
    prefix = f"marrakech {command}"
    found = {
        name.removeprefix("marrakech "): options
        for name, options in parser.items()
        if name == prefix or name.startswith(prefix + " ")
    }
    missing = {
        name: sorted(set(options) - set(found.get(name, ()))) for name, options in expected.items()
    }
    assert {name: options for name, options in missing.items() if options} == {}


@pytest.mark.parametrize("row", fixture("snapshots.json"), ids=lambda row: row["inputs"])
def test_a_snapshot_has_the_form_of_version_1(row: dict[str, Any]) -> None:
    driver = TableDriver(ok_rolls=True)
    for word in row["inputs"].split():
        driver.handle(INPUTS[word])
    view = TableView(driver.conversation, RailStatus(), driver.refusal)
    snapshot = json.loads(json.dumps(snapshot_of(view, renderer=WireRenderer())))
    for name in CHANGES_BETWEEN_RUNS:
        del snapshot[name]
    assert snapshot == row["snapshot"]


def test_a_setup_form_has_the_choices_of_version_1() -> None:
    assert json.loads(json.dumps(setup_choices(WireRenderer()))) == fixture("setup_choices.json")


async def _page_routes() -> set[str]:
    worker = FileWorker()
    settings = PageSettings(socket=Path("/nowhere"), folder=Path("/nowhere"))
    try:
        routes = _routes(settings, TableClient(settings.socket), worker)
        return {f"{route.method} {route.path}" for route in routes}  # type: ignore[attr-defined]
    finally:
        worker.close()


def test_the_page_answers_what_phones_of_version_1_ask() -> None:
    assert set(fixture("page_routes.json")) <= asyncio.run(_page_routes())
