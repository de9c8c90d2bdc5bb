"""Join constraints that hidden variables connect into tables of a few variables.

A flattened model computes step by step: one hidden variable is 1 if x < y, another one counts how often that
holds, and a constraint restricts the count. Propagation looks at one step at a time. Here a constraint is
joined with all steps that it depends on, if these depend on few variables. The hidden variables of the steps
are removed if no other constraint names them. Constraints of the same shape are joined once.
Source: Akgün et al., Automatic Tabulation in Constraint Models (2022), which chooses by other rules.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence, Set
from dataclasses import dataclass, replace
from itertools import chain, combinations
from math import prod
from typing import Any, TypeAlias

import numpy as np
from numpy.typing import NDArray

from rekkyo.model.csp import constraints as c

MOST_VARIABLES = 10
"""Variables of a table that is made, at most."""

MOST_ROWS = 1 << 9
"""Rows of a table that is made, at most. Nine variables in {0, 1} have as many combinations."""

MOST_REPEATED = 8
"""Times that a row may come for different values of removed variables, about."""

MOST_STEPS = 100
"""Hidden variables that one constraint is joined with, at most."""

JOINED = (c.Linear, c.Clause, c.AllDifferent, c.Table)
"""Constraints that are joined, also if they are reified. A union that is made for each call takes longer."""

MOST_COMBINED = 1 << 16
"""Combinations of values of the variables of a table, at most."""

MOST_NAMED = 16
"""Variables of a constraint that is joined, at most."""

MOST_TABLE_ROWS = 32
"""Rows of a table of the model that is joined, at most."""

Shape: TypeAlias = tuple[Any, ...]
"""A constraint with numbers of columns in place of variables."""

Columns: TypeAlias = NDArray[np.int64]
"""int64[n_variables, n_rows]. The values of each variable; those of later variables are not read."""

Rows: TypeAlias = tuple[tuple[int, ...], ...]


@dataclass(frozen=True, slots=True)
class Joined:
    """A group of constraints that becomes one table.

    scope: variables of the table. steps: hidden variables, each after those that determine it.
    members: numbers of the constraints. asking: those of them that do not define a step.
    """

    scope: tuple[c.Variable, ...]
    steps: tuple[c.Variable, ...]
    members: tuple[int, ...]
    asking: frozenset[int]


class Tabling:
    """The tables of a model, and the constraints and hidden variables that they replace.

    hidden: variables that may be removed. stand_ins: variables that were replaced by another one and a shift.
    tables: scopes and rows. replaced: numbers of constraints. eliminated: hidden variables that were removed.
    """

    def __init__(
        self,
        domains: Sequence[set[int]],
        constraints: Sequence[c.Constraint],
        hidden: set[c.Variable],
        stand_ins: Set[c.Variable],
    ) -> None:
        self.tables: list[tuple[tuple[c.Variable, ...], Rows]] = []
        self.replaced: set[int] = set()
        self.eliminated: set[c.Variable] = set()
        self._domains, self._constraints, self._hidden = domains, constraints, hidden
        self._found: dict[Shape, Rows | None] = {}
        self._scopes = [tuple(dict.fromkeys(c.variables_of(constraint))) for constraint in constraints]
        self._joins = [
            _joins(constraint, scope) and stand_ins.isdisjoint(scope)
            for constraint, scope in zip(constraints, self._scopes, strict=True)
        ]
        blocked = chain.from_iterable(
            scope for scope, joins in zip(self._scopes, self._joins, strict=True) if not joins
        )
        self._steps: dict[c.Variable, tuple[int, ...]] = {}
        self._find_steps(hidden.difference(blocked))
        if self._steps:
            self._plain: dict[c.Variable, list[int]] = {}
            for number, scope in enumerate(self._scopes):
                if self._joins[number] and len(scope) > 1 and self._steps.keys().isdisjoint(scope):
                    self._plain.setdefault(scope[0], []).append(number)
            self._users: dict[c.Variable, list[int]] = {v: [] for v in self._steps}
            for number, scope in enumerate(self._scopes):
                for v in scope:
                    if v in self._users and number not in self._steps[v]:
                        self._users[v].append(number)
            self._values = [tuple(sorted(domain)) for domain in domains]
            self._choose()

    def _find_steps(self, hidden: set[c.Variable]) -> None:
        """Find the hidden variables that others determine, and for each the constraints that define it.

        A definition that names its variable a second time, or a value outside its domain, may leave both
        values or none.
        """
        if not hidden:
            return
        self._steps = {
            constraint.truth: (number,)
            for number, constraint in reversed(list(enumerate(self._constraints)))
            if isinstance(constraint, c.Reified)
            and constraint.truth in hidden
            and constraint.truth not in c.variables_of(constraint.constraint)
        }
        self._find_conjunctions(hidden)
        used = set(chain.from_iterable(self._steps.values()))
        for number, constraint in enumerate(self._constraints):
            if isinstance(constraint, c.Linear) and constraint.relation == c.EQUAL and number not in used:
                terms = zip(constraint.coefficients, constraint.variables, strict=True)
                free = [v for factor, v in terms if abs(factor) == 1 and v in hidden and v not in self._steps]
                if len(free) == 1 and constraint.variables.count(free[0]) == 1:
                    self._steps[free[0]] = (number,)

    def _find_conjunctions(self, hidden: set[c.Variable]) -> None:
        """Find hidden variables that are defined as a conjunction of literals, or as its negation.

        The definition is one clause of all literals, and one clause of two literals for each other literal.
        """
        pairs: dict[c.Literal, dict[c.Literal, int]] = {}
        longer: list[tuple[int, list[c.Literal]]] = []
        for number, constraint in enumerate(self._constraints):
            if isinstance(constraint, c.Clause) and not hidden.isdisjoint(self._scopes[number]):
                literals = list(map(self._positive, constraint.literals))
                if len(literals) == 2:
                    pairs.setdefault(literals[0], {})[literals[1]] = number
                    pairs.setdefault(literals[1], {})[literals[0]] = number
                elif len(literals) > 2:
                    longer.append((number, literals))
        used: set[int] = set()
        for number, literals in longer:
            for literal in literals:
                v = literal[0]
                partners = pairs.get(self._negated(literal), {}) if v in hidden else {}
                if len(partners) < len(literals) - 1 or v in self._steps or len(self._domains[v]) != 2:
                    continue
                if [named for named, _, _ in literals].count(v) > 1 or literal[1] not in self._domains[v]:
                    continue
                others = (self._negated(other) for other in literals if other != literal)
                found = {number, *(partners.get(other, number) for other in others)}
                if used.isdisjoint(found) and len(found) == len(literals):
                    self._steps[v] = tuple(found)
                    used |= found
                    break

    def _positive(self, literal: c.Literal) -> c.Literal:
        """The same literal, without a negation if its variable has two values."""
        v, value, sign = literal
        if not sign and len(self._domains[v]) == 2 and value in self._domains[v]:
            return v, sum(self._domains[v]) - value, True
        return literal

    def _negated(self, literal: c.Literal) -> c.Literal:
        return self._positive((literal[0], literal[1], not literal[2]))

    def _choose(self) -> None:
        """Join each constraint that names steps, except where a step is also needed elsewhere."""
        steps_of = {number for numbers in self._steps.values() for number in numbers}
        asking = [
            number
            for number, scope in enumerate(self._scopes)
            if number not in steps_of and any(v in self._steps for v in scope)
        ]
        groups = {number: self._joined(number) for number in asking}
        kept = {number for number, group in groups.items() if group is not None}
        while True:
            kept = self._closed(groups, kept)
            merged = self._merged([group for number in sorted(kept) if (group := groups[number]) is not None])
            merged = self._merged(self._without_private(merged))
            rows = [self._rows(group) for group in merged]
            too_large = [group.asking for group, found in zip(merged, rows, strict=True) if found is None]
            if not too_large:
                break
            kept.difference_update(*too_large)
        for group, found in zip(merged, rows, strict=True):
            assert found is not None
            if len(found) < prod(len(self._domains[v]) for v in group.scope):  # else it always holds
                self.tables.append((group.scope, found))
            self.replaced.update(group.asking)
            self.eliminated.update(group.steps)
        self.replaced.update(number for v in self.eliminated for number in self._steps.get(v, ()))

    def _closed(self, groups: Mapping[int, Joined | None], kept: set[int]) -> set[int]:
        """The groups of which no step is named outside of them, after dropping all others."""
        while True:
            eliminated = {v for number in kept if (group := groups[number]) is not None for v in group.steps}
            replaced = kept.union(*(self._steps[v] for v in eliminated))
            needed = {v for v in eliminated if not replaced.issuperset(self._users[v])}
            left = {
                number
                for number in kept
                if (group := groups[number]) is not None and needed.isdisjoint(group.steps)
            }
            if left == kept:
                return kept
            kept = left

    def _joined(self, asking: int) -> Joined | None:
        """A constraint with all steps that it depends on; None if that is too large."""
        scope: dict[c.Variable, None] = {}
        steps: dict[c.Variable, None] = {}
        members: dict[int, None] = {}
        begun: set[c.Variable] = set()

        def visit(v: c.Variable) -> bool:
            if v in steps or v in scope:
                return True
            if v not in self._steps:
                scope[v] = None
                return len(scope) <= MOST_VARIABLES
            if v in begun or len(begun) == MOST_STEPS:  # it depends on itself, or on too many
                return False
            begun.add(v)
            for number in self._steps[v]:
                if not all(visit(other) for other in self._scopes[number] if other != v):
                    return False
                members[number] = None
            steps[v] = None
            return True

        if not all(map(visit, self._scopes[asking])) or not scope:
            return None
        if prod(len(self._domains[v]) for v in scope) > MOST_COMBINED:
            return None
        return Joined(tuple(scope), tuple(steps), (*members, asking), frozenset((asking,)))

    def _merged(self, groups: Sequence[Joined]) -> list[Joined]:
        """The groups, where each group whose scope is part of another one's is merged into that one."""
        merged: list[Joined] = []
        of: dict[c.Variable, list[int]] = {}
        for group in sorted(groups, key=lambda group: -len(group.scope)):
            scope = set(group.scope)
            places = [place for place in of.get(group.scope[0], ()) if scope.issubset(merged[place].scope)]
            if not places:
                for v in group.scope:
                    of.setdefault(v, []).append(len(merged))
                merged.append(group)
                continue
            into = merged[places[0]]
            merged[places[0]] = Joined(
                into.scope,
                tuple(dict.fromkeys((*into.steps, *group.steps))),
                tuple(dict.fromkeys((*into.members, *group.members))),
                into.asking | group.asking,
            )
        return merged

    def _without_private(self, groups: Sequence[Joined]) -> list[Joined]:
        """The groups, where hidden variables that nothing but one group names are steps: any value fits."""
        n_groups = Counter(chain.from_iterable(group.scope for group in groups))
        private = {v for v, n in n_groups.items() if n == 1 and v in self._hidden}
        if not private:
            return list(groups)
        n_named = Counter(chain.from_iterable(self._scopes))
        found = []
        for group in groups:
            inside = Counter(chain.from_iterable(self._scopes[number] for number in group.members))
            gone = [v for v in group.scope if v in private and inside[v] == n_named[v]]
            kept = tuple([v for v in group.scope if v not in gone])
            is_changed = gone and kept
            found.append(replace(group, scope=kept, steps=(*gone, *group.steps)) if is_changed else group)
        return found

    def _rows(self, group: Joined) -> Rows | None:
        """The rows of a group; None if there are too many."""
        last = {v: at for at, v in enumerate(group.scope)}  # the last variable of the scope that it needs
        for step in group.steps:
            if step not in self._steps:  # see `_without_private`
                last[step] = 0
                continue
            others = chain.from_iterable([self._scopes[number] for number in self._steps[step]])
            last[step] = max([last[other] for other in others if other != step], default=0)
        place = {v: at for at, v in enumerate(sorted(last, key=last.__getitem__))}
        members = dict.fromkeys(group.members)
        if prod(len(self._domains[v]) for v in group.scope) > MOST_ROWS:  # other constraints reduce the rows
            plain = chain.from_iterable(self._plain.get(v, ()) for v in group.scope)
            members |= dict.fromkeys(number for number in plain if place.keys() >= set(self._scopes[number]))
        constraints = (self._constraints[number] for number in members)
        shapes = tuple(chain.from_iterable(shapes_of(constraint, place) for constraint in constraints))
        domains = tuple([self._values[v] for v in place])
        key = domains, shapes, tuple(place[v] for v in group.scope)
        if key not in self._found:
            self._found[key] = joined_rows(*key)
        return self._found[key]


