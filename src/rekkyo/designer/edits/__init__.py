"""What the page does to a puzzle: strokes and clicks as changes of the TOML text, by name in `changes.py`."""
