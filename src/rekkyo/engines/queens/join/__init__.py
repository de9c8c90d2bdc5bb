"""Counting plain queens boards by joining quadrants."""

from rekkyo.engines.queens.join.engine import QueensJoin

__all__ = ["QueensJoin"]
