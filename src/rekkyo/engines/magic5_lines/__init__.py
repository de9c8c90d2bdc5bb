"""Magic squares of order 5: which five-sets can be rows, columns and diagonals together."""

from rekkyo.engines.magic5_lines.engine import MagicLineLists, MagicLineSets

__all__ = ["MagicLineLists", "MagicLineSets"]
