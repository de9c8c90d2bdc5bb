"""Four textbook techniques for magic squares; `ladder.py` lists them in order."""

from rekkyo.methods.magic.ladder import MAGIC_METHODS, numbered_square

__all__ = ["MAGIC_METHODS", "numbered_square"]
