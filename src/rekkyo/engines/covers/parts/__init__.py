"""Exact cover as a choice of one option from each part, with arc consistency between the parts."""

from rekkyo.engines.covers.parts.engine import CoverParts

__all__ = ["CoverParts"]
