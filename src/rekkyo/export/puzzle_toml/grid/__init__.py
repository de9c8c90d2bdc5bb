"""`kind = "grid"`: a value in every cell of a board, with constraints. See `reader.py`."""
