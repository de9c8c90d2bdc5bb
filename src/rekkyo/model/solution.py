"""A solution: its row, a tuple of whole numbers, that knows which puzzle it solves.

Solutions of a puzzle have a class of their own that holds the puzzle, so that each takes no more memory than
a tuple; making one takes 0.05 us longer. Pickled or copied, it is a tuple.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from rekkyo.model.puzzle import Puzzle


class Solution(tuple[int, ...]):
    """The row of a solution. Equal to a tuple with the same numbers."""

    __slots__ = ()
    puzzle: Puzzle

    def __reduce__(self) -> tuple[type, tuple[Any, ...]]:
        return tuple, (tuple(self),)


def solutions_of(puzzle: Puzzle) -> type[Solution]:
    """What makes solutions of a puzzle from rows."""
    return type("Solution", (Solution,), {"__slots__": (), "puzzle": puzzle, "__doc__": Solution.__doc__})
