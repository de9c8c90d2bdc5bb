"""Which items ask for a secondary item: all their options give it a colour. See `kernel_support`."""

from __future__ import annotations

from typing import TypeAlias

import numpy as np
from numpy.typing import NDArray

from rekkyo.arrays import read_only
from rekkyo.bits import Words
from rekkyo.engines.covers.bitset.kernel_frame import IDLE, Asks
from rekkyo.engines.covers.uses import Numbers

Flags: TypeAlias = NDArray[np.bool_]

MOST_ASKERS = 63
"""The most items that ask for one secondary item; further ones are ignored."""

GIVEN = np.uint64(1 << MOST_ASKERS)
"""The bit that every use has in `Asks.bits`."""

LEAST_ASKERS = 3
"""The least items that ask for a secondary item. With two, as for edges of tiles that match, checks took
longer than they saved."""

OPEN_PART = 4, 5
"""The part of the items that are open as long as the search looks. Costas arrays of order 10 take 0.09 s,
0.15 with two thirds, and 0.47 without checks."""

MOST_PAIRS = 1 << 20
"""The most pairs of a primary item and a row of another item; models with more pairs are not checked."""

_NOTHING = np.zeros(0, dtype=np.uint64)

NOBODY = read_only(Asks(_NOTHING, _NOTHING, _NOTHING, _NOTHING, _NOTHING, least_open=np.array([IDLE])))
"""Read-only before the first plan, because kernels are compiled again for arrays that may be written."""


def find_asks(options: Numbers, rows: Numbers, classes: Words, may_ask: Flags) -> Asks:
    """Find the items that ask for secondary items with enough askers, and all colours given to those.

    options : int64[n_uses].    Of each use, option by option.
    rows    : int64[n_uses].    The row of the item. Those of primary items come first.
    classes : uint64[n_uses].   The row of the colour class; the greatest row of all if it has no colour.
    may_ask : bool[n_primary].  Whether a primary item is covered exactly once.
    """
    shape = len(may_ask), int(rows.max(initial=0)) + 1
    colored, of_primary = np.flatnonzero(classes != classes.max(initial=0)), np.flatnonzero(rows < shape[0])
    if not len(colored) or not len(of_primary) or shape[0] * shape[1] > MOST_PAIRS:
        return NOBODY
    use, of_option = _pairs(options, colored, of_primary)
    pair = rows[of_option] * shape[1] + rows[use]
    n_colored = np.bincount(pair, minlength=shape[0] * shape[1]).reshape(shape)
    n_users = np.bincount(rows)
    n_own = n_users[: shape[0], np.newaxis]
    asks = (n_colored == n_own) & may_ask[:, np.newaxis]
    asks &= asks.sum(axis=0) >= LEAST_ASKERS
    gives = colored[asks.any(axis=0)[rows[colored]]]
    if not len(gives):
        return NOBODY
    bits = np.full(len(rows), GIVEN)
    is_asking = asks.ravel()[pair]
    np.bitwise_or.at(bits, use[is_asking], _bit_of_each(asks).ravel()[pair[is_asking]])
    n_given = np.bincount(options[gives], minlength=int(options[-1]) + 1)
    all_classes, first = np.unique(classes[gives], return_index=True)
    return Asks(
        starts=np.concatenate([[0], np.cumsum(n_given)]).astype(np.uint64),
        gives=classes[gives],
        bits=bits[gives],
        classes=all_classes,
        items=rows[gives[first]].astype(np.uint64),
        least_open=np.array([-(-shape[0] * OPEN_PART[0] // OPEN_PART[1])], dtype=np.uint64),
    )


def _pairs(options: Numbers, some: Numbers, others: Numbers) -> tuple[Numbers, Numbers]:
    """All pairs of a use from `some` and a use from `others` that belong to the same option."""
    first, stop = (np.searchsorted(options[others], options[some], side) for side in ("left", "right"))
    n_each = stop - first
    ends = np.cumsum(n_each)
    place = np.arange(int(ends[-1])) + np.repeat(first - ends + n_each, n_each)
    return np.repeat(some, n_each), others[place]


def _bit_of_each(asks: Flags) -> Words:
    """For each item that asks, a bit of its own among those that ask for the same; none after MOST_ASKERS."""
    number = np.cumsum(asks, axis=0) - 1
    bits = np.uint64(1) << (number & MOST_ASKERS).astype(np.uint64)
    return np.where(asks & (number < MOST_ASKERS), bits, np.uint64(0))
