"""The rows of a puzzle, found by an engine."""

from __future__ import annotations

import numpy as np

from rekkyo.engines.contract import row_dtype
from rekkyo.engines.covers.bitset.engine import CoverBitset
from rekkyo.engines.covers.cells.engine import CoverCells
from rekkyo.model.lower import lower
from rekkyo.model.puzzle import Puzzle
from rekkyo.symmetry.group import close
from rekkyo.symmetry.orbits import OrbitSurvey
from tests.engines.listing_contract import list_all

Row = tuple[int, ...]


def rows(puzzle: Puzzle) -> list[Row]:
    """All solutions, in lexicographic order."""
    model = lower(puzzle.model)
    engine = CoverBitset() if CoverBitset().accepts(model) else CoverCells()
    return sorted(list_all(engine, model, 1, 1 << 14, 1 << 24))


def counts(puzzle: Puzzle) -> tuple[int, int]:
    """Total and unique. Unique by representatives, and the orbits must hold the total."""
    found = rows(puzzle)
    survey = OrbitSurvey(close(puzzle.model.row_shape, puzzle.generators))
    shape = puzzle.model.row_shape
    table = np.array(found, dtype=row_dtype(shape.n_symbols)).reshape(len(found), shape.length)
    orders = survey.stabilizer_orders(table)
    kept = orders[orders > 0]
    assert (survey.group.order // kept).sum() == len(found)
    return len(found), len(kept)


def group_order(puzzle: Puzzle) -> int:
    return close(puzzle.model.row_shape, puzzle.generators).order
