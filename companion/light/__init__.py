"""Rendering scenes as LED frames over time. No I/O; times are passed in."""
