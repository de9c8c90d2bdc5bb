"""Sum figures cell by cell in a fixed order, numbers as bits of one word."""

from rekkyo.engines.sums.lines.engine import SumLines

__all__ = ["SumLines"]
