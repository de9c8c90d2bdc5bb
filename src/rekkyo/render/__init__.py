"""Pure functions from a solution to something to look at. Never searches."""
