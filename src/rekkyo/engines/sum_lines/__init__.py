"""Sum figures cell by cell in a fixed order, numbers as bits of one word."""

from rekkyo.engines.sum_lines.engine import SumLines

__all__ = ["SumLines"]
