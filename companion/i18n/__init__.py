"""Messages for players: keys, the English sentences, and a catalogue for each language."""
