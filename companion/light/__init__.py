"""Scenes become frames: pattern and motion first, colour second. No I/O, no clock of its own."""
