"""What a puzzle is. Needs no compiler: nothing here imports numba or anything above this layer."""
