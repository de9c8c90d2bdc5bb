"""The type of methods, their selection by name, and their run with a tally.

A *ladder* is a sequence of methods for one puzzle, each an improvement of the one before. One method finds
every solution, another half of them, a third one of each orbit. So a method reports each row that it finds
with a *weight*, the number of solutions that the row represents, and all methods share one tally:

    total  = sum of weight
    unique = sum of weight / size of the row's orbit

The second line is correct because an orbit of s solutions receives the weight s in total, and so adds s / s =
1. It is computed in integers: in a group of order g every s divides g, so the sum of weight * (g / s) must be
a multiple of g.

*Nodes* are the unit of work. A node is a value written into the row that has passed every check of the method
at that point, even if it leads to no solution. Candidates that a check rejects are not nodes. So methods with
the same search tree report the same nodes, and the cost of their checks appears in the seconds.

This module has no code for specific puzzles. Left out on purpose: threads, progress, interruption;
`rekkyo.search` has them.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, replace
from typing import Any, Literal, NamedTuple, TypeAlias

from rekkyo.errors import BadInput, CountsDisagree, fix_for_name
from rekkyo.model.row import Row

Found: TypeAlias = Callable[[Sequence[int], int], None]
"""Called with each row that a search finds, and its weight."""


class Effort(NamedTuple):
    """The nodes of a search, and lines that describe it."""

    nodes: int
    story: tuple[str, ...]


Search: TypeAlias = Callable[[int, Found], int | Effort]
"""A search of the puzzle of the given size; returns its nodes, or also lines that describe it."""

Show: TypeAlias = Callable[[int, Sequence[int]], None]
"""Called with the running number, from 1, and the row of each solution."""

SearchSpace: TypeAlias = Callable[[int], dict[str, int | None]]
"""Exact sizes of parts of the search space of a size, by name; None if a count takes too long."""

Construction: TypeAlias = Callable[[Row], Sequence[str]]
"""Lines that describe the construction of a solution."""

Form: TypeAlias = Literal["recursive", "iterative"]
FORMS: tuple[Form, ...] = ("recursive", "iterative")


@dataclass(frozen=True, slots=True)
class Method:
    """One algorithm in one form.

    name, form: together they identify the method; two forms of one name make the same decisions.
    title, explanation: for readers; the explanation is two or three sentences.
    symmetries: the images of a row under every element of the puzzle's group, repeats included.
    practical_up_to: the largest size that takes at most about a minute in CPython.
    transposed: the place of number k of a row in a picture with one mark per line: False puts it into row k,
        True into column k.
    search_space: counts of the search space, for techniques with known counts.
    first_found_up_to: the largest size whose first solutions are found within about a minute.
    construction: shown for the first solution.
    """

    name: str
    title: str
    explanation: str
    search: Search
    symmetries: Callable[[Sequence[int]], Sequence[Row]]
    practical_up_to: int
    form: Form = "recursive"
    transposed: bool = False
    search_space: SearchSpace | None = None
    first_found_up_to: int = 0
    construction: Construction | None = None

    def finishes_soon(self, n: int, limit: int | None) -> bool:
        """Whether all solutions, or the first few, of a size are found within about a minute."""
        return n <= self.practical_up_to or (limit is not None and n <= self.first_found_up_to)


def both_forms(*, searches: tuple[Search, Search], **facts: Any) -> tuple[Method, Method]:
    """The recursive and the iterative form of one method; facts: the fields of `Method` for both."""
    recursive = Method(search=searches[0], **facts)
    return recursive, replace(recursive, form="iterative", search=searches[1])


@dataclass(frozen=True, slots=True)
class Outcome:
    """The result and the cost of one run of a method.

    unique, nodes: None if the run was stopped at a limit: orbits may be incomplete, nodes are not reported.
    """

    total: int
    unique: int | None
    nodes: int | None
    elapsed_s: float
    story: tuple[str, ...] = ()


def run_method(method: Method, n: int, show: Show | None = None, limit: int | None = None) -> Outcome:
    """Search the puzzle of size n and tally the solutions; `show` is called with every row when it is found.

    limit: stop after this number of rows. The seconds include the tally, which costs little, and `show`.
    Raises BadInput for a size or a limit below 1, CountsDisagree if the weights cannot be right.
    """
    if n < 1:
        raise BadInput(f"{method.name}: the size must be at least 1, not {n}")
    if limit is not None and limit < 1:
        raise BadInput(f"{method.name}: the limit must be at least 1, not {limit}")
    tally = _Tally(method, show, limit)
    start = time.perf_counter()
    try:
        effort = method.search(n, tally.add)
    except _Enough:
        return Outcome(tally.total, None, None, time.perf_counter() - start, tally.construction())
    elapsed_s = time.perf_counter() - start
    nodes, story = effort if isinstance(effort, Effort) else (effort, ())
    return Outcome(tally.total, tally.unique(), nodes, elapsed_s, (*story, *tally.construction()))


class _Enough(Exception):
    """Ends a search at the limit."""


class _Tally:
    """Adds up weights and shares of orbits."""

    def __init__(self, method: Method, show: Show | None, limit: int | None) -> None:
        self.method = method
        self.show = show
        self.limit = limit
        self.first: Row | None = None
        self.n_found = 0
        self.total = 0
        self.group_order = 1
        self.orbit_shares = 0
        """Sum of weight / orbit size, in units of 1 / group_order."""

    def add(self, row: Sequence[int], weight: int) -> None:
        self.n_found += 1
        if self.first is None:
            self.first = tuple(row)
        if self.show is not None:
            self.show(self.n_found, row)
        images = self.method.symmetries(row)
        self.group_order = len(images)
        self.total += weight
        self.orbit_shares += weight * (self.group_order // len(set(images)))
        if self.n_found == self.limit:
            raise _Enough

    def construction(self) -> tuple[str, ...]:
        if self.first is None or self.method.construction is None:
            return ()
        return tuple(self.method.construction(self.first))

    def unique(self) -> int:
        unique, remainder = divmod(self.orbit_shares, self.group_order)
        if remainder:
            raise CountsDisagree(
                f"{self.method.name} ({self.method.form}): the weights of the solutions found add up to"
                f" {self.orbit_shares}/{self.group_order} orbits, which is not a whole number"
            )
        return unique


def method_names(methods: Iterable[Method]) -> tuple[str, ...]:
    """The different names, in the order of the ladder."""
    return tuple(dict.fromkeys(method.name for method in methods))


def find_method(methods: Iterable[Method], name: str, form: str = "recursive") -> Method:
    """The method of that name in that form, or in its only form. Raises BadInput."""
    named = {(method.name, method.form): method for method in methods}
    _check_known("method", name, [known for known, _ in named])
    _check_known("form", form, FORMS)
    forms = [method for (known, _), method in named.items() if known == name]
    return next((method for method in forms if method.form == form), forms[0])


def _check_known(kind: str, word: str, known: Sequence[str]) -> None:
    if word not in known:
        raise BadInput(f'unknown {kind} "{word}"; {fix_for_name(word, list(dict.fromkeys(known)))}')
