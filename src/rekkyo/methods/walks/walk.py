"""What a walk is: a search that says after each decision what happened, in terms of the atoms of a row.

    place    an atom is put down: a node
    clash    an atom was looked at and does not go with those that are there
    stuck    some place of the board has nothing left that fits
    lift     the last atom is taken up again
    found    what is on the board is a solution, which stands for `weight` solutions
    reject   a complete board was looked at and turned away

Walks are made to be watched, not to be quick; `tests/methods/test_walks.py` checks them by brute force.
"""

from __future__ import annotations

from collections.abc import Callable, Generator
from dataclasses import dataclass
from typing import Any, Literal, NamedTuple, TypeAlias

from rekkyo.model.row import Atom

Kind: TypeAlias = Literal["place", "clash", "stuck", "lift", "found", "reject"]


class Move(NamedTuple):
    """atom: which one, or -1. because: the atoms on the board that are the reason. words: the reason.

    at: the position that is stuck; of a cover, the item.
    """

    kind: Kind
    atom: Atom = -1
    because: tuple[Atom, ...] = ()
    words: str = ""
    weight: int = 0
    at: int = -1


Moves: TypeAlias = Generator[Move, bool | None, None]
"""Whoever sends True after a `place` does not want to see what is below it: the `lift` comes next."""

FOUND = Move("found", weight=1)


@dataclass(frozen=True, slots=True)
class Way:
    """One way to search a model. name: unlike that of any other way of the model."""

    name: str
    title: str
    explanation: str
    walk: Callable[[Any], Moves]
