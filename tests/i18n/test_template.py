"""Catalogues are updated after the English sentences have changed."""

from __future__ import annotations

import pytest
from babel.messages.catalog import Catalog

from companion.i18n import template
from companion.i18n.english import ENGLISH
from companion.i18n.languages import LANGUAGES
from companion.i18n.template import po_text, translator_note, updated_catalogue

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


def test_an_unchanged_sentence_keeps_its_translation() -> None:
    new = updated_catalogue(old_catalogue(), CZECH)
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


def test_a_changed_sentence_is_emptied_with_the_old_translation_in_a_comment() -> None:
    new = updated_catalogue(old_catalogue(), CZECH)
    changed = new.get("Assam must be turned left or right first.", "no.must_pivot")
    assert changed is not None
    assert changed.string == ""
    assert changed.user_comments == ["was: Assam se musí otočit."]


def test_a_new_sentence_is_empty_in_all_plural_forms() -> None:
    new = updated_catalogue(old_catalogue(), CZECH)
    added = new.get(("{count} dirham",), "web.dirhams_of")
    assert added is not None
    assert added.string == ("", "", "")


def test_a_removed_sentence_is_removed() -> None:
    text = po_text(updated_catalogue(old_catalogue(), CZECH), CZECH.name).decode()
    assert "Pryč" not in text
    assert "Tady trh končí." in text


def test_an_unchanged_catalogue_is_the_same_file() -> None:
    once = po_text(updated_catalogue(None, CZECH), CZECH.name)
    assert once == po_text(updated_catalogue(None, CZECH), CZECH.name)
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
def test_sentences_have_notes_for_translators(key: str, note: str) -> None:
    assert translator_note(key) == note


def test_every_note_is_used() -> None:
    used = {translator_note(key) for key in ENGLISH}
    assert set(template.TRANSLATOR_NOTES.values()) == used
