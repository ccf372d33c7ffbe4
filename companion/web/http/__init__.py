"""HTTP: connections, limits, sessions, streams and JSON."""
