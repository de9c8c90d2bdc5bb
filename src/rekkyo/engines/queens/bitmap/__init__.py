"""Queens row by row with bit masks: lists solutions in lexicographic order."""

from rekkyo.engines.queens.bitmap.engine import QueensBitmap

__all__ = ["QueensBitmap"]
