"""A heat map: the number of scanned solutions with each atom."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

from rekkyo.model.row import RowShape
from rekkyo.symmetry.atoms import uses_in


class Heat:
    """counts : int64[n_atoms]. n_seen: scanned rows of the source. n_rows: those of them that passed."""

    def __init__(self, shape: RowShape) -> None:
        self.n_seen = 0
        self.n_rows = 0
        self.counts = np.zeros(shape.n_atoms, dtype=np.int64)
        self._shape = shape

    def add(self, n_seen: int, rows: NDArray[Any]) -> None:
        """Count the atoms of the next passing rows. n_seen: scanned so far. rows : uint[n_rows, length]."""
        self.counts += uses_in(self._shape, rows)
        self.n_rows += len(rows)
        self.n_seen = n_seen

    def places(self, atoms_at: dict[tuple[int, int], NDArray[np.int64]]) -> list[tuple[int, int, int]]:
        """Spot, kind and count, for all counts above 0. atoms_at: the atoms of each (spot, kind)."""
        counted = ((place, int(self.counts[atoms].sum())) for place, atoms in atoms_at.items())
        return [(*place, times) for place, times in counted if times]

    def placements(self, atoms: NDArray[np.int64]) -> list[tuple[int, int]]:
        """The given atoms with counts above 0, and their counts, the most frequent first."""
        found = [(int(atom), int(self.counts[atom])) for atom in atoms if self.counts[atom]]
        return sorted(found, key=lambda pair: (-pair[1], pair[0]))
