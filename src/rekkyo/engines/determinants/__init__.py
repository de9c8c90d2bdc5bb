"""Counts that are determinants: perfect matchings of planar graphs, and spanning trees.

No solution is searched, so a count takes time that grows with a power of the size: all domino tilings of
100x100 squares, a number of 1,265 digits, take seconds.
"""
