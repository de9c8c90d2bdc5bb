"""Models as pseudo-Boolean problems: sums of variables that are 0 or 1, in the OPB format.

Exact covers and packings: variable o + 1 is 1 if option o is chosen. Other models, stated as a `Csp`: a
variable is 1 if a variable of the model has a value, in the order of both. Sums, differences, numbers of
values and clauses become sums; any other constraint over few variables forbids each assignment that it does
not permit. So every solution of the problem is one solution of the puzzle, and there are no auxiliary
variables.

Source of the format: O. Roussel and V. Manquinho, "Input/output format and solver requirements for the
competitions of pseudo-Boolean solvers" (2012).
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import singledispatch
from itertools import chain, product
from math import prod

from rekkyo.errors import BadInput, escaped
from rekkyo.model.coloring import Coloring
from rekkyo.model.csp import constraints as c
from rekkyo.model.csp.constraints import Constraint, Literal, Variable, variables_of
from rekkyo.model.csp.csp import Csp
from rekkyo.model.csp.definition import holds
from rekkyo.model.csp.restated import as_csp
from rekkyo.model.exact_cover import ExactCover
from rekkyo.model.lower import lower
from rekkyo.model.puzzle import Model
from rekkyo.model.row import Atom
from rekkyo.model.sum_figure import SumFigure

MOST_ROWS = 1 << 12
"""The most rows of a constraint that is written row by row."""

MOST_TERMS = 1 << 24

NO_SOLUTION = "so there is no solution; without --count a list proves that"


@dataclass(frozen=True, slots=True)
class Sum:
    """low <= the sum of coefficient * x over all (coefficient, x) <= high; None means no bound."""

    terms: tuple[tuple[int, int], ...]
    low: int | None
    high: int | None


@dataclass(frozen=True, slots=True)
class PseudoBoolean:
    """A problem. variable_of: of each possible atom of the model's rows. meaning: in one line."""

    n_variables: int
    sums: tuple[Sum, ...]
    variable_of: Mapping[Atom, int]
    meaning: str


def opb_of(model: Model) -> PseudoBoolean:
    """The problem of a model. Raises BadInput for models without such a form."""
    lowered = lower(model)
    if isinstance(lowered, Csp) and lowered.objective is not None:
        raise _no_form("the best value of an objective has")
    problem = _problem(lowered)
    if sum(len(one.terms) for one in problem.sums) > MOST_TERMS:
        raise BadInput(f"a problem of more than {MOST_TERMS:,} terms is too large")
    return problem


def opb(problem: PseudoBoolean, title: str) -> str:
    """The text of a problem."""
    lines = constraint_lines(problem)
    head = f"* #variable= {problem.n_variables} #constraint= {len(lines)}"
    return "\n".join([head, f"* {escaped(title)}", f"* {problem.meaning}", *lines]) + "\n"


def constraint_lines(problem: PseudoBoolean) -> list[str]:
    """A line for each bound of a sum, or one line for two equal bounds."""
    lines = []
    for one in problem.sums:
        if one.low == one.high:
            lines.append(_line(one.terms, 1, "=", one.low))
            continue
        if one.low is not None:
            lines.append(_line(one.terms, 1, ">=", one.low))
        if one.high is not None:
            lines.append(_line(one.terms, -1, ">=", -one.high))
    return lines


def _line(terms: Iterable[tuple[int, int]], sign: int, relation: str, bound: int | None) -> str:
    return " ".join(f"{sign * coefficient:+d} x{x}" for coefficient, x in terms) + f" {relation} {bound} ;"


def _no_form(what: str) -> BadInput:
    return BadInput(f"{what} no pseudo-Boolean form, so only a list can be certified")


@singledispatch
def _problem(model: Model) -> PseudoBoolean:
    kind = type(model).__name__
    raise _no_form(f"models of type {kind} have")


@_problem.register
def _cover(model: ExactCover) -> PseudoBoolean:
    users: list[list[tuple[int, int]]] = [[] for _ in (*model.primary, *model.secondary)]
    for option, uses in enumerate(model.options):
        for item, color in uses:
            if color:
                raise _no_form("exact covers with colours have")
            users[item].append((1, option + 1))
    n_primary = len(model.primary)
    bounds = [model.bounds_of(item) if item < n_primary else (0, 1) for item in range(len(users))]
    sums = []
    for terms, (low, high) in zip(users, bounds, strict=True):
        least, most = low or None, None if high >= len(terms) > low else high
        if terms and (least is not None or most is not None):
            sums.append(Sum(tuple(terms), least if low < high else low, most))
        elif low:
            raise BadInput(f"an item has no option, {NO_SOLUTION}")
    numbers = {option: option + 1 for option in range(len(model.options))}
    return PseudoBoolean(len(numbers), tuple(sums), numbers, "variable o + 1: option o is chosen; from 0")


