"""The JSON of the control socket fits its types, and the schema in docs/ is made from them."""

from __future__ import annotations

import json
from random import Random
from typing import Any, get_args

import msgspec
import pytest
from helpers.control_schema import PATH, schema_text
from helpers.table.table_driver import INPUTS, random_driver, random_input

from companion.adapters.pad_health import PadHealth, PadState
from companion.control.messages import Request, RequestName, Snapshot
from companion.control.protocol import REQUEST_NAMES, RequestError, parse_request
from companion.control.snapshot import snapshot_of
from companion.i18n.message import message
from companion.i18n.renderer import TextRenderer
from companion.i18n.wire_form import Renderer, WireRenderer
from companion.table.scenes.stage_scenes import RailStatus
from companion.table.view import TableView


def test_the_schema_in_docs_is_up_to_date() -> None:
    assert PATH.read_text() == schema_text(), "run tests/helpers/control_schema.py"


@pytest.mark.parametrize("renderer", [TextRenderer(), WireRenderer()], ids=["text", "wire"])
@pytest.mark.parametrize("seed", range(12))
def test_snapshots_fit_their_type(seed: int, renderer: Renderer) -> None:
    """Of tables of all kinds, at every stage that random inputs lead to."""
    rng, driver = Random(seed), random_driver(seed)
    for _ in range(25):
        driver.handle(INPUTS[random_input(rng, driver.stage)])
        view = TableView(driver.conversation, RailStatus(), driver.refusal, (message("pad.lost"),))
        pad = PadHealth(PadState.LOST, "/dev/pad", message=message("pad.lost"))
        snapshot = snapshot_of(view, renderer=renderer, pad=pad, page=("0.0.0.0", 8080))
        decoded = json.loads(json.dumps(snapshot))
        assert msgspec.convert(decoded, Snapshot) == decoded
        assert set(decoded) == set(Snapshot.__annotations__), "no key without a type"


def test_a_snapshot_with_a_wrong_type_does_not_fit() -> None:
    snapshot: dict[str, Any] = dict(
        snapshot_of(TableView(random_driver(1).conversation, RailStatus()))
    )
    with pytest.raises(msgspec.ValidationError):
        msgspec.convert(snapshot | {"sequence": "7"}, Snapshot)


def test_every_request_has_a_type() -> None:
    assert set(get_args(RequestName)) == set(REQUEST_NAMES)


REQUESTS: list[dict[str, Any]] = [
    {"do": "status", "words": "fr"},
    {"do": "watch", "words": "plain"},
    {"do": "version"},
    {"do": "press", "button": "ok", "hold": True},
    {"do": "press", "die": 3},
    {"do": "press", "roll": True},
    {"do": "show_code"},
    {"do": "pair", "code": "0417"},
    {"do": "choices"},
    {
        "do": "setup",
        "players": 2,
        "names": ["Ana", "Bo"],
        "booklet": "en",
        "options": {"loops": "nw-se"},
        "colours": [["red", "yellow"], "blue"],
    },
]


@pytest.mark.parametrize("request_", REQUESTS, ids=lambda one: one["do"])
def test_requests_fit_their_type_and_are_parsed(request_: dict[str, Any]) -> None:
    assert msgspec.convert(request_, Request) == request_
    parse_request(json.dumps(request_).encode())


def test_every_key_of_the_request_type_is_used() -> None:
    assert {key for one in REQUESTS for key in one} == set(Request.__annotations__)


def test_a_request_with_another_key_is_refused() -> None:
    with pytest.raises(RequestError, match="unknown member 'button2'"):
        parse_request(b'{"do": "press", "button2": "ok"}')
