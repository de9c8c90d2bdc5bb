"""Engine `csp-plain`: backtracking that checks constraints by their definition."""
