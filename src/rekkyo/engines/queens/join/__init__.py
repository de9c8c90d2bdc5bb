"""Counting plain queens boards by joining quadrants."""
