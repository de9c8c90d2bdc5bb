"""Patterns and `Once` rules that narrow the domains of their variables, until they rule out no single value.

What a symmetry leaves unchanged (`fixed.py`) is restricted by many rules about one variable. Those become
smaller domains, which make other rules smaller. Of the 8,250 classes of symmetries of a sudoku 7,593 are
found to leave nothing unchanged in this way, without a plan.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import TypeAlias

from rekkyo.engines.csp.frontier.rules import Literal, Once, Pattern
from rekkyo.model.csp.constraints import Variable

Literals: TypeAlias = Mapping[Variable, frozenset[int]]
"""Literals of different variables."""


class Narrowing:
    """Rules that narrow domains. No values satisfy them if a domain is empty.

    domains: in/out. patterns: not all literals of any of them hold. onces: at most one of the literals holds;
    if it must, just one.
    """

    def __init__(self, domains: Mapping[Variable, Iterable[int]]) -> None:
        self.domains = {v: set(domain) for v, domain in domains.items()}
        self.patterns: dict[frozenset[Literal], None] = {}
        self.onces: dict[frozenset[Literal], bool] = {}

    @property
    def is_hopeless(self) -> bool:
        """Whether some variable has no value."""
        return not all(self.domains.values())

    def exclude(self, literals: Iterable[Literal]) -> None:
        """Not all of the literals hold. Several may be about one variable."""
        values: dict[Variable, frozenset[int]] = {}
        for v, some in literals:
            values[v] = values.get(v, some) & some
        self.patterns[frozenset(values.items())] = None

    def once(self, literals: Iterable[Literal], *, must: bool) -> None:
        """At most one of the literals holds. Two that hold for the same value of a variable do not."""
        values: dict[Variable, frozenset[int]] = {}
        for v, some in literals:
            known = values.get(v)
            if known:
                self.domains[v] -= known & some
            values[v] = known | some if known else some
        key = frozenset(values.items())
        self.onces[key] = must or self.onces.get(key, False)

    def narrow(self) -> None:
        """Take values out of domains, and rules away, until nothing changes or no value is left."""
        n_values = -1
        while n_values != (n_values := sum(map(len, self.domains.values()))) and not self.is_hopeless:
            patterns, self.patterns = self.patterns, {}
            for pattern in patterns:
                self._narrow_by_pattern(pattern)
            onces, self.onces = self.onces, {}
            for literals, must in onces.items():
                self._narrow_by_once(literals, must)

    def _narrow_by_pattern(self, pattern: Iterable[Literal]) -> None:
        """A literal that always holds says nothing; with one that never holds the pattern is satisfied."""
        left: Literals = {v: some & self.domains[v] for v, some in pattern if not some >= self.domains[v]}
        if not all(left.values()):
            return
        if len(left) > 1:
            self.patterns[frozenset(left.items())] = None
        elif left:
            [(v, some)] = left.items()
            self.domains[v] -= some
        else:
            self._give_up()

    def _narrow_by_once(self, literals: Iterable[Literal], must: bool) -> None:
        possible = ((v, some & self.domains[v]) for v, some in literals)
        left = {v: some for v, some in possible if some}
        always = [v for v, some in left.items() if some >= self.domains[v]]
        if always:
            for v, some in left.items():
                if v != always[0]:
                    self.domains[v] -= some
        elif len(left) > 1:
            key = frozenset(left.items())
            self.onces[key] = must or self.onces.get(key, False)
        elif left and must:
            [(v, some)] = left.items()
            self.domains[v] &= some
        elif must:
            self._give_up()

    def _give_up(self) -> None:
        self.domains[next(iter(self.domains))].clear()

    def renumbered(self, numbers: Mapping[Variable, Variable]) -> tuple[list[Pattern], list[Once]]:
        """The rules that are left, of variables with new numbers."""
        patterns = [tuple((numbers[v], some) for v, some in pattern) for pattern in self.patterns]
        onces = [Once(tuple((numbers[v], some) for v, some in one), must) for one, must in self.onces.items()]
        return patterns, onces
