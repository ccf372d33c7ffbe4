"""Journals, the archive and exports: how games are stored on disk."""
