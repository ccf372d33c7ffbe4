"""Installing the companion on a Raspberry Pi. Standard library only: there is no .venv yet."""
