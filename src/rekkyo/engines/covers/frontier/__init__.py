"""Engine `cover-frontier`."""
