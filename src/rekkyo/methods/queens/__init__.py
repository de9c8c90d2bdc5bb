"""Seven textbook techniques for n queens; `ladder.py` lists them in order."""

from rekkyo.methods.queens.drawing import framed_board, numbered_board
from rekkyo.methods.queens.ladder import QUEENS_METHODS

__all__ = ["QUEENS_METHODS", "framed_board", "numbered_board"]
