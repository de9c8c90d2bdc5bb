"""Remove hidden variables that another variable determines, before the search.

A flattened model has many of them: `bool2int` makes a copy, `x = 3 <-> b` a variable for a literal, and
`q[i] + i` a variable for a shift. A hidden variable that equals another one is replaced by it everywhere. One
that is 1 if and only if a variable has a value is replaced by that literal, if only clauses name it. One that
is another variable plus a constant is replaced by that variable and a shift, if only all_different names it.
`resolving` removes variables that only clauses name, and `dangling` those that restrict nothing.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping
from itertools import chain
from typing import TypeAlias

from rekkyo.engines.csp.propagating.dangling import without_dangling
from rekkyo.engines.csp.propagating.resolving import resolved
from rekkyo.model.csp import constraints as c
from rekkyo.model.csp.csp import Csp
from rekkyo.model.csp.definition import holds
from rekkyo.model.csp.renaming import renamed

Link: TypeAlias = tuple[c.Variable, int]
"""Another variable, and the constant that is added to its value."""

FEW_ROWS = 32
"""Rows of a table that is looked at, at most."""


class Simplified:
    """The constraints of a model without the variables that were removed, whose domains become {0}.

    asked_for: variables of the solution and the objective. shifted: for a removed variable that all_different
    names, the variable that replaces it, and the shift.
    """

    def __init__(self, model: Csp) -> None:
        self.domains: list[set[int]] = list(map(set, model.domains))
        self.kept = set(model.solution)
        if model.objective is not None:
            self.kept.add(model.objective.variable)
            if model.objective.best is not None:
                self.domains[model.objective.variable] &= {model.objective.best}
        self.asked_for = frozenset(self.kept)
        self.constraints: list[c.Constraint] = list(model.constraints)
        self._restrict_by_tables()
        self._unite_equal()
        self._replace_literals()
        for without in (resolved, without_dangling):
            self.constraints, removed = without(self.constraints, self.domains, self.asked_for)
            for v in removed:
                self.domains[v] = {0}
        self.shifted = self._shifts()

    def _eliminate(self, v: c.Variable, other: c.Variable, values: set[int]) -> None:
        """Eliminate v, and restrict the variable that replaces it to the given values."""
        self.domains[other] &= values
        self.domains[v] = {0}

    def _restrict_by_tables(self) -> None:
        """Keep the values that small tables have, so that clauses about other values are seen to hold."""
        for constraint in self.constraints:
            if (
                isinstance(constraint, c.Table)
                and constraint.allowed
                and 0 < len(constraint.rows) <= FEW_ROWS
            ):
                for v, column in zip(constraint.variables, zip(*constraint.rows, strict=True), strict=True):
                    self.domains[v].intersection_update(column)

    def _unite_equal(self) -> None:
        """Replace equal variables by one of them."""
        stands_for = list(range(len(self.domains)))

        def found(v: c.Variable) -> c.Variable:
            while stands_for[v] != v:
                stands_for[v] = stands_for[stands_for[v]]
                v = stands_for[v]
            return v

        left = []
        for constraint in self.constraints:
            link = _link(constraint)
            if link is not None and _difference(constraint) == 0:
                v, other = map(found, link)
                if v in self.kept:
                    v, other = other, v
                if v == other:
                    continue
                if v not in self.kept:
                    stands_for[v] = other
                    self._eliminate(v, other, self.domains[v])
                    continue
            left.append(constraint)
        names = {v: found(v) for v in range(len(stands_for)) if stands_for[v] != v}
        self.constraints = [renamed(constraint, names) for constraint in left] if names else left

    def _replace_literals(self) -> None:
        """Replace variables that are 1 for one value of another variable, or for all but one, by literals."""
        clauses = [one for one in self.constraints if isinstance(one, c.Clause)]
        others = [set(c.variables_of(one)) for one in self.constraints if not isinstance(one, c.Clause)]
        asked = Counter(chain.from_iterable(others))
        asked.update(v for clause in clauses for v, value, _ in clause.literals if value not in {0, 1})
        literal_of: dict[c.Variable, c.Literal] = {}
        left = []
        for constraint in self.constraints:
            if isinstance(constraint, c.Reified):
                truth, literal = constraint.truth, self._literal(constraint.constraint)
                is_free = asked[truth] == 1 and truth not in self.kept and truth not in literal_of
                # A literal of a variable that is itself replaced would need a second replacement.
                if literal is not None and is_free and literal[0] not in literal_of and literal[0] != truth:
                    literal_of[truth] = literal
                    self.kept.add(literal[0])
                    v, value, sign = literal
                    allowed = self.domains[truth]
                    self._eliminate(
                        truth, v, {x for x in self.domains[v] if int((x == value) == sign) in allowed}
                    )
                    continue
            left.append(constraint)
        self.constraints = left
        if literal_of:
            new = dict(chain.from_iterable(map(_replaced, literal_of.items())))
            self.constraints = [
                _with_literals(one, new) if isinstance(one, c.Clause) else one for one in left
            ]

    def _literal(self, inner: c.Constraint) -> c.Literal | None:
        """A constraint on one variable as a literal; None if it is not one."""
        if (
            not isinstance(inner, c.Linear)
            or len(inner.variables) != 1
            or not self.domains[inner.variables[0]]
        ):
            return None
        v = inner.variables[0]
        true_for = {x for x in self.domains[v] if holds(inner, {v: x})}
        false_for = self.domains[v] - true_for
        if len(true_for) == 1:
            return v, true_for.pop(), True
        return (v, false_for.pop(), False) if len(false_for) == 1 else None

    def _shifts(self) -> dict[c.Variable, Link]:
        """Find variables that are another one plus a constant and that otherwise only all_different names."""
        if not any(map(_link, self.constraints)):
            return {}
        linked: dict[c.Variable, Link] = {}
        kept = set(self.kept)
        for constraint in self.constraints:
            if isinstance(constraint, c.AllDifferent):
                continue
            named: Iterable[c.Variable] = set(c.variables_of(constraint))
            link = _link(constraint)
            if link is not None:
                v, other = link
                sign = 1
                if v in kept or v in linked:
                    v, other, sign = other, v, -1
                if v not in kept and v not in linked:
                    linked[v] = other, sign * _difference(constraint)
                    named = {other}
            kept.update(named)
        shifted = {v: link for v, link in linked.items() if v not in kept}
        for v, (other, shift) in shifted.items():
            self._eliminate(v, other, {x - shift for x in self.domains[v]})
        if shifted:
            self.constraints = [
                one
                for one in self.constraints
                if isinstance(one, c.AllDifferent) or shifted.keys().isdisjoint(c.variables_of(one))
            ]
        return shifted


def _link(constraint: c.Constraint) -> tuple[c.Variable, c.Variable] | None:
    """The two variables of a constraint that makes their difference constant; None for any other one."""
    if (
        not isinstance(constraint, c.Linear)
        or constraint.relation != c.EQUAL
        or len(constraint.variables) != 2
    ):
        return None
    one, other = constraint.variables
    if sorted(constraint.coefficients) != [-1, 1] or one == other:
        return None
    return one, other


def _difference(link: c.Constraint) -> int:
    """How much greater the first variable of a link is than the second."""
    assert isinstance(link, c.Linear)
    return link.coefficients[0] * link.constant


def _replaced(replacement: tuple[c.Variable, c.Literal]) -> list[tuple[c.Literal, c.Literal]]:
    """The literals of a variable that a literal replaces, each with the one to write for it."""
    truth, (v, value, sign) = replacement
    literals = [(truth, x, is_x) for x in (0, 1) for is_x in (True, False)]
    return [(literal, (v, value, sign == (literal[2] == (literal[1] == 1)))) for literal in literals]


def _with_literals(clause: c.Clause, new: Mapping[c.Literal, c.Literal]) -> c.Clause:
    """A clause in which the literals of removed variables are replaced."""
    literals = tuple([new.get(literal, literal) for literal in clause.literals])
    return clause if literals == clause.literals else c.Clause.of(literals)
