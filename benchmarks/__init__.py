"""Speed, beside something comparable in the same run."""
