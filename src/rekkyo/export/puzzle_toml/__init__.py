"""Puzzles as TOML files. `reader.py` is the entry point of the reader; each kind has a file."""
