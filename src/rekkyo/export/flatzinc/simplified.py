"""Fewer and narrower variables, before a model is made of domains and posted predicates.

Equal variables become one, bounds are narrowed where there are too many values, and hidden variables that
still have too many are multiplied out.
"""

from __future__ import annotations

from collections.abc import Sequence, Set
from dataclasses import dataclass

from rekkyo.export.flatzinc.aliases import Placed, replaced, united
from rekkyo.export.flatzinc.domains import Domain, Unknown
from rekkyo.export.flatzinc.narrowing import narrow
from rekkyo.export.flatzinc.wide import without_wide


@dataclass(frozen=True, slots=True)
class Simplified:
    """Domains of the variables that are left, and the constraints on them.

    left: the number that each had before; products, which are new, come last and have none. now: for each
    variable before, the one that stands for it.
    """

    domains: list[Domain]
    posted: list[Placed]
    left: list[int]
    now: list[Unknown]


def simplified(
    domains: Sequence[Domain], solution: Set[int], kept: Set[int], posted: Sequence[Placed]
) -> Simplified:
    """Simplify. solution: its variables stay distinct. kept: others that are not multiplied out."""
    before = list(domains)
    equal = united(before, solution, posted)
    narrow(before, [(name, values) for _, name, values in equal.posted])
    left = [v for v, root in enumerate(equal.stands_for) if v == root]
    number = {v: at for at, v in enumerate(left)}
    now = [Unknown(number[root]) for root in equal.stands_for]
    found = equal.posted if len(left) == len(before) else list(replaced(equal.posted, now))
    after = [before[v] for v in left]
    found = without_wide(after, {now[v].number for v in solution | kept}, found)
    return Simplified(after, found, left, now)
