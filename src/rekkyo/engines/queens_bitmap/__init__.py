"""Queens row by row with bit masks: lists solutions in lexicographic order."""

from rekkyo.engines.queens_bitmap.engine import QueensBitmap

__all__ = ["QueensBitmap"]
