"""The types of walks. A walk is a search that yields what it does, move by move. A move names atoms of a row.

    place    an atom is placed; this is a node
    clash    an atom was tried and conflicts with placed ones
    stuck    no atom is left for some place of the board
    lift     the last atom is removed
    found    the board is a solution, which represents `weight` solutions
    reject   a complete board was checked and rejected

Walks are for viewing, and are slow. `tests/methods/test_walks.py` checks them by brute force.
"""

from __future__ import annotations

from collections.abc import Callable, Generator
from dataclasses import dataclass
from typing import Any, Literal, NamedTuple, TypeAlias

from rekkyo.model.row import Atom

Kind: TypeAlias = Literal["place", "clash", "stuck", "lift", "found", "reject"]


class Move(NamedTuple):
    """atom: the one that the move is about, or -1. because: the atoms on the board that are the reason.

    words: the reason in words. at: the position that is stuck; of a cover, the item.
    """

    kind: Kind
    atom: Atom = -1
    because: tuple[Atom, ...] = ()
    words: str = ""
    weight: int = 0
    at: int = -1


Moves: TypeAlias = Generator[Move, bool | None, None]
"""If True is sent after a `place`, the search below it is skipped, and its `lift` comes next."""

FOUND = Move("found", weight=1)


@dataclass(frozen=True, slots=True)
class Way:
    """One way to search a model. name: unique among the ways of the model."""

    name: str
    title: str
    explanation: str
    walk: Callable[[Any], Moves]