def _joins(constraint: c.Constraint, scope: Sequence[c.Variable]) -> bool:
    """Whether a constraint can be joined with others."""
    if isinstance(constraint, c.Reified):
        constraint = constraint.constraint
    if isinstance(constraint, c.Table) and len(constraint.rows) > MOST_TABLE_ROWS:
        return False
    return len(scope) <= MOST_NAMED and isinstance(constraint, JOINED)


def shapes_of(constraint: c.Constraint, place: Mapping[c.Variable, int]) -> list[Shape]:
    """Shapes that are together equivalent to a constraint; an all_different is split into its pairs."""
    if isinstance(constraint, c.AllDifferent):
        pairs = combinations(sorted([place[v] for v in constraint.variables]), 2)
        return [("different", pair, constraint.excepted) for pair in pairs]
    return [shape_of(constraint, place)]


def shape_of(constraint: c.Constraint, place: Mapping[c.Variable, int]) -> Shape:
    """A constraint that can be joined, with columns in place of variables."""
    match constraint:
        case c.Linear(coefficients, variables, relation, constant):
            return "linear", coefficients, tuple(place[v] for v in variables), relation, constant
        case c.Clause(literals):
            return "clause", tuple((place[v], value, sign) for v, value, sign in literals)
        case c.AllDifferent(variables, excepted):
            return "different", tuple(place[v] for v in variables), excepted
        case c.Table(variables, rows, allowed):
            return "table", tuple(place[v] for v in variables), rows, allowed
        case c.Reified(inner, truth):
            return "reified", shape_of(inner, place), place[truth]
    raise TypeError(type(constraint).__name__)


