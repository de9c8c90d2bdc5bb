"""All solutions of a gallery, and answers to questions about them: which pass a filter, and in which order.

A filter is computed from the bits of an `Index` as a `Selection`, so that scrolling needs only the rows that
are shown. Only the order `least` needs the rows of all that pass, and is refused beyond a size.
"""

from __future__ import annotations

from collections import OrderedDict
from collections.abc import Callable, Generator, Iterator, Sequence
from contextlib import closing
from functools import cached_property
from itertools import chain, pairwise
from math import gcd
from typing import Any, TypeAlias, TypeVar

import numpy as np
from numpy.typing import NDArray

from rekkyo.errors import BadInput, GroupTooLarge
from rekkyo.gallery.heat import Heat
from rekkyo.gallery.index import REPRESENTATIVE, SCAN_ROWS, SYMMETRIC, Index
from rekkyo.gallery.kinds import Kinds, kinds_of
from rekkyo.gallery.lookup import Lookup
from rekkyo.gallery.question import Mark, Question
from rekkyo.gallery.selection import Selection
from rekkyo.gallery.source import Source
from rekkyo.model.row import Row
from rekkyo.render.svg.drawing import painting_of
from rekkyo.symmetry.classes import keys_of
from rekkyo.symmetry.group import close
from rekkyo.symmetry.orbits import OrbitSurvey

MAX_KEPT = 16
"""The number of cached selections, heat maps and orbits."""
MAX_IMAGES = 48
"""The most images of a solution that are shown."""
MAX_SORTED_ROWS = 2_000_000

Key: TypeAlias = tuple[int, int, Question]
"""Version of the source, its number of rows, and the question in the order `found`."""

_Key = TypeVar("_Key")
_Value = TypeVar("_Value")


