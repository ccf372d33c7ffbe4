"""Random texts, and texts with one wrong character: parsed, or refused with a `NotationError`."""

from __future__ import annotations

from helpers.profiles import examples
from helpers.rules.sample_positions import POSITIONS
from helpers.rules.sample_records import RECORDS
from hypothesis import given, settings
from hypothesis import strategies as st

from companion.errors import NotationError
from companion.games.marrakech import (
    Record,
    State,
    parse_position,
    parse_record,
    position_text,
    record_text,
)

ANY_CHARACTER = st.characters(exclude_categories=())  # lone surrogates too


@st.composite
def one_character_off(draw: st.DrawFn, texts: list[str], letters: str) -> str:
    """One of the texts with a character deleted, replaced or inserted."""
    text = draw(st.sampled_from(texts))
    at = draw(st.integers(0, len(text) - 1))
    inserted = draw(st.just("") | st.sampled_from(letters) | ANY_CHARACTER)
    return text[:at] + inserted + text[at + draw(st.integers(0, 1)) :]


# --- Positions ----------------------------------------------------------------------------


def position_or_refused(text: str) -> State | None:
    """None if the text is refused with a valid line and column; other errors fail the test."""
    try:
        return parse_position(text)
    except NotationError as error:
        refused = error
    assert refused.column is not None
    assert 1 <= refused.column <= len(text) + 1
    return None


@given(st.text(ANY_CHARACTER) | st.lists(st.text(), min_size=6, max_size=6).map(" ".join))
@settings(max_examples=examples(200))
def test_a_garbage_position_is_refused(text: str) -> None:
    assert position_or_refused(text) is None


@given(one_character_off(list(POSITIONS.values()), "./RYBNrybn0123456789nesw:,+=-_ outlay"))
@settings(max_examples=examples(500))
def test_a_position_with_one_wrong_character_is_parsed_or_refused(text: str) -> None:
    """A parsed position round-trips."""
    state = position_or_refused(text)
    if state is not None:
        assert parse_position(position_text(state)) == state


# --- Records ------------------------------------------------------------------------------


def record_or_refused(text: str) -> Record | None:
    """None if the text is refused with a valid line and column; other errors fail the test."""
    try:
        return parse_record(text)
    except NotationError as error:
        refused = error
    if refused.line is None:
        assert refused.message.startswith("no header 'player'")
    else:
        lines = text.splitlines() or [""]
        assert refused.column is not None
        assert 1 <= refused.column <= len(lines[refused.line - 1]) + 1
    return None


@given(
    st.text(ANY_CHARACTER)
    | st.text().map("marrakech record 1\nplayer: R\nplayer: Y\nplayer: B\n".__add__)
)
@settings(max_examples=examples(200))
def test_a_garbage_record_is_refused_or_has_no_turns(text: str) -> None:
    """Headers alone are a valid record: `note:` takes any text."""
    game = record_or_refused(text)
    assert game is None or game.actions == ()


@given(one_character_off(list(RECORDS.values()), " \n#:.-+=0123456789abcdefgnswRYBN"))
@settings(max_examples=examples(400))
def test_a_record_with_one_wrong_character_is_parsed_or_refused(text: str) -> None:
    """A parsed record round-trips."""
    game = record_or_refused(text)
    if game is not None:
        assert parse_record(record_text(game)) == game
