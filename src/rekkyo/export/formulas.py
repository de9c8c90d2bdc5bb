"""Every model that has a formula, and the clause that rules one solution out.

A blocking clause says that a solution is not the one: some literal of it does not hold. Where no solution can
contain another one, it is enough to name what is chosen; else it names what is not chosen as well.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import singledispatch

from rekkyo.export import cnf_cover, cnf_queens
from rekkyo.export.cnf import Clause, atom_literal, cnf_of, dimacs
from rekkyo.model.coloring import Coloring
from rekkyo.model.exact_cover import ExactCover
from rekkyo.model.lower import lower
from rekkyo.model.packing import Packing
from rekkyo.model.puzzle import Model
from rekkyo.model.queens import Queens

__all__ = ["blocking_clause", "cnf_cover", "cnf_of", "cnf_queens", "dimacs"]


@singledispatch
def blocking_clause(model: Model, row: Sequence[int]) -> Clause:
    """The clause that holds for every solution but this one."""
    raise TypeError(f"models of type {type(model).__name__} have no formula")


@blocking_clause.register
def _coloring(model: Coloring, row: Sequence[int]) -> Clause:
    return tuple(-atom_literal(model, cell, color) for cell, color in enumerate(row))


@blocking_clause.register
def _queens(model: Queens, row: Sequence[int]) -> Clause:
    return tuple(-(model.n * line + column + 1) for line, column in enumerate(row))


@blocking_clause.register
def _cover(model: ExactCover, row: Sequence[int]) -> Clause:
    n_options = len(model.options)
    chosen = {option for option in row if option < n_options}
    clause = tuple(-(option + 1) for option in sorted(chosen))
    # Every option covers a primary item, so one more of them covers some item once too often.
    if all(low == high for low, high in model.bounds):
        return clause
    return clause + tuple(option + 1 for option in range(n_options) if option not in chosen)


@blocking_clause.register
def _packing(model: Packing, row: Sequence[int]) -> Clause:
    return blocking_clause(lower(model), row)
