"""Engine `csp`: backtracking with propagation."""
