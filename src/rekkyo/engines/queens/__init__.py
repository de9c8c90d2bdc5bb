"""Engines for queens."""
