"""Engines for colourings; they share `search_engine` and `least`."""
