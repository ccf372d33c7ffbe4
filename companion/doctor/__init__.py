"""`marrakech doctor`: checks a Raspberry Pi, and says how to fix what is wrong."""
