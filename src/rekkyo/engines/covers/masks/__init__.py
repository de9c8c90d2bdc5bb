"""Engine `cover-masks`: covers the first uncovered item, with options as bit masks."""
