"""Choose the kind of part for a linear constraint.

Small equations become tables. Equations of three terms with coefficients 1 or -1 are propagated by shifting
words. A sum of variables that are 0 or 1 becomes a clause or a number of chosen variables, if that is
possible. All others are propagated by bounds.
"""

from __future__ import annotations

from collections.abc import Sequence
from itertools import product
from math import prod

from rekkyo.engines.csp.propagating.gathering import Parts
from rekkyo.engines.csp.propagating.parts import Added, Chosen, Weighted
from rekkyo.model.csp.constraints import AT_MOST, EQUAL, NOT_EQUAL, Literal, Variable

ROWS_OF_SUM = 1 << 10
"""An equation of up to three variables is a table if they have at most this many combinations of values.

A table keeps only values that are in a solution of the equation; bounds keep more.
"""

WORD_VALUES = 64


class SumParts(Parts):
    """Parts, with methods that add linear constraints."""

    def weighted(
        self,
        coefficients: Sequence[int],
        variables: Sequence[Variable],
        relation: str,
        constant: int,
        when: tuple[Variable, int] | None = None,
    ) -> None:
        """Add the constraint: coefficients · variables, a relation, a constant.

        when: a variable and the value of it for which the constraint must hold; None if it always must.
        """
        weights: dict[Variable, int] = {}
        for coefficient, v in zip(coefficients, variables, strict=True):
            weights[v] = weights.get(v, 0) + coefficient
        weights = {v: coefficient for v, coefficient in weights.items() if coefficient}
        terms, used = tuple(weights.values()), tuple(weights)
        if when is None and relation == EQUAL and 0 < len(used) <= 3:
            domains = [self.domains[v] for v in used]
            if set(map(abs, terms)) == {1} and len(terms) == 3 and max(map(_span, domains)) <= WORD_VALUES:
                self._added(terms, used, constant)
                return
            if prod(map(len, domains)) <= ROWS_OF_SUM:
                rows = product(*domains)
                self.rows(used, (row for row in rows if sum(map(int.__mul__, terms, row)) == constant))
                return
        if when is None and self._is_chosen(terms, used, relation, constant):
            return
        clause = self._clause_of(terms, used, relation, constant)
        if clause is not None:
            self.clause(clause if when is None else (*clause, (*when, False)))
            return
        self.parts.append(Weighted(terms, used, relation, constant, *(when or (None, 0))))

    def _is_chosen(
        self, terms: Sequence[int], variables: Sequence[Variable], relation: str, constant: int
    ) -> bool:
        """Add a sum of variables in {0, 1} with coefficients 1 or -1 as a number of chosen variables.

        Returns False, and adds nothing, if the constraint is not one or is a clause.
        """
        is_unit = len(terms) > 2 and set(map(abs, terms)) == {1} and relation != NOT_EQUAL
        if not is_unit or not all(self.domains[v] == {0, 1} for v in variables):
            return False
        values = tuple(int(c > 0) for c in terms)
        most = constant + values.count(0)  # a term -x is (1 - x) - 1
        least = most if relation == EQUAL else 0
        if relation == AT_MOST and most == len(terms) - 1:
            return False  # a clause
        self.parts.append(Chosen(tuple(variables), values, least, most))
        return True

    def _clause_of(
        self, terms: Sequence[int], variables: Sequence[Variable], relation: str, constant: int
    ) -> tuple[Literal, ...] | None:
        """The clause that is equivalent to an inequality of variables in {0, 1}; None if there is none.

        There is one if the greatest sum is too large, and each single term can reduce it enough.
        """
        if relation != AT_MOST or not all(self.domains[v] == {0, 1} for v in variables):
            return None
        excess = sum(c for c in terms if c > 0) - constant
        if excess <= 0 or any(abs(c) < excess for c in terms):
            return None
        return tuple((v, 0 if c > 0 else 1, True) for c, v in zip(terms, variables, strict=True))

    def _added(self, terms: Sequence[int], variables: Sequence[Variable], constant: int) -> None:
        sign = 1 if sum(terms) > 0 else -1  # the sign of at least two of the three terms
        place = terms.index(-sign) if -sign in terms else 0
        one, other = (v for at, v in enumerate(variables) if at != place)
        self.parts.append(Added(one, other, variables[place], -sign * terms[place], sign * constant))


def _span(domain: set[int]) -> int:
    return max(domain) - min(domain) + 1 if domain else 0
