"""Engines for constraint satisfaction problems: `propagating` is the fast one, `plain` checks its counts."""
