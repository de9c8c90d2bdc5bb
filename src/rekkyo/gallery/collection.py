"""All solutions of a gallery, and the answers to questions about them: what passes a filter, in which order.

A filter is a scan over all rows, in blocks, with one look-up for each number of a row that matters. The last
few results are kept as a `Selection`, one bit for each row, so that scrolling needs one scan. Only the order
`least` needs the rows themselves, and is refused beyond a size.
"""

from __future__ import annotations

from collections import OrderedDict
from collections.abc import Iterator
from itertools import pairwise
from math import gcd
from typing import Any

import numpy as np
from numpy.typing import NDArray

from rekkyo.errors import BadInput, GroupTooLarge
from rekkyo.gallery.question import Question
from rekkyo.gallery.selection import Selection
from rekkyo.gallery.source import Source
from rekkyo.model.row import Layout, Row
from rekkyo.render.svg.drawing import painting_of
from rekkyo.render.svg.painting import Pair
from rekkyo.symmetry.group import close
from rekkyo.symmetry.orbits import OrbitSurvey

SCAN_ROWS = 1 << 16
MAX_SELECTIONS_BYTES = 64 << 20
MAX_SORTED_BYTES = 128 << 20
Key = tuple[int, int, tuple[Pair, ...], str]


class Collection:
    """One gallery's solutions. Used by one thread."""

    def __init__(self, source: Source) -> None:
        self.source = source
        self.puzzle = source.puzzle
        self.painting = painting_of(self.puzzle)
        self.survey = self._survey()
        self._shape = self.puzzle.model.row_shape
        self._atoms_with: dict[Pair, NDArray[np.int64]] | None = None
        self._selections: OrderedDict[Key, Selection] = OrderedDict()
        self._sorted: tuple[Key, NDArray[np.int64]] | None = None

    def _survey(self) -> OrbitSurvey | None:
        try:
            return OrbitSurvey(close(self.puzzle.model.row_shape, self.puzzle.generators))
        except GroupTooLarge:
            return None

    @property
    def has_representatives(self) -> bool:
        """Whether one can choose between all solutions and representatives."""
        return self.survey is not None and self.survey.group.order > 1 and self.source.up_to == "none"

    def scan(self, question: Question) -> Iterator[None]:
        """Make the selection that a question needs; a pause between any two parts of the scan."""
        key = self._key(question)
        if key in self._selections or self._takes_all(question):
            return
        if question.only == "representatives" and not self.has_representatives:
            raise BadInput("this gallery has no choice between all solutions and representatives")
        tests = [self._test(pair) for pair in question.where]
        masks: list[NDArray[np.bool_]] = []
        n_rows = 0
        for rows in self.source.rows(0, len(self.source)):
            masks.append(self._mask(rows, tests, question.only))
            n_rows += len(rows)
            if n_rows >= SCAN_ROWS:
                n_rows = 0
                yield
        self._keep(key, Selection(masks))

    def count(self, question: Question) -> int:
        """How many pass. The scan has been made."""
        return len(self.source) if self._takes_all(question) else len(self._selections[self._key(question)])

    def numbers(self, question: Question, start: int, count: int) -> NDArray[np.int64]:
        """The numbers of the solutions start ... of those that pass, in the order asked for."""
        n_passing = self.count(question)
        ranks = np.arange(start, min(start + count, n_passing), dtype=np.int64)
        if question.order == "least":
            return self._in_order(question)[ranks]
        if question.order == "reversed":
            ranks = n_passing - 1 - ranks
        elif question.order == "shuffled":
            ranks = (ranks * _step_of(n_passing) + n_passing // 3) % max(1, n_passing)
        if self._takes_all(question):
            return ranks
        return self._selections[self._key(question)].pick(ranks)

    def rank(self, question: Question, number: int) -> int | None:
        """Where a solution is among those that pass, in the order asked for; None if it does not pass."""
        n_passing = self.count(question)
        if question.order == "least":
            found = np.flatnonzero(self._in_order(question) == number)
            return int(found[0]) if found.size else None
        if self._takes_all(question):
            rank = number if 0 <= number < n_passing else None
        else:
            rank = self._selections[self._key(question)].rank(number)
        if rank is None or question.order == "found":
            return rank
        if question.order == "reversed":
            return n_passing - 1 - rank
        return (rank - n_passing // 3) * pow(_step_of(n_passing), -1, n_passing) % n_passing

    def row(self, number: int) -> Row:
        """One solution. Raises BadInput."""
        if not 0 <= number < len(self.source):
            raise BadInput(f"there is no solution {number}; they go from 0 to {len(self.source) - 1}")
        return tuple(next(self.source.rows(number, number + 1))[0].tolist())

    def rows(self, numbers: NDArray[np.int64]) -> list[list[int]]:
        """Several solutions; those that follow each other are read together."""
        found: list[list[int]] = []
        breaks = (np.flatnonzero(np.diff(numbers) != 1) + 1).tolist()
        for start, stop in pairwise([0, *breaks, len(numbers)] if len(numbers) else []):
            for block in self.source.rows(int(numbers[start]), int(numbers[stop - 1]) + 1):
                found += block.tolist()
        return found

    def orbit(self, row: Row) -> tuple[Row, ...]:
        """All different images of a solution; only itself where the group is too large to list."""
        padded = row + (self._shape.n_values,) * (self._shape.length - len(row))
        return (padded,) if self.survey is None else self.survey.orbit(padded)

    def _takes_all(self, question: Question) -> bool:
        return not question.where and question.only == "all"

    def _key(self, question: Question) -> Key:
        """Rows that were added later, or have other numbers, make a new selection."""
        return self.source.version, len(self.source), question.where, question.only

    def _keep(self, key: Key, selection: Selection) -> None:
        self._selections[key] = selection
        while len(self._selections) > 1 and (
            sum(kept.n_bytes for kept in self._selections.values()) > MAX_SELECTIONS_BYTES
            or len(self._selections) > 256
        ):
            self._selections.popitem(last=False)

    def _test(self, pair: Pair) -> list[tuple[int | None, NDArray[np.bool_]]]:
        """Positions of a row (None: any) and the values there that bring the pair."""
        if self._atoms_with is None:
            self._atoms_with = self._index_atoms()
        atoms = self._atoms_with.get(pair)
        if atoms is None:
            raise BadInput(f"no solution can have thing {pair[1]} at spot {pair[0]}")
        n_values = self._shape.n_values
        if self._shape.layout is Layout.BY_OPTION:
            wanted = np.zeros(self._shape.n_symbols, dtype=bool)
            wanted[atoms] = True
            return [(None, wanted)]
        tests: list[tuple[int | None, NDArray[np.bool_]]] = []
        for position in np.unique(atoms // n_values).tolist():
            wanted = np.zeros(n_values, dtype=bool)
            wanted[atoms[atoms // n_values == position] % n_values] = True
            tests.append((position, wanted))
        return tests

    def _index_atoms(self) -> dict[Pair, NDArray[np.int64]]:
        found: dict[Pair, list[int]] = {}
        for atom in range(self._shape.n_atoms):
            for pair in self.painting.pairs_of_atom(atom):
                found.setdefault(pair, []).append(atom)
        return {pair: np.array(atoms, dtype=np.int64) for pair, atoms in found.items()}

    def _mask(
        self, rows: NDArray[Any], tests: list[list[tuple[int | None, NDArray[np.bool_]]]], only: str
    ) -> NDArray[np.bool_]:
        mask = np.ones(len(rows), dtype=bool)
        for test in tests:
            passes = np.zeros(len(rows), dtype=bool)
            for position, wanted in test:
                passes |= wanted[rows].any(axis=1) if position is None else wanted[rows[:, position]]
            mask &= passes
        if only == "representatives" and self.survey is not None:
            left = np.flatnonzero(mask)
            mask[left] = self.survey.stabilizer_orders(np.ascontiguousarray(rows[left])) > 0
        return mask

    def _in_order(self, question: Question) -> NDArray[np.int64]:
        """The numbers of all that pass, least row first; the last such list is kept."""
        key = self._key(question)
        if self._sorted is not None and self._sorted[0] == key:
            return self._sorted[1]
        n_passing = self.count(question)
        if n_passing * (self._shape.length * 4 + 8) > MAX_SORTED_BYTES:
            raise BadInput(f"{n_passing} solutions are too many to sort; filter them first")
        numbers = self.numbers(Question(question.where, question.only), 0, n_passing)
        rows = np.array(self.rows(numbers) or np.empty((0, self._shape.length)), dtype=">u4")
        order = np.argsort(
            np.ascontiguousarray(rows).view(f"S{4 * self._shape.length}").ravel(), kind="stable"
        )
        self._sorted = key, numbers[order]
        return self._sorted[1]


def _step_of(n: int) -> int:
    """A step that visits 0 ... n - 1 in an order that looks like none: near 0.618 n, coprime to n."""
    step = max(1, round(n * 0.6180339887))
    while gcd(step, n) != 1:
        step += 1
    return step
