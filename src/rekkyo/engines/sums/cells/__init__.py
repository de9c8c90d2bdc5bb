"""Sum figures line by line in an order that depends on what was filled; any numbers."""
