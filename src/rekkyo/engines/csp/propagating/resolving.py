"""Remove hidden variables that only clauses name, before the search.

A flattened model has a variable for each inner condition: `a -> (b /\\ c)` becomes three clauses with a
hidden variable that follows from no other. Some value of the variable fits if and only if all resolvents
hold: for each clause with one literal of it and each clause with the other literal, the rest of both clauses.
A variable is removed if one literal occurs at most once, and if the resolvents have no more literals than
the clauses that they replace. Unit propagation on the resolvents rules out as much as on those clauses.
Source: Davis and Putnam (1960); the bound on the size is that of SatELite (Eén and Biere, SAT 2005).
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from itertools import chain

from rekkyo.model.csp import constraints as c

Literals = dict[c.Literal, None]
"""The literals of a clause, in order."""


def resolved(
    constraints: Sequence[c.Constraint], domains: Sequence[set[int]], asked_for: Iterable[c.Variable]
) -> tuple[list[c.Constraint], list[c.Variable]]:
    """Constraints that are equivalent for all other variables, and the variables that were removed."""
    named = {v for one in constraints if type(one) is not c.Clause for v in c.variables_of(one)}
    clauses = [one for one in constraints if type(one) is c.Clause]
    inside = {v for clause in clauses for v, _, _ in clause.literals}
    fixed = {v for v in inside if len(domains[v]) == 1}
    constraints = [one for one in constraints if not (fixed and _holds_always(one, domains))]
    candidates = [v for v in sorted(inside.difference(named, asked_for)) if len(domains[v]) == 2]
    if not candidates:
        return constraints, []
    return _Resolving(constraints, domains, candidates).result()


def _holds_always(one: c.Constraint, domains: Sequence[set[int]]) -> bool:
    """Whether a fixed variable makes a literal of a clause true."""
    return type(one) is c.Clause and any(
        len(domains[v]) == 1 and (value in domains[v]) == sign for v, value, sign in one.literals
    )


class _Resolving:
    """Clauses by their numbers, in the order of the model; None for a clause that was replaced.

    around: for each candidate the clauses that name it.
    """

    def __init__(
        self,
        constraints: Sequence[c.Constraint],
        domains: Sequence[set[int]],
        candidates: Sequence[c.Variable],
    ) -> None:
        self._domains = domains
        self._candidates = candidates
        self._constraints: list[c.Constraint | None] = list(constraints)
        self._around: dict[c.Variable, list[int]] = {v: [] for v in candidates}
        for number, one in enumerate(constraints):
            if type(one) is c.Clause:
                self._enter(number, one.literals)

    def result(self) -> tuple[list[c.Constraint], list[c.Variable]]:
        """See `resolved`."""
        removed = [v for v in self._candidates if self._remove(v)]
        return [one for one in self._constraints if one is not None], removed

    def _enter(self, number: int, literals: Iterable[c.Literal]) -> None:
        for v in dict.fromkeys([v for v, _, _ in literals]):
            if v in self._around:
                self._around[v].append(number)

    def _remove(self, v: c.Variable) -> bool:
        """Replace the clauses around a variable by their resolvents; False if that is not worth it."""
        numbers = [number for number in self._around[v] if self._constraints[number] is not None]
        sides: tuple[list[Literals], list[Literals]] = ([], [])
        for number in numbers:
            clause = self._constraints[number]
            assert isinstance(clause, c.Clause)
            own = {self._is_greater(literal) for literal in clause.literals if literal[0] == v}
            if len(own) != 1 or None in own:  # the clause always holds, or one literal is constant
                return False
            others = dict.fromkeys([literal for literal in clause.literals if literal[0] != v])
            sides[own == {True}].append(others)
        if min(map(len, sides)) > 1:
            return False
        every = [self._resolvent(one, other) for one in sides[0] for other in sides[1]]
        made = [literals for literals in every if literals is not None]
        if sum(map(len, made)) > sum(1 + len(others) for others in chain(*sides)):
            return False
        for number in numbers:
            self._constraints[number] = None
        for literals in made:
            self._enter(len(self._constraints), literals)
            self._constraints.append(c.Clause.of(tuple(literals)))
        return True

    def _is_greater(self, literal: c.Literal) -> bool | None:
        """Whether a literal says that its variable has the greater of its two values; None for neither."""
        v, value, sign = literal
        low, high = sorted(self._domains[v])
        return None if value not in (low, high) else (value == high) == sign

    def _resolvent(self, one: Literals, other: Literals) -> Literals | None:
        """The literals of both; None if they always hold."""
        for literal in other:
            v, value, sign = literal
            if (v, value, not sign) in one:
                return None
            if len(self._domains[v]) == 2 and value in self._domains[v]:
                rest = sum(self._domains[v]) - value
                if (v, rest, sign) in one:
                    return None
        return one | other
