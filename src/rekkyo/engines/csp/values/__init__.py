"""Engine `csp-values`."""
