"""The wire of the die pad: bytes in, events out."""
