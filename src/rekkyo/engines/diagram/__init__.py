"""Diagrams of all solutions of a puzzle."""
