"""Exact cover with option bitsets: branches on the item with the fewest options left."""
