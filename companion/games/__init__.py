"""The games of this table, one package each, pure: no I/O, no clock, no dice of their own."""
