"""The arrays that a search with dancing cells reads and changes.

One use is one item in one option. Uses are numbered option by option; `cells` holds their numbers item by
item, those of one item as one sparse set:

    uses    | option 0 | option 1    | option 2 | …         bounded by option_start
    cells   | item 0              | item 1   | item 2 | …   bounded by items[:, START]
                └ size ┘└ gone ┘

An item is closed while no option can be chosen or lost through it any more: a primary item that is covered
as often as it may be, a secondary item that has been used. The set of a closed item is left as it is.
"""

from __future__ import annotations

from typing import NamedTuple, TypeAlias

import numpy as np
from numpy.typing import NDArray

from rekkyo.bits import Words

OPEN = -1

# Columns of Cover.uses.
ITEM, COLOR, OPTION = 0, 1, 2
# Columns of Cursor.items.
START, SIZE, NEED, ROOM, CLOSED_AT = 0, 1, 2, 3, 4
# Columns of Cursor.levels.
CHOSEN, MARK = 0, 1
# Places in Cursor.state.
DEPTH, FIRST_DEPTH, TRAIL_TOP, IS_DONE = 0, 1, 2, 3

Ints: TypeAlias = NDArray[np.int32]


class Cover(NamedTuple):
    """The model as arrays; never changed by a search.

    uses         : int32[n_uses, 3]. The item of a use, its colour (0 for none) and its option.
    option_start : int32[n_options + 1]. The uses of option o are option_start[o] … option_start[o + 1] - 1.
    optional     : int32[k]. The primary items with low < high, in increasing order.
    """

    uses: Ints
    option_start: Ints
    optional: Ints


class Cursor(NamedTuple):
    """The state of a search between two calls; every array is changed in place.

    cells  : int32[n_uses]. The sparse sets of the items, see the drawing above.
    place  : int32[n_uses]. Where a use stands: cells[place[use]] == use.
    items  : int32[n_items, 5]. For each item
             START      the first of its cells; never changed,
             SIZE       how many of its options may still be chosen,
             NEED       how many more times it must be covered; at most 0 when it need not be,
             ROOM       how many more times it may be covered, 1 for a secondary item that is not in use,
             CLOSED_AT  the depth at which it was closed, OPEN while it is not.
    needy  : uint64[ceil(n_primary / 64)]. Bit i % 64 of word i // 64: item i has NEED > 0.
    trail  : int32[n_uses]. The items whose SIZE was lowered by one, in that order.
    levels : int32[length + 1, 2]. The option chosen at a depth, and where its part of the trail begins.
    state  : int64[4]. Depth, the first depth that this shard decides, end of the trail, whether done.
    """

    cells: Ints
    place: Ints
    items: Ints
    needy: Words
    trail: Ints
    levels: Ints
    state: NDArray[np.int64]
