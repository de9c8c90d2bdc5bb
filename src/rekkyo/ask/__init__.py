"""One file for each query: count, solve, orbits, estimate, sample, diagram."""
