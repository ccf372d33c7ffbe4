"""Helpers that stand in for a machine: files, commands, systemd and udev."""
