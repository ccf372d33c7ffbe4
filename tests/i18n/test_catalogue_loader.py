"""Catalogues are read when they are needed, and what is wrong with one is said."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from companion.i18n import catalogue_loader
from companion.i18n.catalogue_loader import CatalogueError, Library, speech_in
from companion.i18n.message import Who, message

MO = "cs/LC_MESSAGES/marrakech.mo"


@pytest.fixture
def shelf(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Path]:
    """A place for catalogues where there is none yet."""
    monkeypatch.setattr(catalogue_loader, "LOCALE", tmp_path)
    speech_in.cache_clear()
    yield tmp_path
    speech_in.cache_clear()


def test_english_needs_no_file(shelf: Path) -> None:
    assert list(shelf.iterdir()) == []
    assert speech_in("en").say(message("no.edge")) == "The market ends here."


def test_a_language_is_read_once() -> None:
    assert speech_in("cs") is speech_in("cs")
    assert speech_in("cs") is not speech_in("pl")


@pytest.mark.parametrize("content", [None, b"", b"no catalogue at all", b"\xde\x12\x04\x95"])
def test_a_catalogue_that_cannot_be_read_is_said_with_what_to_do(
    content: bytes | None, shelf: Path
) -> None:
    if content is not None:
        (shelf / MO).parent.mkdir(parents=True)
        (shelf / MO).write_bytes(content)
    with pytest.raises(CatalogueError, match=r"the words of cs cannot be read .*install the comp"):
        speech_in("cs")


def test_the_number_chooses_the_form_by_the_rule_of_the_language() -> None:
    def said(count: int) -> str:
        return speech_in("cs").say(message("title.won", player=Who("Ana", ()), count=count))

    one, few, many = (said(count).replace(str(count), "") for count in (1, 3, 5))
    assert len({one, few, many}) == 3
    assert said(4).replace("4", "") == few
    assert said(25).replace("25", "") == many


def test_who_has_to_speak_speaks_english_and_a_lost_language_is_told_once(shelf: Path) -> None:
    told: list[str] = []
    library = Library(told.append)
    for language in ("fi", "fi", "cs", "en"):
        assert library.speech(language).language == "en"
    assert [text.partition(" cannot")[0] for text in told] == ["the words of fi", "the words of cs"]
    assert list(shelf.iterdir()) == []
