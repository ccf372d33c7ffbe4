"""Hardware at arm's length: the real thing, and virtual twins that answer to the same bytes."""
