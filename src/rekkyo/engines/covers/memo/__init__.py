"""Engine `cover-memo`."""
