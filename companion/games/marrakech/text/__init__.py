"""Text forms of positions and games."""
