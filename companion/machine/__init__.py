"""The machine the companion runs on: one port for `doctor` and `install`. Standard library only."""
