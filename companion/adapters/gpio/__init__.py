"""The buttons and die keys on the GPIO pins of a Raspberry Pi."""
