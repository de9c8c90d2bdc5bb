"""The elimination of a matrix whose numbers are near the diagonal; see `band_kernel.py`."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from rekkyo.engines.determinants.band_kernel import constants_of, determinant, in_montgomery_form
from rekkyo.engines.determinants.matrix import Matrix


@dataclass(frozen=True, slots=True, eq=False)
class Banded:
    """The matrix as a band."""

    matrix: Matrix
    primes_at_once = 1

    @property
    def width(self) -> int:
        """The numbers in a row, with room for exchanges."""
        return 2 * self.matrix.below + self.matrix.above + 1

    @property
    def n_bytes(self) -> int:
        """See `Elimination`."""
        return 4 * self.matrix.n * self.width

    def remainders(self, primes: Sequence[int]) -> list[int]:
        """See `Elimination`."""
        return [self._remainder(prime) for prime in primes]

    def _remainder(self, prime: int) -> int:
        matrix = self.matrix
        band = np.zeros((matrix.n, self.width), dtype=np.uint32)
        places = matrix.columns - matrix.rows + matrix.below
        band[matrix.rows, places] = in_montgomery_form(matrix.values, prime)
        one, inverse = constants_of(prime)
        return int(determinant(band, matrix.below, *map(np.uint64, (one, prime, inverse))))
