"""A companion for the board game Marrakech, played with the real box."""

__version__ = "1.0.0"
