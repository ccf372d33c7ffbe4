"""The page for phones around the table: a process of its own, which the table can do without."""
