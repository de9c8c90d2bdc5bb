"""Engine `queens-join`: counts the solutions of flat boards by joining quadrants or halves."""
