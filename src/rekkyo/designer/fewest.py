"""The fewest clues that leave one solution, by sets that must be hit.

If some clues allow another solution, that solution breaks other clues, and one of these must be kept. So the
next set to be tried is a smallest one that hits all such sets of broken clues found so far. Either it leaves
one solution, and then no set is smaller, or it gives one more set of broken clues.
Source: E. Moreno-Centeno and R. Karp, "The implicit hitting set approach" (2013).
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import TypeAlias

Broken: TypeAlias = Callable[[frozenset[int]], frozenset[int] | None]
"""The clues that another solution breaks, which has the clues of a set; None if there is no other."""


def fewest(n_clues: int, broken: Broken) -> frozenset[int]:
    """A smallest set of clues, by number, for which `broken` gives None. broken: gives no empty set."""
    to_hit: list[frozenset[int]] = []
    while True:
        kept = smallest_hitting(to_hit)
        seen = broken(kept)
        if seen is None:
            return kept
        while seen is not None:  # collect more sets first, because finding a smallest set takes longer
            to_hit.append(seen)
            kept |= {max(seen)}
            seen = broken(kept)


def irreducible(n_clues: int, broken: Broken) -> frozenset[int]:
    """A set of clues from which none can be left out, found quickly; there may be smaller sets."""
    kept = frozenset(range(n_clues))
    for number in range(n_clues):
        if broken(kept - {number}) is None:
            kept -= {number}
    return kept


def smallest_hitting(sets: Sequence[frozenset[int]]) -> frozenset[int]:
    """A smallest set that has an element of each set, by branching on the smallest set not yet hit."""
    best = _greedy(sets)

    def search(left: Sequence[frozenset[int]], taken: frozenset[int]) -> None:
        nonlocal best
        if not left:
            best = taken
            return
        if len(taken) + _disjoint(left) >= len(best):
            return
        without: set[int] = set()
        least: frozenset[int] = min(left, key=len)
        for element in sorted(least):
            rest = [one - without for one in left if element not in one]
            if all(rest):
                search(rest, taken | {element})
            without.add(element)

    search(list(sets), frozenset())
    return best


def _greedy(sets: Sequence[frozenset[int]]) -> frozenset[int]:
    """A set that hits all sets: repeatedly the element of the most sets that are not hit yet."""
    left, taken = list(sets), set[int]()
    while left:
        elements = [element for one in left for element in one]
        most = max(sorted(set(elements)), key=elements.count)
        taken.add(most)
        left = [one for one in left if most not in one]
    return frozenset(taken)


def _disjoint(sets: Sequence[frozenset[int]]) -> int:
    """The number of disjoint sets that are found greedily: a lower bound."""
    seen: set[int] = set()
    n_apart = 0
    for one in sorted(sets, key=len):
        if seen.isdisjoint(one):
            seen |= one
            n_apart += 1
    return n_apart
