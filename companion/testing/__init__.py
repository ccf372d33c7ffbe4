"""Virtual time and fault injection, shared by scenarios, `play` and tests."""
