"""The English words change, and catalogues follow."""

from __future__ import annotations

import pytest
from babel.messages.catalog import Catalog

from companion.i18n import template
from companion.i18n.english import ENGLISH
from companion.i18n.languages import LANGUAGES
from companion.i18n.template import brought_up_to_date, note_on, text_of

CZECH = LANGUAGES["cs"]


def old_catalogue() -> Catalog:
    old = Catalog(locale="cs", fuzzy=False)
    old.add("The market ends here.", "Tady trh končí.", context="no.edge")
    old.add("Assam must turn.", "Assam se musí otočit.", context="no.must_pivot")
    old.add("Gone.", "Pryč.", context="no.gone")
    old.add(
        ("{player} wins with {count} point", "{player} wins with {count} points"),
        ("{player}: {count} bod", "{player}: {count} body", "{player}: {count} bodů"),
        context="title.won",
    )
    return old


def test_what_has_not_changed_stays_translated() -> None:
    new = brought_up_to_date(old_catalogue(), CZECH)
    kept = new.get("The market ends here.", "no.edge")
    assert kept is not None
    assert kept.string == "Tady trh končí."
    won = new.get(("{player} wins with {count} point",), "title.won")
    assert won is not None
    assert won.string == (
        "{player}: {count} bod",
        "{player}: {count} body",
        "{player}: {count} bodů",
    )


def test_what_has_changed_is_empty_and_what_stood_there_is_told() -> None:
    new = brought_up_to_date(old_catalogue(), CZECH)
    changed = new.get("Assam must be turned left or right first.", "no.must_pivot")
    assert changed is not None
    assert changed.string == ""
    assert changed.user_comments == ["was: Assam se musí otočit."]


def test_what_is_new_is_empty_in_all_its_forms() -> None:
    new = brought_up_to_date(old_catalogue(), CZECH)
    added = new.get(("{count} dirham",), "web.dirhams_of")
    assert added is not None
    assert added.string == ("", "", "")


def test_what_is_gone_is_gone() -> None:
    text = text_of(brought_up_to_date(old_catalogue(), CZECH), CZECH.name).decode()
    assert "Pryč" not in text
    assert "Tady trh končí." in text


def test_a_catalogue_that_has_not_changed_is_the_same_file() -> None:
    """No dates, and no names: whoever runs it sees in git what has changed."""
    once = text_of(brought_up_to_date(None, CZECH), CZECH.name)
    assert once == text_of(brought_up_to_date(None, CZECH), CZECH.name)
    assert b"Date" not in once


@pytest.mark.parametrize(
    ("key", "note"),
    [
        ("colour.red", "The colour of a rug, as it stands alone, after a colon or in brackets."),
        ("web.ok", "As it is written on the button: leave it."),
        ("web.games", "On the page for phones."),
        ("begins.lot", ""),
    ],
)
def test_a_translator_is_told_what_a_sentence_is_for(key: str, note: str) -> None:
    assert note_on(key) == note


def test_no_note_is_about_nothing() -> None:
    said = {note_on(key) for key in ENGLISH}
    assert set(template.NOTES.values()) == said
