"""The virtual pad of the companion and the pad in C are twins: the same bytes, the same light."""

from __future__ import annotations

from ctypes import byref

from helpers.pad.client import ack, frame, hello, state
from helpers.pad.library import KEYS, Dice, Library, Pad
from hypothesis import given
from hypothesis import strategies as st

from companion.pad.padside import VirtualPadLogic

sessions = st.integers(0, 2)
frames = st.one_of(
    st.builds(hello, sessions, st.integers(0, 2)),
    st.builds(ack, sessions, st.integers(0, 20)),
    st.builds(state, sessions, st.integers(0, 2), st.integers(0, 3), st.integers(0, 3)),
    st.builds(frame, st.integers(0, 255), st.integers(0, 255), st.binary(max_size=16)),
    st.binary(max_size=4).filter(lambda data: b"\x7e" not in data),
)
# A key that changes, a frame that comes; and how long it is until the next.
happenings = st.lists(st.tuples(st.integers(1, KEYS) | frames, st.integers(1, 400)), max_size=60)


@given(happenings, st.integers(0, 0xFFFFFFFF))
def test_the_virtual_pad_is_the_pad(
    library: Library, told: list[tuple[int | bytes, int]], chance: int
) -> None:
    dice = Dice()
    library.c.dice_init(byref(dice))
    library.c.dice_stir(byref(dice), chance)
    pad = Pad(library, boots=9)
    pad.stir(chance)
    twin = VirtualPadLogic(
        0, lambda: int(library.c.dice_roll(byref(dice))), board=b"\xde\xad\xbe\xef", boots=9
    )
    alive = frame(0x55, 0, b"")  # no message, but heard: the link is never lost
    for what, ms in [(hello(1), 1), *told]:
        now = pad.now_ms + 1  # when the pad looks next
        if isinstance(what, int):
            pad.contacts ^= 1 << (what - 1)
            is_down = pad.contacts >> (what - 1) & 1
            (twin.press if is_down else twin.release)(what, now)
        for _ in range(ms):
            (lit,) = pad.wait(1)
            twin.pass_time(pad.now_ms)
            assert lit == twin.led(pad.now_ms)
        for data in (what if isinstance(what, bytes) else b"", alive):
            pad.hear(data)
            twin.receive(data, pad.now_ms)
        assert b"".join(pad.said()) == twin.to_send()
