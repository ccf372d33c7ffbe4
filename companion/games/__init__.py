"""The games that this table can play: one package each, rules only."""
