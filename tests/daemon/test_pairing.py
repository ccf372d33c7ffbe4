"""The code for phones: how long it lasts, how often it may be guessed. On a clock of our own."""

from __future__ import annotations

from companion.daemon.pairing import TRIES, TRIES_A_MINUTE, VALID_S, Pairing, new_code
from companion.i18n.message import Message, message

NO_CODE, VOID = message("pair.no_code"), message("pair.void")
TOO_MANY = message("pair.too_many")


class Desk:
    """Codes 0000, 0001 and so on, and a clock that is set by hand."""

    def __init__(self) -> None:
        self.now_s = 100.0
        codes = (f"{number:04}" for number in range(10_000))
        self.pairing = Pairing(lambda: self.now_s, codes.__next__)

    def try_wrong(self, times: int) -> list[Message | None]:
        return [self.pairing.refusal("9999") for _ in range(times)]


def wrong(left: int) -> Message:
    return message("pair.wrong", count=left)


def test_the_code_that_was_shown_pairs_as_many_phones_as_there_are() -> None:
    desk = Desk()
    code = desk.pairing.show()
    assert [desk.pairing.refusal(code) for _ in range(4)] == [None] * 4


def test_before_anything_is_shown_there_is_no_code() -> None:
    assert Desk().pairing.refusal("0000") == NO_CODE


def test_a_code_lasts_two_minutes_after_it_was_shown() -> None:
    desk = Desk()
    code = desk.pairing.show()
    desk.now_s += VALID_S - 0.001
    assert desk.pairing.refusal(code) is None
    desk.now_s += 0.001
    assert desk.pairing.refusal(code) == NO_CODE
    desk.now_s -= 60
    assert desk.pairing.refusal(code) == NO_CODE, "what is over stays over"


def test_every_showing_makes_a_new_code_and_the_one_before_is_void() -> None:
    desk = Desk()
    first, second = desk.pairing.show(), desk.pairing.show()
    assert first != second
    assert desk.pairing.refusal(first) == wrong(4)
    desk.now_s += 100
    third = desk.pairing.show()
    desk.now_s += 100
    assert desk.pairing.refusal(third) is None, "its own two minutes"


def test_five_wrong_tries_make_a_code_void_and_a_new_one_must_be_shown() -> None:
    desk = Desk()
    code = desk.pairing.show()
    assert desk.try_wrong(TRIES) == [wrong(4), wrong(3), wrong(2), wrong(1), VOID]
    assert desk.pairing.refusal(code) == NO_CODE
    assert desk.pairing.refusal(desk.pairing.show()) is None
    assert desk.try_wrong(1) == [wrong(4)], "a new code has its own tries"


def test_a_right_try_gives_no_wrong_ones_back() -> None:
    """Else somebody who is paired could help another to guess."""
    desk = Desk()
    code = desk.pairing.show()
    desk.try_wrong(4)
    assert desk.pairing.refusal(code) is None
    assert desk.try_wrong(1) == [VOID]


def test_ten_tries_a_minute_are_looked_at_whatever_the_code() -> None:
    desk = Desk()
    for second in (0, 10):
        desk.now_s = 100.0 + second
        desk.pairing.show()
        desk.try_wrong(TRIES)
    code = desk.pairing.show()
    assert desk.pairing.refusal(code) == TOO_MANY
    desk.now_s = 159.999
    assert desk.pairing.refusal(code) == TOO_MANY
    desk.now_s = 160.0
    assert desk.pairing.refusal(code) is None, "those of the first second are a minute ago"
    assert desk.try_wrong(5) == [wrong(4), wrong(3), wrong(2), wrong(1), TOO_MANY]


def test_right_tries_count_as_well_and_those_that_are_not_looked_at_do_not() -> None:
    desk = Desk()
    code = desk.pairing.show()
    assert [desk.pairing.refusal(code) for _ in range(TRIES_A_MINUTE)] == [None] * TRIES_A_MINUTE
    for _ in range(100):
        assert desk.pairing.refusal(code) == TOO_MANY
    desk.now_s += 60
    assert desk.pairing.refusal(code) is None


def test_tries_without_a_code_to_guess_keep_nobody_out() -> None:
    desk = Desk()
    assert desk.try_wrong(100) == [NO_CODE] * 100
    assert desk.pairing.refusal(desk.pairing.show()) is None


def test_a_code_has_four_digits_and_is_another_every_time() -> None:
    codes = {new_code() for _ in range(200)}
    assert all(len(code) == 4 and code.isdecimal() and code.isascii() for code in codes)
    assert len(codes) > 150


def test_whatever_is_typed_is_compared_and_no_fault() -> None:
    desk = Desk()
    desk.pairing.show()
    assert desk.pairing.refusal("٠٠٠٠") == wrong(4)
    assert desk.pairing.refusal("\ud800") == wrong(3)
    assert desk.pairing.refusal("") == wrong(2)
