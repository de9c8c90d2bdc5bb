"""Variables that a constraint makes equal, so that one variable of the model can stand for both.

A flattened model often has two variables for one thing: a truth value and its number (`bool2int`), or a 0..1
variable and the truth value that it is 1. Equal variables are one class of a union-find, whose domain is the
intersection of their domains. Two variables of a solution are never united, because solutions have a column
for each; their constraint is kept.
Left out on purpose: a variable that is the negation of another one stays a variable of its own.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence, Set
from dataclasses import dataclass
from typing import TypeAlias

from rekkyo.export.flatzinc.domains import Domain, Unknown, Value
from rekkyo.export.flatzinc.lexer import Place

Placed: TypeAlias = tuple[Place, str, tuple[Value, ...]]
"""A posted predicate: where it is, its name, and its arguments."""

EQUAL = frozenset(("bool2int", "int_eq", "bool_eq"))
"""Predicates of two arguments that must be equal."""

TRUE_AT = {"int_eq_reif": 1, "int_ne_reif": 0, "bool_eq_reif": 1, "bool_ne_reif": 0}
"""The constant for each predicate: a 0..1 variable that is compared with it equals the truth value."""


@dataclass(frozen=True, slots=True)
class United:
    """posted: what is left of the constraints. stands_for: for each variable the one that replaces it."""

    posted: list[Placed]
    stands_for: list[int]


def united(domains: list[Domain], shown: Set[int], posted: Iterable[Placed]) -> United:
    """Unite equal variables, of which at most one is in `shown`. Variables of a class share one domain."""
    classes = _Classes(domains, shown)
    left = [one for one in posted if not _says_equal(classes, one[1], one[2])]
    return United(left, classes.all())


def replaced(posted: Iterable[Placed], new: Sequence[Unknown]) -> Iterator[Placed]:
    """The constraints with other variables. An array that several constraints share is still shared."""
    arrays: dict[int, tuple[tuple[Value, ...], tuple[Value, ...]]] = {}
    for at, predicate, values in posted:
        found: list[Value] = []
        for value in values:
            if isinstance(value, tuple):
                if id(value) not in arrays:  # the array is kept, so that no other one gets its id
                    arrays[id(value)] = value, renumbered(value, new)
                found.append(arrays[id(value)][1])
            else:
                found.append(new[value.number] if isinstance(value, Unknown) else value)
        yield at, predicate, tuple(found)


def renumbered(values: Sequence[Value], new: Sequence[Unknown]) -> tuple[Value, ...]:
    """An array with other variables."""
    return tuple([new[part.number] if isinstance(part, Unknown) else part for part in values])


def _says_equal(classes: _Classes, predicate: str, values: Sequence[Value]) -> bool:
    """Whether a constraint only says that two variables are equal; if so, and if possible, unites them."""
    if predicate in EQUAL and len(values) == 2:
        one, other = values
    elif predicate in TRUE_AT and len(values) == 3 and TRUE_AT[predicate] in values[:2]:
        left, right, other = values
        one = right if left == TRUE_AT[predicate] else left
    else:
        return False
    if not (isinstance(one, Unknown) and isinstance(other, Unknown)):
        return False
    needs_truths = predicate not in ("bool2int", "int_eq")
    if needs_truths and not (classes.is_truth(one.number) and classes.is_truth(other.number)):
        return False  # a comparison with another value than 0 or 1, or one that will be refused
    return classes.unite(one.number, other.number)


class _Classes:
    """Classes of equal variables. The root of a class is its variable in `shown`, if it has one."""

    def __init__(self, domains: list[Domain], shown: Set[int]) -> None:
        self._domains = domains
        self._shown = shown
        self._above = list(range(len(domains)))

    def root(self, v: int) -> int:
        above = self._above
        while above[v] != v:
            above[v] = above[above[v]]
            v = above[v]
        return v

    def is_truth(self, v: int) -> bool:
        domain = self._domains[self.root(v)]
        return domain.low is not None and domain.low >= 0 and domain.high is not None and domain.high <= 1

    def unite(self, one: int, other: int) -> bool:
        """Whether the two are one class now."""
        kept, gone = sorted((self.root(one), self.root(other)), key=lambda v: (v not in self._shown, v))
        if kept == gone:
            return True
        if gone in self._shown:
            return False
        self._domains[kept].meet(self._domains[gone])
        self._above[gone] = kept
        return True

    def all(self) -> list[int]:
        """The root of each variable."""
        roots = [self.root(v) for v in range(len(self._above))]
        self._domains[:] = [self._domains[v] for v in roots]
        return roots
