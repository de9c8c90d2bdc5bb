"""Magic squares of order 5: which five-sets can be rows, columns and diagonals together."""

from rekkyo.engines.sums.magic5.engine import MagicLineLists, MagicLineSets

__all__ = ["MagicLineLists", "MagicLineSets"]
