"""Engines for colourings, with the shared modules `search_engine` and `least`."""
