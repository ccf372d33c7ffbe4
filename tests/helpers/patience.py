"""How long a test waits for something that must happen, before it says that it did not.

Long enough for the busiest machine. Nobody waits that long unless something is wrong.
"""

PATIENCE_S = 300.0
