"""First uncovered item with a list of bit masks: fillings with short tiles."""
