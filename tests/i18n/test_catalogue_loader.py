"""Catalogues are loaded on demand, and a broken one is reported."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from companion.i18n import catalogue_loader
from companion.i18n.catalogue_loader import CatalogueError, RendererLoader, renderer_for
from companion.i18n.message import PlayerName, message

MO = "cs/LC_MESSAGES/marrakech.mo"


@pytest.fixture
def locale(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Path]:
    """An empty folder of catalogues."""
    monkeypatch.setattr(catalogue_loader, "LOCALE", tmp_path)
    renderer_for.cache_clear()
    yield tmp_path
    renderer_for.cache_clear()


def test_english_needs_no_file(locale: Path) -> None:
    assert list(locale.iterdir()) == []
    assert renderer_for("en").render(message("no.edge")) == "The market ends here."


def test_a_catalogue_is_loaded_once() -> None:
    assert renderer_for("cs") is renderer_for("cs")
    assert renderer_for("cs") is not renderer_for("pl")


@pytest.mark.parametrize("content", [None, b"", b"no catalogue at all", b"\xde\x12\x04\x95"])
def test_an_unreadable_catalogue_raises_an_error_with_advice(
    content: bytes | None, locale: Path
) -> None:
    if content is not None:
        (locale / MO).parent.mkdir(parents=True)
        (locale / MO).write_bytes(content)
    with pytest.raises(
        CatalogueError, match=r"the catalogue of cs cannot be read .*install the comp"
    ):
        renderer_for("cs")


def test_the_count_chooses_the_plural_form_by_the_rule_of_the_language() -> None:
    def won(count: int) -> str:
        return renderer_for("cs").render(
            message("title.won", player=PlayerName("Ana", ()), count=count)
        )

    one, few, many = (won(count).replace(str(count), "") for count in (1, 3, 5))
    assert len({one, few, many}) == 3
    assert won(4).replace("4", "") == few
    assert won(25).replace("25", "") == many


def test_the_loader_falls_back_to_english_and_reports_each_broken_catalogue_once(
    locale: Path,
) -> None:
    reports: list[str] = []
    loader = RendererLoader(reports.append)
    for language in ("fi", "fi", "cs", "en"):
        assert loader.load(language).language == "en"
    assert [text.partition(" cannot")[0] for text in reports] == [
        "the catalogue of fi",
        "the catalogue of cs",
    ]
    assert list(locale.iterdir()) == []
