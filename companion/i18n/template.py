"""Writes the template for translators, and updates the catalogues from it.

Run `python -m companion.i18n.template` after changing English sentences. In every catalogue a new
sentence is added empty, a changed one is emptied (with its old translation in a comment), and a
removed one is removed. Needs Babel, which is a dependency of tests and builds only.
"""

from __future__ import annotations

import io
from collections.abc import Iterator
from gettext import c2py
from pathlib import Path

from babel.messages.catalog import Catalog
from babel.messages.catalog import Message as PoEntry
from babel.messages.pofile import read_po, write_po

from companion.i18n.catalogue_loader import DOMAIN, LOCALE
from companion.i18n.english import ENGLISH
from companion.i18n.languages import LANGUAGES, Language

TEMPLATE = LOCALE / f"{DOMAIN}.pot"
HEADER = """\
# {title}
# The words of the Marrakech companion. What stands beside msgctxt is the name of a sentence;
# what stands in braces is filled in, and stays as it is. docs/translating.md says more.
"""
WIDTH = 100

# Notes for translators by key prefix. The longest matching prefix counts.
TRANSLATOR_NOTES = {
    "": "",
    "colour.": "The colour of a rug, as it stands alone, after a colon or in brackets.",
    "player.": "A player is called by the colour of the rugs, where no name is known.",
    "player.two": "Two colours of one player.",
    "facing.": "A direction of the compass, as it stands in 'Assam faces {facing}.'",
    "button.": "A direction button, and a direction where it stands alone: as short as can be.",
    "booklet.": "The name of a booklet: leave its language as it is written.",
    "title.": "A heading.",
    "todo.": "What to do now. OK and BACK are written on the buttons: leave them.",
    "news.": "What happened.",
    "news.audit_": "What happened. Comparing with the cardboard is called the same everywhere: as "
    "in title.audit and web.hold_ok.",
    "back.": "How to put the cardboard back as it was.",
    "count.row": "A sum: dirhams + visible halves = points.",
    "no.": "Why something was refused.",
    "no.same_names": "In the set-up. {name} is what somebody is called, and stands alone.",
    "option.": "A rule that a table may choose: its short name, or the rule as a sentence.",
    "rules.": "From the short rules of the game.",
    "rules.rugs": "How many rugs each player has: {four}, {three} and {two} are numbers.",
    "rules.die": "The six faces of the die: all six numbers, in this order.",
    "rules.booklet": "A heading: which booklet is played by. Its name is filled in.",
    "web.": "On the page for phones.",
    "web.ok": "As it is written on the button: leave it.",
    "web.back": "As it is written on the button: leave it.",
    "web.visible": "Head of a column: visible halves of rugs.",
    "web.way": "Head of a column of directions.",
    "web.expected": "Head of a column: what is paid on average.",
    "web.faces": "How many of the die's six faces show this number.",
    "web.pair": "A button: connect this phone with the table.",
    "web.code_asked": "While the matrix shows the code, beside the button that opens its field.",
    "web.hold_ok": "A button of the phone: what holding OK means. At most some 25 letters.",
    "web.leave_compare": "The same button while the cardboard is being compared: at most some 25 "
    "letters.",
    "web.earlier": "A button: the moment before.",
    "web.later": "A button: the moment after.",
    "web.won_by": "Names follow.",
    "page.": "The page's server refuses something.",
    "rail.": "Beside a lamp of the rail: at most 6 letters.",
    "sim.": "In the simulator, which runs in a terminal.",
    "sim.keys": "One line of at most 78 characters; O, B, P, R, ? and q are keys.",
    "sim.banner": "One line of at most 70 characters.",
    "sim.step_": "A step, in a row of several: as short as can be.",
    "sim.step_pivot": "A step, beside a lamp: Assam is turned for the next player, at the end of "
    "a turn. At most 8 letters, and another word than for 'turn', the step before the roll.",
    "sim.head_": "Head of a column: at most 8 letters.",
    "sim.short_": "Head of a narrow column: at most 3 letters.",
    "sim.out": "In the column of scores: 3 letters are best, 4 the most.",
    "sim.does_hold": "What the keys O and B do. Comparing is called as in title.audit.",
    "sim.hold": "Under the name of a button, after a key: hold that key.",
    "sim.bounce": "A fault of a button: its contact bounces.",
    "sim.glitch": "A fault of a button: a moment of noise.",
    "sim.stick": "A fault of a button: it stays down.",
    "pad.": "The die pad is a small keyboard for what the die shows.",
    "trouble.": "Something is wrong with the companion itself.",
    "coins.": "Advice on paying with coins of 1 and 5.",
    "pair.": "The matrix of LEDs shows a code that is typed on a phone.",
}


