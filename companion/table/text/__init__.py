"""Messages for players: prompts, news, and how to restore the cardboard."""
