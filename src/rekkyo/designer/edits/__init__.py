"""Strokes and clicks of the page as changes of the TOML text; `changes.py` has them by name."""
