"""Engines for sum figures."""