def translator_note(key: str) -> str:
    return TRANSLATOR_NOTES[
        max((prefix for prefix in TRANSLATOR_NOTES if key.startswith(prefix)), key=len)
    ]


def make_template() -> Catalog:
    """All sentences, in the order of the English catalogue."""
    template = Catalog(project="Marrakech companion", charset="utf-8", fuzzy=False)
    for key, text in ENGLISH.items():
        note = translator_note(key)
        template.add(text, context=key, auto_comments=[note] if note else [])
    return template


def po_path(language: Language) -> Path:
    return LOCALE / language.locale / "LC_MESSAGES" / f"{DOMAIN}.po"


def read_catalogue(language: Language) -> Catalog:
    with po_path(language).open("rb") as file:
        return read_po(file, locale=language.locale, abort_invalid=True)


def updated_catalogue(old: Catalog | None, language: Language) -> Catalog:
    """A catalogue with the sentences of the template, and the translations that `old` has."""
    new = Catalog(
        locale=language.locale, project="Marrakech companion", charset="utf-8", fuzzy=False
    )
    for entry in make_template():
        if not entry.id:
            continue
        known = None if old is None else old.get(entry.id, entry.context)
        new.add(
            entry.id,
            _empty(new, entry) if known is None else known.string,
            context=entry.context,
            auto_comments=entry.auto_comments,
            user_comments=_old_translation(old, entry) if known is None else known.user_comments,
        )
    return new


def _empty(catalogue: Catalog, entry: PoEntry) -> str | tuple[str, ...]:
    return ("",) * catalogue.num_plurals if entry.pluralizable else ""


def _old_translation(old: Catalog | None, entry: PoEntry) -> list[str]:
    """A comment with the translation of an older sentence with the same key."""
    for known in old or ():
        if known.context == entry.context and known.string:
            text = known.string if isinstance(known.string, str) else " | ".join(known.string)
            return [f"was: {text}"]
    return []


def po_text(catalogue: Catalog, title: str) -> bytes:
    """The content of the file, without dates, so that it is reproducible."""
    comment = HEADER.format(title=title) + "".join(_plural_comments(catalogue))
    catalogue.header_comment = comment.rstrip()
    written = io.BytesIO()
    write_po(written, catalogue, width=WIDTH, omit_header=False, include_lineno=False)
    lines = written.getvalue().decode().splitlines(keepends=True)
    kept = [line for line in lines if not line.startswith(_OMITTED_HEADERS)]
    return "".join(kept).encode()


def _plural_comments(catalogue: Catalog) -> Iterator[str]:
    """A line for each plural form, with the numbers it is for."""
    if catalogue.locale is None or catalogue.num_plurals < 2:
        return
    form_of = c2py(catalogue.plural_expr)
    for form in range(catalogue.num_plurals):
        numbers = [number for number in range(125) if form_of(number) == form]
        examples = ", ".join(map(str, numbers[:_EXAMPLES]))
        more = ", ..." if len(numbers) > _EXAMPLES else ""
        yield f"# msgstr[{form}] is for {examples}{more}\n"


_EXAMPLES = 12
_OMITTED_HEADERS = (
    '"POT-Creation-Date',
    '"PO-Revision-Date',
    '"Last-Translator',
    '"Language-Team',
    '"Report-Msgid-Bugs-To',
    '"Generated-By',
    '"Project-Id-Version',
)


def main() -> None:
    LOCALE.mkdir(exist_ok=True)
    TEMPLATE.write_bytes(po_text(make_template(), "English"))
    for language in list(LANGUAGES.values())[1:]:
        path = po_path(language)
        old = read_catalogue(language) if path.exists() else None
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(po_text(updated_catalogue(old, language), language.name))


if __name__ == "__main__":
    main()
