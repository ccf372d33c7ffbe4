"""Views of games: history, archive, standings, odds, coins and the final picture."""
