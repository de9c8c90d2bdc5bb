"""Engine `csp-frontier`."""
