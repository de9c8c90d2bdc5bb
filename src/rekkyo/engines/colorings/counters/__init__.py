"""Every colouring: counters on forbidden patterns, any number of cells."""
