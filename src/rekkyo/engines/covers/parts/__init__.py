"""Exact cover as a choice of one option from each part, with arc consistency between the parts."""
