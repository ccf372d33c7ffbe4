"""The one process that runs a table: config, journal, wiring, loop."""
