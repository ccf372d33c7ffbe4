"""The terminal game of `marrakech hotseat`."""
