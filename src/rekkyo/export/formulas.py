"""Models as formulas in conjunctive normal form, so that foreign SAT and #SAT solvers can check us.

The solutions are the assignments of the *projection* variables that can be extended to a model. The other
variables are counters; equivalences define them, so that each solution has one extension, and tools without
projection count the same number.

Queens: variable n * row + column + 1 is true for a queen on that square. The clauses come from the rules, not
from the exact cover that an engine searches, so that a certificate does not depend on it.
Exact covers and packings: variable o + 1 is true if option o is chosen. An item with colours has a variable
for each colour, which is true if and only if an option gives it that colour.
Colourings: in two colours one variable for each cell, true for colour 1; else one for each cell and colour,
of which exactly one is true. `cnf.py` counts for bounds.
Constraint satisfaction problems, and sum figures stated as such: `csp_formula.py`. There a hidden variable
may have several values, so that only tools with projection count the same number.

A blocking clause says that some literal of a solution is false. If no solution contains another one, the
chosen options are enough; else the clause also names the options not chosen.
"""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Iterable, Iterator, Sequence
from functools import singledispatch
from itertools import combinations

from rekkyo.errors import BadInput
from rekkyo.export.cnf import MAX_USES, Clause, Cnf, Literal, count, count_between
from rekkyo.export.csp_formula import blocked, formula_of
from rekkyo.model.coloring import Coloring
from rekkyo.model.csp.csp import Csp
from rekkyo.model.csp.restated import as_csp
from rekkyo.model.exact_cover import ExactCover
from rekkyo.model.lower import lower
from rekkyo.model.packing import Packing
from rekkyo.model.puzzle import Model
from rekkyo.model.queens import Queens
from rekkyo.model.sum_figure import SumFigure


@singledispatch
def cnf_of(model: Model) -> Cnf:
    """The formula of a model. Raises BadInput for kinds of models that have none yet."""
    raise BadInput(f"models of type {type(model).__name__} have no DIMACS text yet")


@cnf_of.register
def _coloring(model: Coloring) -> Cnf:
    n, n_colors = model.n_cells, model.n_colors
    n_visible = n if n_colors == 2 else n * n_colors
    clauses = list(_one_color_each(model))
    clauses += [(atom_literal(model, cell, color),) for cell, color in model.fixed]
    in_one_color = (tuple((c, color) for c in cells) for cells in model.sets for color in range(n_colors))
    clauses += [_forbid(model, pattern) for pattern in (*in_one_color, *model.patterns)]
    n_variables = n_visible
    for color, (low, high) in _bounds_to_count(model):
        literals = [atom_literal(model, cell, color) for cell in range(n)]
        n_variables, more = count_between(literals, low, high, n_variables)
        clauses += more
    several = f"variable c * {n_colors} + k + 1: cell c has colour k"
    meaning = "variable v: cell v - 1 has colour 1" if n_colors == 2 else several
    return Cnf(n_variables, tuple(clauses), tuple(range(1, n_visible + 1)), meaning)


def atom_literal(model: Coloring, cell: int, color: int) -> Literal:
    """The literal for a cell with a colour."""
    if model.n_colors == 2:
        return cell + 1 if color else -(cell + 1)
    return cell * model.n_colors + color + 1


def _one_color_each(model: Coloring) -> Iterator[Clause]:
    if model.n_colors == 2:
        return
    for cell in range(model.n_cells):
        literals = tuple(atom_literal(model, cell, color) for color in range(model.n_colors))
        yield literals
        for one, other in combinations(literals, 2):
            yield -one, -other


def _forbid(model: Coloring, pattern: Iterable[tuple[int, int]]) -> Clause:
    return tuple(-atom_literal(model, cell, color) for cell, color in pattern)


def _bounds_to_count(model: Coloring) -> list[tuple[int, tuple[int, int]]]:
    """Colours with effective bounds. Of two colours one is enough, because it determines the other."""
    n = model.n_cells
    if not model.bounds:
        return []
    if model.n_colors == 2:
        (low_0, high_0), (low_1, high_1) = model.bounds
        bounds = [(1, (max(low_1, n - high_0), min(high_1, n - low_0)))]
    else:
        bounds = list(enumerate(model.bounds))
    return [(color, (low, high)) for color, (low, high) in bounds if low > 0 or high < n]


