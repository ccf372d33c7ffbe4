"""The doctor: looks at a Raspberry Pi that runs a table, says what is wrong and what to do."""
