"""The plan of `cover-bitset`."""

from __future__ import annotations

from dataclasses import dataclass

from rekkyo.bits import Words
from rekkyo.engines.covers.bitset.kernel_frame import Counted, Tables


@dataclass(frozen=True, slots=True, eq=False)
class BitsetPlan:
    """The tables of a model, see `kernel_frame`.

    n_open: the number of items that must be covered. n_levels: the levels of a cursor, see `Cursor`.
    root : uint64[words], the options that are live at first. order: the order of options in which a search
           for representatives compares rows; None in other searches.
    counted: information on the items that are not covered exactly once.
    first: the row of a pivot that rules out options of other items, which is always decided first; or None.
    n_ruling: the number of rows with options that such a pivot rules out, just before the zero row.
    """

    tables: Tables
    n_open: int
    n_levels: int
    root: Words
    order: tuple[int, ...] | None
    counted: Counted
    first: int | None
    n_ruling: int

    @property
    def has_counts(self) -> bool:
        """Whether any item is counted."""
        return len(self.counted.later) > 0

    def row(self, number: int) -> Words:
        """The options of a row of frame 0 as bits."""
        words = int(self.tables.shape[0])
        return self.tables.rows[number * words : (number + 1) * words]