@cnf_of.register
def _cover(model: ExactCover) -> Cnf:
    n_options = len(model.options)
    n_uses = sum(map(len, model.options))
    if n_uses > MAX_USES:
        raise BadInput(f"a formula for {n_uses} items in options is too large; the limit is {MAX_USES}")
    by_color: list[dict[int, list[Literal]]] = [{} for _ in range(len(model.primary) + len(model.secondary))]
    for number, option in enumerate(model.options, start=1):
        for item, color in option:
            by_color[item].setdefault(color, []).append(number)
    n_variables = max(1, n_options)
    # Without an option there is one variable all the same, for the clauses that contradict each other.
    clauses: list[Clause] = [] if n_options else [(-1,)]
    for item in range(len(model.primary)):
        n_variables = count(by_color[item].get(0, []), *model.bounds_of(item), n_variables, clauses)
    for users in by_color[len(model.primary) :]:
        literals = list(users.get(0, []))
        for color in sorted(users.keys() - {0}):
            n_variables += 1
            literals.append(n_variables)
            clauses.append((-n_variables, *users[color]))
            clauses += [(-option, n_variables) for option in users[color]]
        n_variables = count(literals, 0, 1, n_variables, clauses)
    meaning = "variable o + 1: option o is chosen"
    return Cnf(n_variables, tuple(clauses), tuple(range(1, n_options + 1)), meaning)


@cnf_of.register
def _queens(model: Queens) -> Cnf:
    n = model.n
    clauses: list[Clause] = []
    rows = [[_variable(n, row, column) for column in range(n)] for row in range(n)]
    for line in [*rows, *map(list, zip(*rows, strict=True))]:
        clauses.append(tuple(line))
        clauses += [(-one, -other) for one, other in combinations(line, 2)]
    for line in _diagonals(n, toroidal=model.toroidal):
        clauses += [(-one, -other) for one, other in combinations(line, 2)]
    clauses += [(-_variable(n, *square),) for square in sorted(model.blocked)]
    clauses += [(_variable(n, *square),) for square in sorted(model.given)]
    meaning = f"variable {n} * row + column + 1: a queen stands there, rows and columns from 0"
    return Cnf(n * n, tuple(clauses), tuple(range(1, n * n + 1)), meaning)


def _variable(n: int, row: int, column: int) -> int:
    return n * row + column + 1


def _diagonals(n: int, *, toroidal: bool) -> Iterator[list[int]]:
    lines: dict[tuple[bool, int], list[int]] = {}
    for row in range(n):
        for column in range(n):
            for rising, number in ((True, row + column), (False, row - column)):
                line = lines.setdefault((rising, number % n if toroidal else number), [])
                line.append(_variable(n, row, column))
    yield from lines.values()


cnf_of.register(Packing, lambda model: cnf_of(model.cover()))
cnf_of.register(Csp, formula_of)
cnf_of.register(SumFigure, lambda model: formula_of(as_csp(model)))


@singledispatch
def blocking_clause(model: Model, row: Sequence[int]) -> Clause:
    """The clause that is true for every solution except this one."""
    raise TypeError(f"models of type {type(model).__name__} have no formula")


@blocking_clause.register
def _block_csp(model: Csp, row: Sequence[int]) -> Clause:
    values = [model.values[index] for index in row]
    domains = [model.domains[v] for v in model.solution]
    return blocked(domains, map(bisect_left, domains, values))


@blocking_clause.register
def _block_cover(model: ExactCover, row: Sequence[int]) -> Clause:
    n_options = len(model.options)
    chosen = {option for option in row if option < n_options}
    clause = tuple(-(option + 1) for option in sorted(chosen))
    # Every option covers a primary item, so a further option covers some item once too often.
    if all(low == high for low, high in model.bounds):
        return clause
    return clause + tuple(option + 1 for option in range(n_options) if option not in chosen)


blocking_clause.register(Packing, lambda model, row: blocking_clause(lower(model), row))
blocking_clause.register(Coloring, lambda model, row: _forbid(model, enumerate(row)))
blocking_clause.register(SumFigure, lambda model, row: blocked([model.numbers] * len(row), row))
blocking_clause.register(
    Queens, lambda model, row: tuple(-_variable(model.n, *square) for square in enumerate(row))
)
