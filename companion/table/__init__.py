"""The table without I/O: stages, inputs, journal entries, scenes and messages."""
