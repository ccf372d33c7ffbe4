"""Helpers for tests of the die pad."""
