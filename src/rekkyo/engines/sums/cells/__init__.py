"""Sum figures line by line in a dynamic order; any numbers."""
