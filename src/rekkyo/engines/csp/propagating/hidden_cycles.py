"""Find circuits whose successors the search finds after other variables, because they are hidden.

If variables of the solution tell each successor, such as one for each edge and direction, paths are known as
early as if the successors were the solution. `blocks` says how much longer the search would take.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence, Set

from rekkyo.engines.csp.propagating.parts import Hidden, Part, Rows
from rekkyo.model.csp.constraints import Circuit, Variable


def with_hidden(parts: Sequence[Part], shown: Set[Variable]) -> list[Part]:
    """The parts, and such circuits as hidden ones. shown: variables of the solution and the objective."""
    if Circuit not in map(type, parts):
        return list(parts)
    implied = {pair for part in parts if isinstance(part, Rows) for pair in _implied(part, shown)}
    return [
        Hidden(part) if isinstance(part, Circuit) and _is_hidden(part, shown, implied) else part
        for part in parts
    ]


def _implied(part: Rows, shown: Set[Variable]) -> Iterator[tuple[Variable, int]]:
    """Each variable and value that one value of a shown variable implies, in a table of two variables."""
    if len(part.variables) == 2:
        for place, v in enumerate(part.variables):
            n_rows = Counter(row[1 - place] for row in part.rows)
            if part.variables[1 - place] in shown:
                yield from ((v, row[place]) for row in part.rows if n_rows[row[1 - place]] == 1)


def _is_hidden(part: Circuit, shown: Set[Variable], implied: Set[tuple[Variable, int]]) -> bool:
    """Whether no successor is shown, and not all are implied. That a node is outside implies no path."""
    n, first = len(part.successors), part.first
    return shown.isdisjoint(part.successors) and not all(
        any((v, first + other) in implied for other in range(n) if other != node)
        for node, v in enumerate(part.successors)
    )
