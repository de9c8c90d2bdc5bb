"""Engines for colourings; those that search share `search_engine` and `least`, the joining one neither."""
