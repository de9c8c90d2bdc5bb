"""The data of one solution, for every kind of model.

A solution is a row of `length` small unsigned integers. So that symmetry can act on the rows of every
model in the same way, a row is also a set of *atoms*, numbered 0 … n_atoms - 1, and a symmetry is a
permutation of atoms:

    layout       atom of (position p, value v)   models
    BY_POSITION  p * n_values + v                Queens, Coloring, SumFigure, Csp
    BY_OPTION    v                               ExactCover, Packing

A symmetry of rows BY_POSITION may permute positions and values, or move both at once: a quarter turn of a
queens board makes the old value the new position. Rows BY_OPTION hold option numbers in increasing order. A
row of fewer than `length` options is filled up with the number `n_values`, the *filler*, which is greater
than every option and which no symmetry moves.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from enum import Enum
from math import inf, nan, ulp
from numbers import Real
from operator import index
from typing import Any, TypeAlias

from rekkyo.errors import BadInput
from rekkyo.model.checks import listed, shown

Position: TypeAlias = int
Value: TypeAlias = int
Atom: TypeAlias = int
Row: TypeAlias = tuple[Value, ...]
AtomPermutation: TypeAlias = tuple[Atom, ...]

ABOVE_0 = ulp(0.0)
"""The least float above 0."""


def whole_number(value: Any) -> Any:
    """An integer of any type, such as NumPy's, as an int; every other value unchanged."""
    try:
        return value if isinstance(value, bool) else index(value)
    except TypeError:
        return value


def checked_whole(rule: str, value: Any, least: float = -inf, most: float = inf) -> int:
    """An integer of any type as an int. Raises BadInput with the rule unless it is one within bounds."""
    number = whole_number(value)
    if type(number) is not int or not least <= number <= most:
        raise BadInput(f"{rule}, not {shown(number)}")
    return number


def checked_real(rule: str, value: Any, least: float, most: float) -> float:
    """A real number of any type as a float. Raises BadInput with the rule unless it is one within bounds."""
    try:
        number = float(value) if isinstance(value, Real) and not isinstance(value, bool) else nan
    except OverflowError:
        number = inf
    if not least <= number <= most:
        raise BadInput(f"{rule}, not {shown(value)}")
    return number


def row_values(row: Any) -> list[Any]:
    """The values of a row from Python. Raises BadModel for anything that is not a list of values."""
    values = listed("a solution is a list of whole numbers", row)
    return values if {*map(type, values)} <= {int} else [whole_number(value) for value in values]


class Layout(Enum):
    """How rows map to sets of atoms; see the module docstring."""

    BY_POSITION = "by position"
    BY_OPTION = "by option"


@dataclass(frozen=True, slots=True)
class RowShape:
    """Length, number of values and layout of the rows of a model."""

    length: int
    n_values: int
    layout: Layout

    @property
    def n_atoms(self) -> int:
        """How many atoms a symmetry permutes."""
        return self.length * self.n_values if self.layout is Layout.BY_POSITION else self.n_values

    @property
    def n_symbols(self) -> int:
        """How many different numbers a row can hold: the values, and the filler of BY_OPTION rows."""
        return self.n_values + (self.layout is Layout.BY_OPTION)

    def atoms(self, row: Sequence[int]) -> list[Atom]:
        """The atoms of a row; fillers have none."""
        if self.layout is Layout.BY_OPTION:
            return [value for value in row if value < self.n_values]
        return [position * self.n_values + value for position, value in enumerate(row)]

    def row_of(self, atoms: Sequence[Atom]) -> Row | None:
        """The row that has these atoms, or None if a row has no such atoms together."""
        in_order = sorted(atoms)
        if self.layout is Layout.BY_OPTION:
            return (*in_order, *(self.n_values,) * (self.length - len(in_order)))
        is_whole = [atom // self.n_values for atom in in_order] == list(range(self.length))
        return tuple(atom % self.n_values for atom in in_order) if is_whole else None
