"""Reads instances in XCSP3."""