class Collection:
    """The solutions of a gallery. Used by one thread."""

    def __init__(self, source: Source) -> None:
        self.source = source
        self.puzzle = source.puzzle
        self.painting = painting_of(self.puzzle)
        self.survey = self._survey()
        self.index = Index(source, self.painting, self.survey)
        self._selections: OrderedDict[Key, Selection] = OrderedDict()
        self._heats: OrderedDict[tuple[int, Question], Heat] = OrderedDict()
        self._lookups: OrderedDict[tuple[int, Row], Lookup] = OrderedDict()
        self._sorted: tuple[Key, NDArray[np.int64]] | None = None

    @cached_property
    def kinds(self) -> Kinds:
        """The kinds in the palette."""
        return kinds_of(self.puzzle, self.painting)

    def _survey(self) -> OrbitSurvey | None:
        try:
            return OrbitSurvey(close(self.puzzle.model.row_shape, self.puzzle.generators))
        except GroupTooLarge:
            return None

    @property
    def has_symmetry(self) -> bool:
        """Whether the filter for solutions that some symmetry leaves unchanged is available."""
        return self.survey is not None and self.survey.group.order > 1

    @property
    def has_representatives(self) -> bool:
        """Whether the choice between all solutions and representatives is available."""
        return self.has_symmetry and self.source.up_to == "none"

    def scan(self, question: Question) -> Iterator[int]:
        """Scan the rows that a question needs; yields the number of scanned rows after each part.

        It may be stopped at any time, and a new call continues it. Raises BadInput.
        """
        if "representatives" in question.only and not self.has_representatives:
            raise BadInput("this gallery has no choice between all solutions and representatives")
        if "symmetric" in question.only and not self.has_symmetry:
            raise BadInput("no symmetry of this puzzle is known, or its group is too large to list")
        yield from self.index.scan(_marks(question))

    def count(self, question: Question) -> int:
        """The number of solutions that pass, after the scan."""
        return len(self.source) if _takes_all(question) else len(self._selection(question))

    def numbers(self, question: Question, start: int, count: int) -> NDArray[np.int64]:
        """The numbers of `count` passing solutions from `start` on, in the order of the question."""
        n_passing = self.count(question)
        ranks = np.arange(start, min(start + count, n_passing), dtype=np.int64)
        if question.order == "least":
            return self._in_order(question)[ranks]
        if question.order == "reversed":
            ranks = n_passing - 1 - ranks
        elif question.order == "shuffled":
            ranks = (ranks * _step_of(n_passing) + n_passing // 3) % max(1, n_passing)
        return ranks if _takes_all(question) else self._selection(question).pick(ranks)

    def rank(self, question: Question, number: int) -> int | None:
        """The index of a solution among those that pass, in the order of the question, or None."""
        n_passing = self.count(question)
        if question.order == "least":
            found = np.flatnonzero(self._in_order(question) == number)
            return int(found[0]) if found.size else None
        if _takes_all(question):
            rank = number if 0 <= number < n_passing else None
        else:
            rank = self._selection(question).rank(number)
        if rank is None or question.order == "found":
            return rank
        if question.order == "reversed":
            return n_passing - 1 - rank
        return (rank - n_passing // 3) * pow(_step_of(n_passing), -1, n_passing) % n_passing

    def row(self, number: int) -> Row:
        """One solution. Raises BadInput."""
        if not 0 <= number < len(self.source):
            raise BadInput(f"there is no solution {number}; they go from 0 to {len(self.source) - 1}")
        return tuple(self.source.rows(number, number + 1)[0].tolist())

    def rows(self, numbers: NDArray[np.int64]) -> list[list[int]]:
        """Several solutions; consecutive ones are read together."""
        found: list[list[int]] = []
        breaks = (np.flatnonzero(np.diff(numbers) != 1) + 1).tolist()
        for start, stop in pairwise([0, *breaks, len(numbers)] if len(numbers) else []):
            found += self.source.rows(int(numbers[start]), int(numbers[stop - 1]) + 1).tolist()
        return found

    def passing(self, question: Question, start: int = 0) -> Generator[tuple[int, NDArray[Any]]]:
        """The passing rows from solution `start` on, in the order `found`, in parts; and the scanned rows.

        These are of the solutions at the time of the call, whose numbers stay the same until the end.
        """
        selection = None if _takes_all(question) else self._selection(question)
        n_rows = len(self.source)
        with self.source.numbers_kept():
            while start < n_rows:
                stop = min(start + SCAN_ROWS, n_rows)
                mask = None if selection is None else selection.mask(start, stop)
                rows = self.source.rows(start, stop if mask is None or mask.any() else start)
                yield stop, rows if mask is None or not mask.any() else rows[mask]
                start = stop

    def heat(self, question: Question) -> Heat:
        """The number of passing solutions with each atom, as far as they were scanned."""
        key = self.source.version, _unordered(question)
        return _kept(self._heats, key, lambda: Heat(self.painting.shape))

    def scan_heat(self, question: Question) -> Iterator[int]:
        """Scan, and then count the atoms of all solutions that pass; as `scan`.

        Between two parts another call may go on with the same heat map, and the source may grow.
        """
        yield from self.scan(question)
        while (heat := self.heat(question)).n_seen < len(self.source):
            with closing(self.passing(question, heat.n_seen)) as parts:
                heat.add(*next(parts))
            yield heat.n_seen
            yield from self.scan(question)

    def orbit(self, row: Row) -> tuple[Row, ...]:
        """All different images of a solution; only itself if the group is too large to list."""
        shape = self.puzzle.model.row_shape
        padded = row + (shape.n_values,) * (shape.length - len(row))
        return (padded,) if self.survey is None else self.survey.orbit(padded)

    def images(self, row: Row) -> Lookup:
        """The first images of a solution and their numbers, as far as they were scanned for."""
        images = self.orbit(row)[:MAX_IMAGES]
        key = self.source.version, images[0]
        return _kept(self._lookups, key, lambda: Lookup(self.source, images))

    def rows_to_sort(self, question: Question) -> Iterator[NDArray[Any]] | None:
        """The solutions that pass, in parts; None if their order is known. Raises BadInput."""
        if question.order != "least" or (self._sorted is not None and self._sorted[0] == self._key(question)):
            return None
        n_passing = self.count(question)
        if n_passing > MAX_SORTED_ROWS:
            raise BadInput(
                f"{n_passing:,} solutions are too many to sort; filter them first,"
                f" to {MAX_SORTED_ROWS:,} at most"
            )
        return chain([self.source.rows(0, 0)], (rows for _, rows in self.passing(question)))

    def keep_order(self, question: Question, order: NDArray[np.int64]) -> None:
        """Cache the order of the solutions that pass."""
        self._sorted = self._key(question), self.numbers(_unordered(question), 0, len(order))[order]

    def _in_order(self, question: Question) -> NDArray[np.int64]:
        """The numbers of all solutions that pass, least row first; the last such list is cached."""
        parts = self.rows_to_sort(question)
        if parts is not None:
            self.keep_order(question, least_first(list(parts)))
        assert self._sorted is not None
        return self._sorted[1]

    @property
    def state(self) -> tuple[int, int]:
        """Version and number of rows of the source: new rows, or other numbers, make new selections."""
        return self.source.version, len(self.source)

    def _key(self, question: Question) -> Key:
        return *self.state, _unordered(question)

    def _selection(self, question: Question) -> Selection:
        return _kept(self._selections, self._key(question), lambda: self._select(question))

    def _select(self, question: Question) -> Selection:
        n_rows = len(self.source)
        bits = np.full(-(-n_rows // 8), 0xFF, dtype=np.uint8)
        for clause in question.where:
            any_of = np.zeros_like(bits)
            for literal in clause:
                packed = self.index.packed(literal.mark)
                any_of |= ~packed if literal.negated else packed
            bits &= any_of
        for mark in _marks_of_kind(question.only):
            bits &= self.index.packed(mark)
        if question.among is not None:
            bits &= self._named(question.among, n_rows)
        return Selection(bits, n_rows)

    def _named(self, names: tuple[str, ...], n_rows: int) -> NDArray[np.uint8]:
        mask = np.zeros(n_rows, dtype=bool)
        for name in names:
            number = self.source.number(name)
            if number >= n_rows:
                raise BadInput(f"there is no solution {number}; they go from 0 to {n_rows - 1}")
            mask[number] = True
        return np.packbits(mask)


def least_first(parts: Sequence[NDArray[Any]]) -> NDArray[np.int64]:
    """The order of rows, which are in one part or more, from the least to the greatest."""
    return keys_of(np.concatenate(parts)).argsort(kind="stable")


def _kept(kept: OrderedDict[_Key, _Value], key: _Key, make: Callable[[], _Value]) -> _Value:
    if key not in kept:
        kept[key] = make()
    kept.move_to_end(key)
    while len(kept) > MAX_KEPT:
        kept.popitem(last=False)
    return kept[key]


def _unordered(question: Question) -> Question:
    return Question(question.where, question.only, among=question.among)


def _takes_all(question: Question) -> bool:
    return not question.where and question.only == "all" and question.among is None


def _marks(question: Question) -> list[Mark]:
    literals = {literal.mark for clause in question.where for literal in clause}
    return [*sorted(literals), *_marks_of_kind(question.only)]


def _marks_of_kind(only: str) -> list[Mark]:
    kinds = {"representatives": REPRESENTATIVE, "symmetric": SYMMETRIC}
    return [mark for kind, mark in kinds.items() if kind in only]


def _step_of(n: int) -> int:
    """A step that visits 0 ... n - 1 in a pseudo-random order: near 0.618 n, coprime to n."""
    step = max(1, round(n * 0.6180339887))
    while gcd(step, n) != 1:
        step += 1
    return step
