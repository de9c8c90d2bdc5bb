"""Every other model as a `Csp` with the same solutions.

Models BY_POSITION keep their rows: the variables of the solution are the positions, in order, and their
domains are such that value v of a row is the v-th number. Models BY_OPTION get a variable for each option,
1 for a chosen one, so that a row is the list of variables that are 1.
"""

from __future__ import annotations

from collections.abc import Iterator
from functools import singledispatch
from itertools import combinations

from rekkyo.errors import BadModel
from rekkyo.model.checks import check_size
from rekkyo.model.coloring import Coloring
from rekkyo.model.csp import constraints as c
from rekkyo.model.csp.constraints import Constraint, Variable
from rekkyo.model.csp.csp import MAX_VALUES, Csp
from rekkyo.model.exact_cover import ExactCover
from rekkyo.model.figure_sums import common_sums
from rekkyo.model.packing import Packing
from rekkyo.model.puzzle import Model
from rekkyo.model.queens import Queens
from rekkyo.model.sum_figure import SumFigure


@singledispatch
def as_csp(model: Model) -> Csp:
    """The same puzzle as variables and constraints. Raises BadModel for one that is too large for a `Csp`."""
    raise BadModel(f"models of type {type(model).__name__} cannot be stated as a Csp")


@as_csp.register
def _queens(model: Queens) -> Csp:
    n = model.n
    constraints: list[Constraint] = [c.AllDifferent(tuple(range(n)))]
    for one, other in combinations(range(n), 2):
        steps = {other - one, one - other}
        if model.toroidal:
            steps |= {step - n for step in steps} | {step + n for step in steps}
        constraints += [
            c.Linear((1, -1), (one, other), c.NOT_EQUAL, step) for step in sorted(steps) if abs(step) < n
        ]
    constraints += [c.Clause(((row, column, False),)) for row, column in sorted(model.blocked)]
    constraints += [c.Clause(((row, column, True),)) for row, column in sorted(model.given)]
    return Csp(tuple(f"row {r}" for r in range(n)), (tuple(range(n)),) * n, tuple(constraints))


@as_csp.register
def _coloring(model: Coloring) -> Csp:
    n, colors = model.n_cells, tuple(range(model.n_colors))
    constraints: list[Constraint] = [
        c.Clause(tuple((cell, color, False) for cell in cells)) for cells in model.sets for color in colors
    ]
    constraints += [
        c.Clause(tuple((cell, color, False) for cell, color in pattern)) for pattern in model.patterns
    ]
    constraints += [c.Clause(((cell, color, True),)) for cell, color in model.fixed]
    if model.bounds:
        bounds = tuple((color, low, high) for color, (low, high) in enumerate(model.bounds))
        constraints.append(c.GlobalCardinality(tuple(range(n)), bounds))
    names = tuple(f"{row},{column}" for row, column in model.squares) or tuple(map(str, range(n)))
    if len(set(model.names)) == n and all(model.names):
        names = model.names
    return Csp(names, (colors,) * n, tuple(constraints), grid=model.grid)


@as_csp.register
def _sum_figure(model: SumFigure) -> Csp:
    """Variable n is the common sum, hidden."""
    n, sums = len(model.cells), common_sums(model)
    check_size("csp", len(sums), "values of the common sum", MAX_VALUES)  # before they are listed
    constraints: list[Constraint] = [c.AllDifferent(tuple(range(n)))] if sums else [c.Clause(())]
    for line in model.lines:
        ones = (1,) * len(line.cells)
        if line.sum is None:
            constraints.append(c.Linear((*ones, -1), (*line.cells, n), c.EQUAL, 0))
        else:
            constraints.append(c.Linear(ones, line.cells, c.EQUAL, line.sum))
    constraints += [c.Linear((1, -1), order, c.AT_MOST, -1) for order in model.orders]
    constraints += [c.Table((cell,), ((number,),)) for cell, number in sorted(model.given)]
    names = (*model.cells, "~" + "".join(model.cells))
    domains = (*((model.numbers,) * n), tuple(sums) or (0,))
    return Csp(names, domains, tuple(constraints), tuple(range(n)))


@as_csp.register
def _exact_cover(model: ExactCover) -> Csp:
    """A hidden variable for each item and colour says whether an option gives the item that colour."""
    n_options = len(model.options)
    users: list[dict[int, list[int]]] = [{} for _ in (*model.primary, *model.secondary)]
    for number, option in enumerate(model.options):
        for item, color in option:
            users[item].setdefault(color, []).append(number)
    names = [f"option {number}" for number in range(max(1, n_options))]
    constraints: list[Constraint] = [] if n_options else [c.Clause(((0, 1, False),))]
    for item in range(len(model.primary)):
        low, high = model.bounds_of(item)
        constraints += _times(tuple(users[item].get(0, ())), low, high)
    for item in range(len(model.primary), len(users)):
        rivals = users[item].pop(0, [])
        for color, options in sorted(users[item].items()):
            rivals.append(len(names))
            names.append(f"{model.item_name(item)} has colour {color}")
            some = c.Clause(tuple((option, 1, True) for option in options))
            constraints.append(c.Reified(some, rivals[-1]))
        constraints += _times(tuple(rivals), 0, 1)
    solution = tuple(range(max(1, n_options)))
    return Csp(tuple(names), ((0, 1),) * len(names), tuple(constraints), solution)


def _times(variables: tuple[Variable, ...], low: int, high: int) -> Iterator[Constraint]:
    """Between `low` and `high` of the variables are 1."""
    if variables:
        yield c.GlobalCardinality(variables, ((1, low, high),))
    elif low:
        yield c.Clause(())


as_csp.register(Csp, lambda model: model)
as_csp.register(Packing, lambda model: as_csp(model.cover()))
