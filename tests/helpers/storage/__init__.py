"""Helpers for tests of journals and the archive: games on disk and faulty disks."""
