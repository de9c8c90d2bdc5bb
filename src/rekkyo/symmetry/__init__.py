"""Symmetry groups as permutations of atoms, which act on the rows of every model in the same way."""
