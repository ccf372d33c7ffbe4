"""The screen of `marrakech play`: a Textual app for a table with virtual hardware."""
