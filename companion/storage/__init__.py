"""Journals and the archive on disk."""
