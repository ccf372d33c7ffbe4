"""What the table shows and says. No I/O."""
