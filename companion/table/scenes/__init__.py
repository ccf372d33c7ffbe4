"""Scenes: what the LEDs mean at each stage."""
