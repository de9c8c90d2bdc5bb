"""Domains of the variables of a FlatZinc text, before and during the search for bounds."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import TypeAlias

from rekkyo.model.csp.csp import MAX_SPAN

IntSet: TypeAlias = range | frozenset[int]
"""A set of whole numbers: a range of any length, or its members."""


@dataclass(frozen=True, slots=True)
class Unknown:
    """A variable, by its number, where a constant would also be allowed."""

    number: int


Atom = int | Unknown

Value: TypeAlias = "Atom | IntSet | tuple[Value, ...]"
"""What a name or an argument stands for; truth values are 0 and 1."""


@dataclass(slots=True)
class Domain:
    """low, high: None if there is no bound. members: None if all values between the bounds are possible."""

    low: int | None = None
    high: int | None = None
    members: frozenset[int] | None = None

    @classmethod
    def of(cls, values: IntSet | None) -> Domain:
        """The domain in a declaration; None means no bounds."""
        if values is None:
            return cls()
        if isinstance(values, range):
            return cls(values.start, values.stop - 1)
        return cls(min(values, default=1), max(values, default=0), values)

    def is_wide(self) -> bool:
        """Whether the domain is too wide to be searched."""
        return self.low is None or self.high is None or self.high - self.low >= MAX_SPAN

    def narrow(self, low: int | None, high: int | None) -> bool:
        """Keep only values between bounds, None for no bound; returns whether anything changed."""
        before = (self.low, self.high)
        if low is not None and (self.low is None or low > self.low):
            self.low = low
        if high is not None and (self.high is None or high < self.high):
            self.high = high
        return (self.low, self.high) != before

    def keep(self, values: IntSet) -> None:
        """Keep only some values."""
        self.meet(Domain.of(values))

    def meet(self, other: Domain) -> None:
        """Keep only the values that are also in the other domain."""
        self.narrow(other.low, other.high)
        if other.members is not None:
            self.members = other.members if self.members is None else self.members & other.members

    def values(self) -> Sequence[int]:
        """All values, increasing. It must have bounds."""
        assert self.low is not None
        assert self.high is not None
        between = range(self.low, self.high + 1)
        return between if self.members is None else sorted(v for v in self.members if v in between)


def is_within(value: Value, domain: IntSet) -> bool:
    """Whether a number, or each member of a set, is in a domain."""
    if not isinstance(value, range | frozenset):
        return value in domain
    if isinstance(value, range) and isinstance(domain, range):
        return not value or (value[0] in domain and value[-1] in domain)
    return len(value) <= len(domain) and all(member in domain for member in value)


def span(values: Iterable[int]) -> tuple[int, int]:
    """The least and the greatest."""
    listed = list(values)
    return min(listed), max(listed)
