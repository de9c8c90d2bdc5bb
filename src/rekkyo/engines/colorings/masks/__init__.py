"""Colourings of at most 64 cells, with bit masks and unit propagation."""
