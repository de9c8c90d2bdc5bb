"""The few kinds of constraints that the kernel propagates; `rewriting` turns all others into them."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TypeAlias

import numpy as np
from numpy.typing import NDArray

from rekkyo.model.csp.constraints import Clause, Variable


@dataclass(frozen=True, slots=True)
class Rows:
    """The variables, all different ones, have the values of one of the rows."""

    variables: tuple[Variable, ...]
    rows: tuple[tuple[int, ...], ...]


@dataclass(frozen=True, slots=True)
class Different:
    """No two of the variables, each plus its shift, have the same value, except for excepted ones."""

    variables: tuple[Variable, ...]
    shifts: tuple[int, ...]
    excepted: tuple[int, ...] = ()


@dataclass(frozen=True, slots=True)
class Permutation:
    """Each value that is possible for one of the variables is the value of one; they are different, too."""

    variables: tuple[Variable, ...]


@dataclass(frozen=True, slots=True)
class Weighted:
    """A linear constraint without zeros and repetitions, which holds if variable `when` has value `at`.

    when: None for a constraint that always holds. relation: as in `Linear`.
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
        """The same as a sum."""
        return Weighted((1, 1, -self.sign), (self.one, self.other, self.total), "=", self.constant)


@dataclass(frozen=True, slots=True)
class Chosen:
    """From `low` to `high` of the variables, each of which is 0 or 1, have the value named beside it."""

    variables: tuple[Variable, ...]
    values: tuple[int, ...]
    low: int
    high: int


@dataclass(frozen=True, slots=True)
class Same:
    """Two variables are equal just when `truth` has the value `at`."""

    one: Variable
    other: Variable
    truth: Variable
    at: int


@dataclass(frozen=True, slots=True)
class Counted:
    """As many variables as `times` says have one of the values; a variable may come several times."""

    variables: tuple[Variable, ...]
    values: tuple[int, ...]
    times: Variable


@dataclass(frozen=True, slots=True)
class Tallied:
    """Each value comes as often among the variables, all different ones, as the variable beside it says."""

    variables: tuple[Variable, ...]
    values: tuple[int, ...]
    times: tuple[Variable, ...]


@dataclass(frozen=True, slots=True)
class Entry:
    """array[index - first] = result."""

    index: Variable
    array: tuple[Variable, ...]
    result: Variable
    first: int


@dataclass(frozen=True, slots=True)
class Inverses:
    """f[i] = j just when g[j] = i, counted from `first`. So it is with the values that are possible."""

    f: tuple[Variable, ...]
    g: tuple[Variable, ...]
    first: int


@dataclass(frozen=True, slots=True)
class Cycle:
    """Successors, which are all different, make no cycle but one through all nodes.

    subcircuit: nodes that are their own successors may stay out of it.
    """

    successors: tuple[Variable, ...]
    first: int
    subcircuit: bool


@dataclass(frozen=True, slots=True)
class Together:
    """The cells with one of the values are connected."""

    variables: tuple[Variable, ...]
    edges: tuple[tuple[int, int], ...]
    values: tuple[int, ...]


@dataclass(frozen=True, slots=True)
class Sized:
    """Each area of cells with the value has from `low` to `high` cells."""

    variables: tuple[Variable, ...]
    edges: tuple[tuple[int, int], ...]
    value: int
    low: int
    high: int


@dataclass(frozen=True, slots=True, eq=False)
class Images:
    """The row of the variables is not greater than its images under some symmetries.

    sources : int64[n_elements, n_variables * n_values]. The atom that an element brings to each atom. An atom
              is the place of a variable times the number of values, plus that of a value among `values`.
    """

    variables: tuple[Variable, ...]
    values: tuple[int, ...]
    sources: NDArray[np.int64]


@dataclass(frozen=True, slots=True)
class Stacked:
    """Each variable lies on `length` places from its value on, and weighs `height` there.

    On none of the places from `first` to before `stop` lies more than `capacity`; is_full: and nothing less.
    """

    variables: tuple[Variable, ...]
    lengths: tuple[int, ...]
    heights: tuple[int, ...]
    capacity: int
    first: int
    stop: int
    is_full: bool


Part: TypeAlias = (
    Rows
    | Different
    | Permutation
    | Weighted
    | Added
    | Chosen
    | Same
    | Counted
    | Tallied
    | Entry
    | Inverses
    | Cycle
    | Together
    | Sized
    | Images
    | Stacked
    | Clause
)
