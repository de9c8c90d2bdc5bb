"""The variables and parts of a model while they are collected."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from math import prod

from rekkyo.engines.csp.propagating.parts import Part, Rows
from rekkyo.errors import EngineRefuses
from rekkyo.model.csp.constraints import Clause, Literal, Variable
from rekkyo.model.csp.csp import MAX_SPAN

SMALLER = "take smaller domains, such as digits instead of numbers"
"""The fix in messages about a refusal."""

MOST_ROWS = 1 << 20
"""The most rows of a table that the rewriting makes."""


class Parts:
    """The variables and parts of a model. domains: possible values; the methods may remove some."""

    def __init__(self, domains: list[set[int]]) -> None:
        self.domains = domains
        self.parts: list[Part] = []

    def hidden(self, values: Iterable[int]) -> Variable:
        """A new hidden variable."""
        self.domains.append(set(values))
        return len(self.domains) - 1

    def keep(self, variable: Variable, values: Iterable[int]) -> None:
        """Remove all other values from the domain of a variable."""
        self.domains[variable] &= set(values)

    def clause(self, literals: Iterable[Literal]) -> None:
        """Add a clause: at least one of the literals holds."""
        self.parts.append(Clause.of(tuple(dict.fromkeys(literals))))

    def rows(self, variables: Sequence[Variable], rows: Iterable[Sequence[int]]) -> None:
        """Add a table. Variables may be repeated, and rows may contain any values."""
        different = tuple(dict.fromkeys(variables))
        kept = list(set(map(tuple, rows)))
        for at, v in enumerate(variables):
            # Most tables have no impossible row, which one comparison of a whole column shows.
            place, domain = variables.index(v), self.domains[v]
            if place != at:
                kept = [row for row in kept if row[at] == row[place]]
            elif not domain.issuperset(row[at] for row in kept):
                kept = [row for row in kept if row[at] in domain]
        if len(different) < len(variables):
            places = [variables.index(v) for v in different]
            kept = [tuple(row[place] for place in places) for row in kept]
        for place, v in enumerate(different):
            self.keep(v, {row[place] for row in kept})
        if len(different) > 1:
            self.parts.append(Rows(different, tuple(sorted(kept))))

    def check_rows(self, variables: Sequence[Variable], times: int) -> None:
        """Raise EngineRefuses for a table with too many rows."""
        n_rows = times * prod(len(self.domains[v]) for v in variables)
        if n_rows > MOST_ROWS:
            most = f"makes tables of up to {MOST_ROWS} rows, and this needs {n_rows}"
            raise EngineRefuses(f"engine csp {most}; {SMALLER}")

    def check_span(self, n_values: int) -> None:
        """Raise EngineRefuses for a hidden variable with too many values."""
        if n_values > MAX_SPAN:
            raise EngineRefuses(f"engine csp remembers up to {MAX_SPAN} states at a time, not {n_values}")
