"""A program that holds GPIO lines until its input is closed: python line_holder.py CHIP PIN..."""

from __future__ import annotations

import sys
from importlib import import_module


def main(chip: str, *pins: str) -> None:
    lgpio = import_module("lgpio")
    handle = lgpio.gpiochip_open(int(chip))
    for pin in pins:
        lgpio.gpio_claim_input(handle, int(pin))
    print("holding", flush=True)
    sys.stdin.read()


if __name__ == "__main__":
    main(*sys.argv[1:])
