"""Runs that are killed, files that are changed and readers that are fed nonsense, at random from a seed."""
