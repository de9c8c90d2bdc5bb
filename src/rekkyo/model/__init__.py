"""Puzzles and models. They need no compiler: nothing here imports numba or anything above this layer."""
