"""Helpers for tests of the phone page."""
