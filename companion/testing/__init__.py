"""Test doubles shared by scenarios, `play` and tests: virtual time, fault injection, recording."""
