"""Names that say where something is: `row,column`, or `layer,row,column`."""

from __future__ import annotations


def place_named(name: str, max_digits: int = 8) -> tuple[int, ...]:
    """The numbers of a name such as 0,3; nothing for other names, and for longer numbers."""
    parts = name.split(",")
    are_numbers = all(part.isascii() and part.isdigit() and len(part) <= max_digits for part in parts)
    return tuple(map(int, parts)) if are_numbers else ()
