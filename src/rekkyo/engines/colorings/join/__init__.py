"""Colourings put together from overlapping parts, for recounts."""
