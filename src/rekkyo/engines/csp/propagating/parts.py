"""The kinds of constraints that the kernel propagates. `rewriting` turns all others into them.

Some constraints of models are parts without a change. The rewriting has then made the domains of an `Inverse`
agree, and has added a part for the successors of a `Circuit`, which are all different.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TypeAlias

import numpy as np
from numpy.typing import NDArray

from rekkyo.model.csp.constraints import (
    Acyclic,
    Circuit,
    Clause,
    Connected,
    Count,
    Element,
    Inverse,
    Variable,
)
from rekkyo.symmetry.least_tables import LeastTables


@dataclass(frozen=True, slots=True)
class Rows:
    """The variables have the values of one of the rows. No variable is repeated."""

    variables: tuple[Variable, ...]
    rows: tuple[tuple[int, ...], ...]


@dataclass(frozen=True, slots=True)
class Different:
    """The sums of each variable and its shift are all different; sums that are excepted may be equal."""

    variables: tuple[Variable, ...]
    shifts: tuple[int, ...]
    excepted: tuple[int, ...] = ()


@dataclass(frozen=True, slots=True)
class Permutation:
    """Each value that some variable can have is the value of exactly one variable."""

    variables: tuple[Variable, ...]


@dataclass(frozen=True, slots=True)
class Weighted:
    """A linear constraint that must hold if the variable `when` has the value `at`.

    No coefficient is 0, and no variable is repeated. when: None for a constraint that must always hold.
    relation: as in `Linear`.
    """

    coefficients: tuple[int, ...]
    variables: tuple[Variable, ...]
    relation: str
    constant: int
    when: Variable | None = None
    at: int = 0


@dataclass(frozen=True, slots=True)
class Added:
    """one + other = sign * total + constant, sign 1 or -1; the domain of each spans at most 64 values."""

    one: Variable
    other: Variable
    total: Variable
    sign: int
    constant: int

    @property
    def weighted(self) -> Weighted:
        """The same constraint as a linear one."""
        return Weighted((1, 1, -self.sign), (self.one, self.other, self.total), "=", self.constant)


@dataclass(frozen=True, slots=True)
class Chosen:
    """At least `low` and at most `high` variables have their value of `values`; all domains are {0, 1}."""

    variables: tuple[Variable, ...]
    values: tuple[int, ...]
    low: int
    high: int


@dataclass(frozen=True, slots=True)
class Same:
    """Two variables are equal if and only if `truth`, a third one, has the value `at`."""

    one: Variable
    other: Variable
    truth: Variable
    at: int


@dataclass(frozen=True, slots=True)
class Tallied:
    """The number of variables that have a value is equal to its variable of `times`, for each value.

    No variable is repeated in `variables`.
    """

    variables: tuple[Variable, ...]
    values: tuple[int, ...]
    times: tuple[Variable, ...]


@dataclass(frozen=True, slots=True)
class Sized:
    """Each connected area of cells with the value has at least `low` and at most `high` cells."""

    variables: tuple[Variable, ...]
    edges: tuple[tuple[int, int], ...]
    value: int
    low: int
    high: int


@dataclass(frozen=True, slots=True)
class Hidden:
    """A circuit whose successors are found after other variables: its blocks are looked for."""

    circuit: Circuit


@dataclass(frozen=True, slots=True, eq=False)
class Images:
    """The row of the variables is not greater than its images under some symmetries.

    sources : int64[n_elements, n_variables * n_values]. For each atom the atom that an element maps to it. An
              atom is the index of a variable times the number of values, plus the index of a value.
    """

    variables: tuple[Variable, ...]
    values: tuple[int, ...]
    sources: NDArray[np.int64]


@dataclass(frozen=True, slots=True, eq=False)
class Least:
    """The row of the variables is the least one of its orbit under a large group."""

    variables: tuple[Variable, ...]
    values: tuple[int, ...]
    tables: LeastTables


@dataclass(frozen=True, slots=True, eq=False)
class LeastSet:
    """The variables that are 1 are the least set of its orbit under a large group; all domains are {0, 1}.

    n_most: the most variables that are 1 in a solution.
    """

    variables: tuple[Variable, ...]
    n_most: int
    tables: LeastTables


@dataclass(frozen=True, slots=True)
class Stacked:
    """Each variable covers its length in places, from its value on, with its height.

    On each place p with first <= p < stop the sum of the heights is at most `capacity`, or, if is_full,
    exactly `capacity`.
    """

    variables: tuple[Variable, ...]
    lengths: tuple[int, ...]
    heights: tuple[int, ...]
    capacity: int
    first: int
    stop: int
    is_full: bool


Quick: TypeAlias = Rows | Different | Permutation | Weighted | Added | Chosen
"""Tables, different values and sums. A kernel for these parts alone is compiled in half the time."""

AsTheyAre: TypeAlias = Count | Element | Inverse | Circuit | Connected | Acyclic | Clause
"""Constraints of models that are parts."""

Part: TypeAlias = Quick | Same | Tallied | Sized | Hidden | Images | Least | LeastSet | Stacked | AsTheyAre
