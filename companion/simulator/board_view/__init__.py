"""The drawing of the board and its LEDs in the terminal, and its widget."""
