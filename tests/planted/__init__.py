"""Faults planted into a copy of the sources, one after the other: do the tests find them?"""