def columns_of(shape: Shape) -> Iterable[int]:
    """The columns that a shape names."""
    match shape:
        case ("linear", _, columns, _, _) | ("different", columns, _) | ("table", columns, _, _):
            return tuple(columns)
        case ("clause", literals):
            return [column for column, _, _ in literals]
    return (*columns_of(shape[1]), shape[2])


def joined_rows(
    domains: Sequence[Sequence[int]], shapes: Sequence[Shape], shown: Sequence[int]
) -> Rows | None:
    """The rows for which all shapes hold, with only the shown columns; None if there are too many."""
    complete: list[list[Shape]] = [[] for _ in domains]
    for shape in shapes:
        complete[max(columns_of(shape), default=0)].append(shape)
    columns = np.zeros((len(domains), 1), dtype=np.int64)
    may_repeat = False
    for number, domain in enumerate(domains):
        asked = complete[number]
        for place, shape in enumerate(asked):
            values = _determined(shape, number, columns)
            if values is not None:
                del asked[place]  # it holds for these values
                break
        else:
            n_rows = columns.shape[1]
            if n_rows * len(domain) > 2 * MOST_COMBINED:
                return None
            may_repeat |= number not in shown
            columns = columns.repeat(len(domain), axis=1)
            values = np.tile(np.array(domain, dtype=np.int64), n_rows)
        columns[number] = values
        fits = _among(values, domain)
        for shape in asked:
            fits &= holds(shape, columns)
        if not fits.all():
            columns = columns[:, fits]
    if columns.shape[1] > (MOST_REPEATED if may_repeat else 1) * MOST_ROWS:
        return None
    rows = zip(*columns[list(shown)].tolist(), strict=True)
    found = tuple(dict.fromkeys(rows)) if may_repeat else tuple(rows)
    return found if len(found) <= MOST_ROWS else None


