"""The laptop's face of the virtual table."""
