"""One module per command, each with `add_arguments` and `run`."""
