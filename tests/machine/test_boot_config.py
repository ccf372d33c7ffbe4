"""What config.txt of the firmware says about pin 5."""

from __future__ import annotations

import pytest

from companion.machine.boot_config import shutdown_pin, uses_i2c


@pytest.mark.parametrize(
    ("text", "pin"),
    [
        ("", None),
        ("dtoverlay=gpio-shutdown", 3),
        ("dtparam=audio=on\r\n  dtoverlay = gpio-shutdown , gpio_pin=21  # mine\r\n", 21),
        ("dtoverlay=gpio-shutdown,debounce=1000\n", 3),
        ("dtoverlay=gpio-shutdown,gpio_pin=x\n", 3),
        ("#dtoverlay=gpio-shutdown\n", None),
        ("dtoverlay=gpio-shutdown-x\ndtparam=gpio-shutdown\n", None),
        ("dtoverlay\n=\n", None),
    ],
)
def test_pin_of_the_shutdown_button(text: str, pin: int | None) -> None:
    assert shutdown_pin(text) == pin


@pytest.mark.parametrize(
    ("text", "is_used"),
    [
        ("dtparam=i2c_arm=on", True),
        ("dtparam=spi=on,i2c_arm=on\n", True),
        ("dtparam=i2c\n", True),
        ("dtparam=i2c1=on\n", True),
        ("dtoverlay=i2c-rtc,ds3231\n", True),
        ("dtoverlay=i2c1-pi5\n", True),
        ("dtparam=i2c_arm=on\ndtparam=i2c_arm=off\n", False),
        ("#dtparam=i2c_arm=on\n", False),
        ("dtparam=i2c_arm_baudrate=400000\n", False),
        ("dtparam=i2c_vc=on\ndtoverlay=i2c-gpio\ndtoverlay=i2c0\n", False),
        ("", False),
    ],
)
def test_whether_the_i2c_bus_is_on(text: str, is_used: bool) -> None:
    assert uses_i2c(text) == is_used
