"""One file for each question: count, solve, orbits, estimate, sample, diagram."""