def _determined(shape: Shape, number: int, columns: Columns) -> NDArray[np.int64] | None:
    """The values of the next column, if a shape leaves each row one; trying all values takes longer."""
    match shape:
        case ("reified", inner, truth) if truth == number and number not in columns_of(inner):
            return holds(inner, columns).astype(np.int64)
        case ("linear", coefficients, places, relation, constant) if relation == c.EQUAL and len(places) > 1:
            terms = list(zip(coefficients, places, strict=True))
            own = [factor for factor, at in terms if at == number]
            if own in ([1], [-1]):
                rest = np.add.reduce([factor * columns[at] for factor, at in terms if at != number])
                return np.asarray(own[0] * (constant - rest))
    return None


def _among(values: NDArray[np.int64], domain: Sequence[int]) -> NDArray[np.bool_]:
    """Which values are in a domain, which is empty if propagation has ruled out every solution."""
    if domain and domain[-1] - domain[0] == len(domain) - 1:
        return (values >= domain[0]) & (values <= domain[-1])
    return np.isin(values, domain)


def holds(shape: Shape, columns: Columns) -> NDArray[np.bool_]:
    """Whether a shape holds, for each row."""
    found: NDArray[np.bool_]
    match shape:
        case ("linear", coefficients, places, relation, constant):
            none = np.zeros(len(columns[0]), dtype=np.int64)  # a sum may have no terms
            total = sum((factor * columns[at] for factor, at in zip(coefficients, places, strict=True)), none)
            compared = {c.EQUAL: np.equal, c.AT_MOST: np.less_equal, c.NOT_EQUAL: np.not_equal}[relation]
            found = compared(total, constant)
        case ("clause", literals):
            found = np.zeros(len(columns[0]), dtype=np.bool_)
            for at, value, sign in literals:
                found |= (columns[at] == value) == sign
        case ("different", places, excepted):
            found = np.ones(len(columns[0]), dtype=np.bool_)
            for one, other in combinations(places, 2):
                differ = columns[one] != columns[other]
                found &= differ | np.isin(columns[one], excepted) if excepted else differ
        case ("table", places, rows, allowed):
            found = np.zeros(len(columns[0]), dtype=np.bool_)
            for row in rows:
                found |= np.logical_and.reduce([columns[at] == x for at, x in zip(places, row, strict=True)])
            found = found == allowed
        case _:
            found = np.equal(holds(shape[1], columns), columns[shape[2]])
    return found
