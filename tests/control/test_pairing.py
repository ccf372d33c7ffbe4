"""Pairing codes: how long they are valid, and how many attempts there are. On a fake clock."""

from __future__ import annotations

from companion.control.pairing import (
    ATTEMPTS_PER_MINUTE,
    MAX_WRONG_ATTEMPTS,
    VALID_S,
    Pairing,
    new_code,
)
from companion.i18n.message import Message, message

NO_CODE, VOID = message("pair.no_code"), message("pair.void")
TOO_MANY = message("pair.too_many")


class PairingHarness:
    """Codes 0000, 0001 and so on, and a fake clock."""

    def __init__(self) -> None:
        self.now_s = 100.0
        codes = (f"{number:04}" for number in range(10_000))
        self.pairing = Pairing(lambda: self.now_s, codes.__next__)

    def try_wrong(self, times: int) -> list[Message | None]:
        return [self.pairing.refusal("9999") for _ in range(times)]


def wrong(left: int) -> Message:
    return message("pair.wrong", count=left)


def test_a_code_pairs_several_phones() -> None:
    harness = PairingHarness()
    code = harness.pairing.show()
    assert [harness.pairing.refusal(code) for _ in range(4)] == [None] * 4


def test_before_a_code_is_shown_none_is_valid() -> None:
    assert PairingHarness().pairing.refusal("0000") == NO_CODE


def test_a_code_is_valid_for_two_minutes() -> None:
    harness = PairingHarness()
    code = harness.pairing.show()
    harness.now_s += VALID_S - 0.001
    assert harness.pairing.refusal(code) is None
    harness.now_s += 0.001
    assert harness.pairing.refusal(code) == NO_CODE
    harness.now_s -= 60
    assert harness.pairing.refusal(code) == NO_CODE, "an expired code stays invalid"


def test_showing_makes_a_new_code_and_the_one_before_is_void() -> None:
    harness = PairingHarness()
    first, second = harness.pairing.show(), harness.pairing.show()
    assert first != second
    assert harness.pairing.refusal(first) == wrong(4)
    harness.now_s += 100
    third = harness.pairing.show()
    harness.now_s += 100
    assert harness.pairing.refusal(third) is None, "it has its own two minutes"


def test_five_wrong_attempts_make_a_code_void_until_a_new_one_is_shown() -> None:
    harness = PairingHarness()
    code = harness.pairing.show()
    assert harness.try_wrong(MAX_WRONG_ATTEMPTS) == [wrong(4), wrong(3), wrong(2), wrong(1), VOID]
    assert harness.pairing.refusal(code) == NO_CODE
    assert harness.pairing.refusal(harness.pairing.show()) is None
    assert harness.try_wrong(1) == [wrong(4)], "a new code has its own attempts"


def test_a_right_attempt_does_not_reset_the_wrong_ones() -> None:
    """Otherwise a paired phone could reset the counter for another one that guesses."""
    harness = PairingHarness()
    code = harness.pairing.show()
    harness.try_wrong(4)
    assert harness.pairing.refusal(code) is None
    assert harness.try_wrong(1) == [VOID]


def test_attempts_are_limited_to_ten_per_minute_over_all_codes() -> None:
    harness = PairingHarness()
    for second in (0, 10):
        harness.now_s = 100.0 + second
        harness.pairing.show()
        harness.try_wrong(MAX_WRONG_ATTEMPTS)
    code = harness.pairing.show()
    assert harness.pairing.refusal(code) == TOO_MANY
    harness.now_s = 159.999
    assert harness.pairing.refusal(code) == TOO_MANY
    harness.now_s = 160.0
    assert harness.pairing.refusal(code) is None, "the first attempts are a minute old"
    assert harness.try_wrong(5) == [wrong(4), wrong(3), wrong(2), wrong(1), TOO_MANY]


def test_right_attempts_count_and_rejected_attempts_do_not() -> None:
    harness = PairingHarness()
    code = harness.pairing.show()
    assert [harness.pairing.refusal(code) for _ in range(ATTEMPTS_PER_MINUTE)] == [
        None
    ] * ATTEMPTS_PER_MINUTE
    for _ in range(100):
        assert harness.pairing.refusal(code) == TOO_MANY
    harness.now_s += 60
    assert harness.pairing.refusal(code) is None


def test_attempts_without_a_valid_code_do_not_count() -> None:
    harness = PairingHarness()
    assert harness.try_wrong(100) == [NO_CODE] * 100
    assert harness.pairing.refusal(harness.pairing.show()) is None


def test_codes_have_four_digits_and_are_random() -> None:
    codes = {new_code() for _ in range(200)}
    assert all(len(code) == 4 and code.isdecimal() and code.isascii() for code in codes)
    assert len(codes) > 150


def test_any_text_can_be_compared() -> None:
    harness = PairingHarness()
    harness.pairing.show()
    assert harness.pairing.refusal("٠٠٠٠") == wrong(4)
    assert harness.pairing.refusal("\ud800") == wrong(3)
    assert harness.pairing.refusal("") == wrong(2)
