"""Named puzzles with their sources and published counts."""
