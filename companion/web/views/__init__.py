"""What pages show: history, archive, standings, odds, coins and the final picture."""
