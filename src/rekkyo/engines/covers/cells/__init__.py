"""Engine `cover-cells`: dancing cells for every exact cover of any size."""
