"""One file for each question: count, counts, solve, clues, orbits, estimate, sample, diagram."""
