"""The command line: one module for each command, put together in main.py, and what they share."""
