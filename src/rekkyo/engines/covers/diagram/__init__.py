"""Engine `cover-diagram`."""
