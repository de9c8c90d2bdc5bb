"""Exact cover with option bitsets: branches on the item with the fewest options left."""

from rekkyo.engines.covers.bitset.engine import CoverBitset

__all__ = ["CoverBitset"]
