"""The guided test of LEDs, buttons and pad keys: `marrakech doctor --walk`."""
