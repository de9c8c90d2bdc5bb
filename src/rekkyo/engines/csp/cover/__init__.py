"""Engine `csp-cover`: variables that differ, as an exact cover."""
