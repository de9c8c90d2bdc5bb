"""Pure functions that draw solutions and puzzles. They never search."""
