"""What players read: message keys over one catalogue for each language."""