@_problem.register
def _constraints(model: Csp) -> PseudoBoolean:
    if len(model.solution) < len(model.domains):
        raise _no_form("models with hidden variables have")
    writer = _Writer(model)
    for constraint in model.constraints:
        writer.post(constraint)
    numbers = {
        place * len(model.values) + model.values.index(value): writer.number[v, value]
        for place, v in enumerate(model.solution)
        for value in model.domains[v]
    }
    meaning = "variables in their order, a value after the other, least first: the variable has the value"
    return PseudoBoolean(len(numbers), tuple(writer.sums), numbers, meaning)


class _Writer:
    """Collects sums. number: the variable of the problem for a value of a variable."""

    def __init__(self, model: Csp) -> None:
        self.domains = model.domains
        self.number: dict[tuple[Variable, int], int] = {}
        for v, domain in enumerate(model.domains):
            for value in domain:
                self.number[v, value] = len(self.number) + 1
        self.sums = [
            Sum(tuple((1, self.number[v, value]) for value in domain), 1, 1)
            for v, domain in enumerate(model.domains)
        ]

    def post(self, constraint: Constraint) -> None:
        """Add a constraint. Raises BadInput."""
        match constraint:
            case c.Linear(coefficients, variables, "=" | "<=" as relation, constant):
                weighted = zip(coefficients, variables, strict=True)
                terms = self._added((k * x, v, x) for k, v in weighted for x in self.domains[v])
                self._add(terms, constant if relation == "=" else None, constant)
            case c.Count(variables, counted, times):
                ones = ((1, v, x) for v in variables for x in self.domains[v] if x in counted)
                number = ((-x, times, x) for x in self.domains[times])
                self._add(self._added(chain(ones, number)), 0, 0)
            case c.AllDifferent(variables, excepted) if len(set(variables)) == len(variables):
                values = sorted({value for v in variables for value in self.domains[v]} - {*excepted})
                for value in values:
                    self._add(
                        [(1, self.number[v, value]) for v in variables if value in self.domains[v]], None, 1
                    )
            case c.GlobalCardinality(variables, bounds) if len(set(variables)) == len(variables):
                for value, low, high in bounds:
                    some = [(1, self.number[v, value]) for v in variables if value in self.domains[v]]
                    self._add(some, low if low > 0 else None, min(high, len(some)))
            case c.Table(variables, rows, False):
                self._forbid(
                    dict(zip(variables, row, strict=True)) for row in rows if _agrees(variables, row)
                )
            case c.Clause(literals):
                self._forbid(self._breaking(literals))
            case _:
                self._forbid(self._not_permitted(constraint))

    def _added(self, weights: Iterable[tuple[int, Variable, int]]) -> list[tuple[int, int]]:
        """The terms of a sum of weights, each for a value of a variable, which may come several times."""
        total: dict[int, int] = {}
        for weight, v, value in weights:
            x = self.number[v, value]
            total[x] = total.get(x, 0) + weight
        return [(weight, x) for x, weight in total.items() if weight]

    def _add(self, terms: Sequence[tuple[int, int]], low: int | None, high: int) -> None:
        if not terms and ((low or 0) > 0 or high < 0):
            raise BadInput(f"a constraint cannot hold, {NO_SOLUTION}")
        if terms:
            self.sums.append(Sum(tuple(terms), low, high))

    def _forbid(self, assignments: Iterable[Mapping[Variable, int]]) -> None:
        """Not all of these values together."""
        for values in assignments:
            if all(literal in self.number for literal in values.items()):
                self._add([(1, self.number[literal]) for literal in values.items()], None, len(values) - 1)

    def _breaking(self, literals: Iterable[Literal]) -> Iterator[dict[Variable, int]]:
        """The assignments that break a clause, a value for each of its variables."""
        left = {v: set(self.domains[v]) for v, _, _ in literals}
        for v, value, sign in literals:
            left[v] &= {x for x in self.domains[v] if (x == value) != sign}
        return self._rows(left, "clause")

    def _not_permitted(self, constraint: Constraint) -> Iterator[dict[Variable, int]]:
        """All assignments that break a constraint."""
        domains = {v: set(self.domains[v]) for v in variables_of(constraint)}
        rows = self._rows(domains, type(constraint).__name__.lower())
        return (values for values in rows if not holds(constraint, values))

    def _rows(self, choices: Mapping[Variable, set[int]], what: str) -> Iterator[dict[Variable, int]]:
        if prod(map(len, choices.values())) > MOST_ROWS:
            raise _no_form(f'a constraint "{what}" over so many values has')
        rows = product(*map(sorted, choices.values()))
        return (dict(zip(choices, row, strict=True)) for row in rows)


def _agrees(variables: Sequence[Variable], row: Sequence[int]) -> bool:
    """Whether a row gives equal values to a variable that occurs twice."""
    return len(set(zip(variables, row, strict=True))) == len(set(variables))


@_problem.register
def _stated(model: Coloring | SumFigure) -> PseudoBoolean:
    return _constraints(as_csp(model))
