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

from rekkyo.arrays import read_only
from rekkyo.bits import Words
from rekkyo.engines.covers.uses import all_uses
from rekkyo.engines.limbs import Limbs
from rekkyo.model.exact_cover import ExactCover

Ints = NDArray[np.int32]
Longs = NDArray[np.int64]

WORD = 64

ANY_NUMBER = np.int32(0x7FFFFFFF)
"""The highest number of times for an item that colours alone shut."""


class Cover(NamedTuple):
    """A model as the kernels read it.

    use_at : int32[n_options + 1]. The uses of option o are those from use_at[o] to use_at[o + 1].
    items, colors : int32[n_uses]. Colours count from 1 for an item that has colours; 0 shuts the item.
    low, high : int32[n_items]. How often an item is to be covered.
    field_at : int32[n_items]. The first key bit for an item that is counted; -1 for others.
    by_items : whether keys are sets of items. field_width: bits of one number in a key.
    """

    use_at: Ints
    items: Ints
    colors: Ints
    low: Ints
    high: Ints
    field_at: Ints
    by_items: bool
    field_width: int


class Marks(NamedTuple):
    """What the choices on the path have done.

    times : int32[n_items], how often the options on the path cover the item.
    items, colors : int64, int32[n_items], the stamp of a choice that shuts the item, and the colour that is
        let through; 0 for none.
    options : int64[n_options], the stamp of a choice that passes an option over.
    """

    times: Ints
    items: Longs
    colors: Ints
    options: Longs


class Parts(NamedTuple):
    """int32[n_items] each, to work in: in how many open options an item is, and to which part it belongs."""

    sizes: Ints
    roots: Ints
    labels: Ints


class Work(NamedTuple):
    """The state of a search; every array is changed in place. A depth is a branch and the product below it.

    Kernels are handed the parts of it that they need, because a call copies what says where each array is.

    arena, product, branch : see `kernel`; int32[...], int64[n_depths, 3], int64[n_depths, 11].
    products, sums : uint64[n_depths, n_limbs]. path : uint64[n_depths, n_key_words], keys of the branches.
    places : uint32[2^k], numbers of entries; keys, values : a row for each entry. spare : uint64[1, n_limbs].
    head : int64[5], see `kernel`.
    """

    marks: Marks
    parts: Parts
    arena: Ints
    product: Longs
    branch: Longs
    products: Limbs
    sums: Limbs
    path: Words
    places: NDArray[np.uint32]
    keys: Words
    values: Limbs
    spare: Limbs
    head: Longs


@dataclass(frozen=True, slots=True, eq=False)
class MemoPlan:
    """n_key_words: of a key.

    factor: what the options are worth that are chosen at will. is_hopeless: some item cannot be covered.
    """

    model: ExactCover
    cover: Cover
    n_key_words: int
    factor: int
    is_hopeless: bool

    @property
    def n_options(self) -> int:
        """Of the search, those without an item that matters included."""
        return len(self.cover.use_at) - 1


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
    cover = Cover(
        use_at=np.concatenate(([0], np.cumsum(sizes))).astype(np.int32),
        items=items.astype(np.int32),
        colors=colors.astype(np.int32),
        low=low.astype(np.int32),
        high=high.astype(np.int32),
        field_at=field_at,
        by_items=by_items,
        field_width=width,
    )
    return MemoPlan(
        model,
        read_only(cover),
        n_key_words=max(1, -(-n_bits // WORD)),
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
