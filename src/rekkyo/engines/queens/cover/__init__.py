"""Engine `queens-cover`: queens as an exact cover, a second way for every queens model."""
