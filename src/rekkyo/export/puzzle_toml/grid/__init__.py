"""`kind = "grid"`: a value in every cell of a board, under clauses that say what holds. See `reader.py`."""
