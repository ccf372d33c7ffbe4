"""Helpers that drive a table: by inputs, virtual hardware, the control socket or the screen."""
