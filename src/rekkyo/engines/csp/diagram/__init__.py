"""Engine `csp-diagram`."""
