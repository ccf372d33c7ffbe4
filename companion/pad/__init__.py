"""The serial protocol of the die pad, without I/O: bytes in, events out."""
