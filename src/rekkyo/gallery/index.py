"""A bitmap index: it stores, for each requested mark, which solutions have the mark.

The bits of a mark are computed by one scan of the rows, and cached. A filter of many conditions is computed
from the bits of its marks, so that another combination of known marks needs no rows. Bits are appended in
parts. An interrupted scan is continued by the next request, and of a run that grows only the new rows are
scanned.
"""

from __future__ import annotations

from collections import OrderedDict
from collections.abc import Iterator, Sequence
from functools import cached_property
from typing import Any

import numpy as np
from numpy.typing import NDArray

from rekkyo.errors import BadInput
from rekkyo.gallery.marks import are_symmetric, have_any
from rekkyo.gallery.question import Mark
from rekkyo.gallery.selection import Bits
from rekkyo.gallery.source import Source
from rekkyo.render.svg.painting import Painting, Pair
from rekkyo.symmetry.orbits import OrbitSurvey

SCAN_ROWS = 1 << 16
MAX_INDEX_BYTES = 64 << 20

REPRESENTATIVE, SYMMETRIC = (-1,), (-2,)
"""Marks that are not in a drawing: to be the least of an orbit, and to be unchanged by some symmetry."""


class Index:
    """The bits of the requested marks. Only one thread may use it."""

    def __init__(self, source: Source, painting: Painting, survey: OrbitSurvey | None) -> None:
        self._source = source
        self._painting = painting
        self._survey = survey
        self._shape = painting.shape
        self._bits: OrderedDict[Mark, Bits] = OrderedDict()
        self._version = source.version

    def scan(self, marks: Sequence[Mark]) -> Iterator[int]:
        """Compute the bits of these marks for all rows; yields the number of scanned rows after each part.

        Rows may be added, or get other numbers, between two parts. Raises BadInput.
        """
        atoms = {mark: self._atoms(mark) for mark in marks}
        while marks:
            bits = self._current(marks)
            start = min(found.n_seen for found in bits.values())
            if start == len(self._source):
                return
            behind = [mark for mark in marks if bits[mark].n_seen == start]
            limits = [found.n_seen for found in bits.values() if found.n_seen > start]
            stop = min(start + SCAN_ROWS, len(self._source), *limits)
            rows = self._source.rows(start, stop)
            for mark in behind:
                bits[mark].add(self._mask(rows, mark, atoms[mark]))
            yield stop

    def packed(self, mark: Mark) -> NDArray[np.uint8]:
        """The bits of a mark, after its scan."""
        return self._bits[mark].packed()

    @cached_property
    def atoms_with(self) -> dict[Pair, NDArray[np.int64]]:
        """For each (spot, thing) the atoms that have it."""
        found: dict[Pair, list[int]] = {}
        for atom in range(self._shape.n_atoms):
            for pair in self._painting.pairs_of_atom(atom):
                found.setdefault(pair, []).append(atom)
        return {pair: np.array(atoms, dtype=np.int64) for pair, atoms in found.items()}

    def _current(self, marks: Sequence[Mark]) -> dict[Mark, Bits]:
        if self._version != self._source.version:
            self._bits.clear()
            self._version = self._source.version
        for mark in marks:
            self._bits.setdefault(mark, Bits())
            self._bits.move_to_end(mark)
        for old in [mark for mark in self._bits if mark not in marks]:
            if sum(found.n_bytes for found in self._bits.values()) <= MAX_INDEX_BYTES:
                break
            del self._bits[old]
        return {mark: self._bits[mark] for mark in marks}

    def _atoms(self, mark: Mark) -> NDArray[np.int64]:
        """The atoms that have a mark; empty for marks that are not in a drawing."""
        if mark in (REPRESENTATIVE, SYMMETRIC):
            return np.zeros(0, dtype=np.int64)
        if len(mark) == 1:
            most = self._shape.n_atoms - 1
            if mark[0] > most:
                raise BadInput(f"there is no placement {mark[0]}; they go from 0 to {most}")
            return np.array(mark, dtype=np.int64)
        spot, thing = mark
        if (spot, thing) not in self.atoms_with:
            raise BadInput(f"no solution can have thing {thing} at spot {spot}")
        return self.atoms_with[spot, thing]

    def _mask(self, rows: NDArray[Any], mark: Mark, atoms: NDArray[np.int64]) -> NDArray[np.bool_]:
        if self._survey is not None and mark == REPRESENTATIVE:
            return self._survey.stabilizer_orders(rows) > 0
        if self._survey is not None and mark == SYMMETRIC:
            return are_symmetric(self._survey, rows)
        return have_any(self._shape, rows, atoms)
