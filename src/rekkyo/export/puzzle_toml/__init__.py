"""Puzzles written down as TOML files. Reading begins in `reader.py`; there is a file for each kind."""
