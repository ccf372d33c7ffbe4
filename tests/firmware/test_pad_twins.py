"""The virtual pad of the companion and the pad in C behave the same."""

from __future__ import annotations

from ctypes import byref

from helpers.pad.client import ack, frame, hello, state
from helpers.pad.library import KEYS, Dice, Library, Pad
from hypothesis import given
from hypothesis import strategies as st

from companion.pad.virtual_pad import VirtualPadLogic

sessions = st.integers(0, 2)
frames = st.one_of(
    st.builds(hello, sessions, st.integers(0, 2)),
    st.builds(ack, sessions, st.integers(0, 20)),
    st.builds(state, sessions, st.integers(0, 2), st.integers(0, 3), st.integers(0, 3)),
    st.builds(frame, st.integers(0, 255), st.integers(0, 255), st.binary(max_size=16)),
    st.binary(max_size=4).filter(lambda data: b"\x7e" not in data),
)
# A key that changes or a frame that arrives, and the time until the next event.
random_events = st.lists(st.tuples(st.integers(1, KEYS) | frames, st.integers(1, 400)), max_size=60)


@given(random_events, st.integers(0, 0xFFFFFFFF))
def test_the_virtual_pad_sends_the_same_bytes_and_shows_the_same_light(
    library: Library, events: list[tuple[int | bytes, int]], noise_seed: int
) -> None:
    dice = Dice()
    library.c.dice_init(byref(dice))
    library.c.dice_stir(byref(dice), noise_seed)
    pad = Pad(library, boots=9)
    pad.stir(noise_seed)
    virtual = VirtualPadLogic(
        0, lambda: int(library.c.dice_roll(byref(dice))), board=b"\xde\xad\xbe\xef", boots=9
    )
    alive = frame(0x55, 0, b"")  # not a message, but it keeps the link alive
    for event, ms in [(hello(1), 1), *events]:
        now = pad.now_ms + 1  # when the pad samples next
        if isinstance(event, int):
            pad.contacts ^= 1 << (event - 1)
            is_down = pad.contacts >> (event - 1) & 1
            (virtual.press if is_down else virtual.release)(event, now)
        for _ in range(ms):
            (lit,) = pad.wait(1)
            virtual.pass_time(pad.now_ms)
            assert lit == virtual.is_led_on(pad.now_ms)
        for data in (event if isinstance(event, bytes) else b"", alive):
            pad.receive(data)
            virtual.receive(data, pad.now_ms)
        assert b"".join(pad.take_sent()) == virtual.data_to_send()
