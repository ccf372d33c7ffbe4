"""Helpers for tests of the rules: reference implementation and sample games."""
