"""Symmetry groups as permutations of atoms, acting on the rows of every model alike."""
