"""The boot counter in an EEPROM that wears out and loses power."""

from __future__ import annotations

from helpers.pad.library import Boots, Library, Slot
from hypothesis import given
from hypothesis import strategies as st

SLOTS = 32


class Eeprom:
    """32 erased slots, some of them worn out."""

    def __init__(self, library: Library, worn: frozenset[int] = frozenset()) -> None:
        self.c = library.c
        self.slots = (Slot * SLOTS)(*[Slot(0xFFFF, 0xFFFF)] * SLOTS)
        self.worn = worn

    def start(self, *, is_cut: bool = False) -> int:
        """One boot. With `is_cut`, power is lost when half of the slot is written."""
        boots: Boots = self.c.boots_next(self.slots)
        slot = boots.slot
        while slot in self.worn:
            slot = (slot + 1) % SLOTS
        self.slots[slot] = Slot(boots.count, 0xFFFF) if is_cut else self.c.boots_slot(boots.count)
        return boots.count


def test_boots_are_counted_from_1_and_the_slots_are_written_in_turn(library: Library) -> None:
    eeprom = Eeprom(library)
    assert [eeprom.start() for _ in range(100)] == list(range(1, 101))
    assert sorted(slot.count for slot in eeprom.slots) == list(range(69, 101))


def test_the_count_wraps_after_65535(library: Library) -> None:
    eeprom = Eeprom(library)
    for index in range(SLOTS):
        eeprom.slots[index] = library.c.boots_slot(65500 + index)
    assert [eeprom.start() for _ in range(8)] == [65532, 65533, 65534, 65535, 0, 1, 2, 3]
    assert [eeprom.start() for _ in range(70)] == list(range(4, 74))


@given(st.lists(st.booleans(), max_size=80), st.frozensets(st.integers(0, SLOTS - 1), max_size=20))
def test_no_count_is_used_twice_with_worn_slots_and_power_cuts(
    library: Library, cuts: list[bool], worn: frozenset[int]
) -> None:
    """A boot that was cut has not used its count."""
    eeprom = Eeprom(library, worn)
    counts = [eeprom.start(is_cut=is_cut) for is_cut in cuts]
    completed = [count for count, is_cut in zip(counts, cuts, strict=True) if not is_cut]
    assert completed == list(range(1, len(completed) + 1))
