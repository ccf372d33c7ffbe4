"""Helpers that drive a table: by words, by mock pins, by the control socket."""
