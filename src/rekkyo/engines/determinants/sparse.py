"""An elimination of a sparse matrix with few operations, recorded once and repeated modulo many primes.

Each step takes the pivot from a row with the fewest entries, and of these the one whose column has the
fewest. So a tree takes a few operations for each vertex, however far its numbers are from the diagonal.
Source: H. M. Markowitz, "The elimination form of the inverse" (1957).

The pivots are chosen modulo one prime, such that none is 0. Modulo another prime one may be 0 nevertheless,
about once in a million cases; then nothing is found.

Left out on purpose: dropping entries that become 0 modulo the first prime, because they may not be 0 modulo
another one.
"""

from __future__ import annotations

from array import array
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from heapq import heapify, heappop, heappush

import numpy as np
from numpy.typing import NDArray

from rekkyo.arrays import unfilled
from rekkyo.engines.contract import Pause, no_pause
from rekkyo.engines.determinants.band_kernel import constants_of, in_montgomery_form
from rekkyo.engines.determinants.matrix import Matrix
from rekkyo.engines.determinants.sparse_kernel import LANES, Lanes, Steps, determinants
from rekkyo.engines.remainders import greatest_primes

STEPS_BETWEEN_PAUSES = 1 << 10


@dataclass(frozen=True, slots=True, eq=False)
class Recorded:
    """values : int64[n_entries]. Of the first slots; the others, up to n_slots, begin with 0."""

    values: NDArray[np.int64]
    n_slots: int
    steps: Steps
    primes_at_once = LANES

    @property
    def n_bytes(self) -> int:
        """The memory of one worker."""
        return 4 * LANES * self.n_slots

    def remainders(self, primes: Sequence[int]) -> list[int] | None:
        """See `Elimination`. Lanes without a prime take the first one."""
        all_primes = [*primes, *[primes[0]] * (LANES - len(primes))]
        ones, inverses = zip(*map(constants_of, all_primes), strict=True)
        lanes = Lanes(
            primes=_words(all_primes),
            ones=_words(ones),
            inverses=_words(inverses),
            found=unfilled(LANES, np.uint64),
            factors=unfilled(LANES, np.uint64),
            times=unfilled(LANES, np.uint64),
        )
        slots = np.zeros((self.n_slots, LANES), dtype=np.uint32)
        modulo = np.array(all_primes, dtype=np.int64)
        slots[: len(self.values)] = in_montgomery_form(self.values[:, None], modulo)
        return lanes.found[: len(primes)].tolist() if determinants(slots, self.steps, lanes) else None


class Singular:
    """The elimination of a matrix with determinant 0."""

    n_bytes = 0
    primes_at_once = LANES

    def remainders(self, primes: Sequence[int]) -> list[int]:
        """See `Elimination`."""
        return [0] * len(primes)


def recorded(matrix: Matrix, most_targets: float, pause: Pause) -> Recorded | Singular | None:
    """The elimination; None if it has more targets, or a row whose entries are all 0 modulo the prime."""
    recorder = _Recorder(matrix)
    for n_before, row in enumerate(recorder.rows_in_order()):
        if n_before % STEPS_BETWEEN_PAUSES == 0:
            pause()
        if not recorder.rows[row]:
            return Singular()
        pivot_column = recorder.column_of_pivot(row)
        if pivot_column is None or len(recorder.targets) > most_targets:
            return None
        recorder.eliminate(row, pivot_column)
    return Recorded(matrix.values, len(recorder.numbers), recorder.steps())


def compile_recorded() -> None:
    """Compile the kernel. A count compiles it where it is chosen, because few are."""
    elimination = recorded(Matrix.of([0], [0], [(0, 0, 1)]), 0, no_pause)
    assert elimination is not None
    elimination.remainders(greatest_primes(1))


class _Recorder:
    """The rows that are left, and the steps so far.

    rows: the slot of each column that the row has an entry in. columns: the rows with an entry. numbers: of
    each slot, modulo the prime.
    """

    def __init__(self, matrix: Matrix) -> None:
        self.prime = greatest_primes(1)[0]
        self.rows: list[dict[int, int]] = [{} for _ in range(matrix.n)]
        self.columns: list[set[int]] = [set() for _ in range(matrix.n)]
        self.numbers: list[int] = (matrix.values % self.prime).tolist()
        for slot, (row, column) in enumerate(zip(matrix.rows.tolist(), matrix.columns.tolist(), strict=True)):
            self.rows[row][column] = slot
            self.columns[column].add(row)
        self.pivots, self.factors, self.sources, self.targets = (array("i") for _ in range(4))
        self.factor_starts, self.source_starts = array("i", [0]), array("i", [0])
        self._shortest = [(len(slots), row) for row, slots in enumerate(self.rows)]

    def rows_in_order(self) -> Iterator[int]:
        """The rows; the next one is always one with the fewest entries."""
        heapify(self._shortest)
        while self._shortest:
            length, row = heappop(self._shortest)
            if length == len(self.rows[row]):  # not if it is eliminated: then it has one less
                yield row

    def column_of_pivot(self, row: int) -> int | None:
        """The column with the fewest entries among those where the row is not 0; None if there is none."""
        candidates = [column for column, slot in self.rows[row].items() if self.numbers[slot]]
        return min(candidates, key=lambda column: len(self.columns[column]), default=None)

    def eliminate(self, row: int, pivot_column: int) -> None:
        """Add multiples of the row to the others, such that these have no entries in the pivot's column."""
        numbers, prime = self.numbers, self.prime
        pivot = self.rows[row].pop(pivot_column)
        sources = list(self.rows[row].items())
        for column in (pivot_column, *self.rows[row]):
            self.columns[column].discard(row)
        self.pivots.append(pivot)
        self.sources.extend(slot for _, slot in sources)
        self.source_starts.append(len(self.sources))
        negative_inverse = -pow(numbers[pivot], -1, prime)
        for other in sorted(self.columns[pivot_column]):
            slots = self.rows[other]
            factor = slots.pop(pivot_column)
            self.factors.append(factor)
            times = numbers[factor] * negative_inverse % prime
            for column, source in sources:
                target = slots.get(column)
                if target is None:
                    target = slots[column] = len(numbers)
                    numbers.append(0)
                    self.columns[column].add(other)
                numbers[target] = (numbers[target] + times * numbers[source]) % prime
                self.targets.append(target)
            heappush(self._shortest, (len(slots), other))
        self.factor_starts.append(len(self.factors))

    def steps(self) -> Steps:
        """The steps as arrays."""
        return Steps(
            *(
                np.array(slots, dtype=np.int32)
                for slots in (
                    self.pivots,
                    self.factor_starts,
                    self.factors,
                    self.source_starts,
                    self.sources,
                    self.targets,
                )
            )
        )


def _words(numbers: Sequence[int]) -> NDArray[np.uint64]:
    return np.array(numbers, dtype=np.uint64)
