"""Constraint satisfaction problems: the model, its constraints, and what they mean."""
