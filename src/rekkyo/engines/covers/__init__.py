"""Engines for exact covers, and for packings, which are lowered to exact covers."""
