"""From an exact cover to the arrays of `kernel.py`.

What a subproblem is remembered by, its *key*, are bits. Where every primary item is covered exactly once and
no item has colours, the items that its options touch are enough: an option is open just when all its items
are. Else the key is the set of its options, and beside it how often the items that are counted are still to
be covered.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from rekkyo.engines.covers.uses import all_uses
from rekkyo.model.exact_cover import ExactCover

Ints = NDArray[np.int32]

WORD = 64

ANY_NUMBER = np.int32(0x7FFFFFFF)
"""The highest number of times for an item that colours alone shut."""


class CoverArrays(NamedTuple):
    """A cover as the kernels read it.

    use_at : int32[n_options + 1]. The uses of option o are those from use_at[o] to use_at[o + 1].
    items, colors : int32[n_uses]. Colours count from 1 for an item that has colours; 0 shuts the item.
    low, high : int32[n_items]. How often an item is to be covered.
    field_at : int32[n_items]. The first key bit for an item that is counted; -1 for others.
    """

    use_at: Ints
    items: Ints
    colors: Ints
    low: Ints
    high: Ints
    field_at: Ints


@dataclass(frozen=True, slots=True, eq=False)
class MemoPlan:
    """by_items: whether keys are sets of items. n_key_words: of a key. field_width: bits of one number in it.

    factor: what the options are worth that are chosen at will. is_hopeless: some item cannot be covered.
    """

    model: ExactCover
    arrays: CoverArrays
    by_items: bool
    n_key_words: int
    field_width: int
    factor: int
    is_hopeless: bool

    @property
    def n_options(self) -> int:
        """Of the search, those without an item that matters included."""
        return len(self.arrays.use_at) - 1


def make_plan(model: ExactCover) -> MemoPlan:
    """The plan of a model."""
    n_primary, n_items = len(model.primary), len(model.primary) + len(model.secondary)
    owners, items, colors = all_uses(model)
    met = np.bincount(items, minlength=n_items)
    has_colors = np.zeros(n_items, dtype=bool)
    has_colors[items[colors > 0]] = True
    low = np.zeros(n_items, dtype=np.int64)
    high = np.ones(n_items, dtype=np.int64)
    # Bounds may be larger than any array holds; nothing is covered more than `most` times.
    most = len(model.options) + 1
    bounds = [(min(lowest, most), min(highest, most)) for lowest, highest in model.bounds]
    low[:n_primary], high[:n_primary] = np.array(bounds or [(1, 1)] * n_primary).T
    is_hopeless = bool((low > met).any())
    high[has_colors] = ANY_NUMBER
    at_will = (low == 0) & (high >= met) & (np.arange(n_items) < n_primary)
    matters = ~at_will[items]
    owners, items, colors = owners[matters], items[matters], colors[matters]
    sizes = np.bincount(owners, minlength=len(model.options))
    is_counted = (high > 1) & ~has_colors & ~at_will
    by_items = bool((low[:n_primary] == 1).all()) and not is_counted.any() and not has_colors.any()
    n_bits = n_items if by_items else len(model.options)
    width = max(1, int(met.max(initial=0)).bit_length())
    field_at, n_bits = _fields(is_counted, n_bits, 2 * width)
    return MemoPlan(
        model,
        CoverArrays(
            use_at=np.concatenate(([0], np.cumsum(sizes))).astype(np.int32),
            items=items.astype(np.int32),
            colors=colors.astype(np.int32),
            low=low.astype(np.int32),
            high=high.astype(np.int32),
            field_at=field_at,
        ),
        by_items=by_items,
        n_key_words=max(1, -(-n_bits // WORD)),
        field_width=width,
        factor=1 << int((sizes == 0).sum()),
        is_hopeless=is_hopeless,
    )


def _fields(is_counted: NDArray[np.bool_], n_bits: int, width: int) -> tuple[Ints, int]:
    """Two numbers for each item that is counted, within one word; and how many bits there are then."""
    field_at = np.full(len(is_counted), -1, dtype=np.int32)
    for item in np.flatnonzero(is_counted):
        if n_bits % WORD + width > WORD:
            n_bits += WORD - n_bits % WORD
        field_at[item] = n_bits
        n_bits += width
    return field_at, n_bits
