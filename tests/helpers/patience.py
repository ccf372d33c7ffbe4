"""The timeout of tests that wait for an event. Long enough for a very busy machine."""

PATIENCE_S = 300.0
