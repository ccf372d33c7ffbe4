"""The phone page: a web server in a process of its own. The table runs without it."""
