"""All ladders of methods. A ladder is found by the name of its puzzle family."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import TypeAlias

from rekkyo.errors import UnknownPuzzle, fix_for_name
from rekkyo.methods import hip
from rekkyo.methods.hip import HIP_METHODS
from rekkyo.methods.ladder import Method
from rekkyo.methods.magic import MAGIC_METHODS, numbered_square
from rekkyo.methods.queens import QUEENS_METHODS, numbered_board

Picture: TypeAlias = Callable[[int, Sequence[int], bool], str]
"""Draws a solution from its number, its row, and whether the picture is transposed (see `Method`)."""


@dataclass(frozen=True, slots=True)
class Ladder:
    """The methods of a family, simplest first.

    largest: the greatest size that is accepted. A search of this size need not end in practice.
    sizes: those of the menu. Every method finishes the first of them soon.
    """

    family: str
    heading: str
    methods: tuple[Method, ...]
    picture: Picture
    largest: int
    sizes: str


LADDERS: tuple[Ladder, ...] = (
    Ladder("queens", "N queens", QUEENS_METHODS, numbered_board, 64, "4..10"),
    Ladder("magic-square", "Magic squares of order N", MAGIC_METHODS, numbered_square, 16, "3..5"),
    Ladder("hip", "Hip on N x N squares, both colours balanced", HIP_METHODS, hip.numbered_board, 16, "4..7"),
)


def ladder_for(family: str) -> Ladder:
    """The ladder of a family. Raises UnknownPuzzle, with the nearest name."""
    ladders = {ladder.family: ladder for ladder in LADDERS}
    if family not in ladders:
        raise UnknownPuzzle(f'there are no methods for "{family}"; {fix_for_name(family, list(ladders))}')
    return ladders[family]
