"""The arrays of a search over option bitsets: what the plan holds and what a cursor holds.

The options that can still be chosen are the set bits of one bit vector, `live`. Every item has a row: the
options that name it. A search runs in *frames*. Frame 0 is the whole model, as many words wide as its options
need. As soon as the live options fit into MAX_WIDTH words, the search moves into a frame that holds those
options only, renumbered without gaps, and the open items only; and from there into narrower ones:

    option         0   1   2   3 ...                           2055      frame 0: 33 words
    live           0 1 1 0 0 0 1 0 0 1 0 0 0 1 1 0 0 0 0 1 ...  0
                     | |       |     |       | |         |
    local number     0 1       2     3       4 5         6 ...  301      frame 1: 5 words, kernel for 8

The rows of a frame, `stride` of them, in every frame including frame 0:

    0 ... n_scan-1                                     n_scan ... stride-2              stride-1
    open primary items, zeros up to a multiple of LANE | secondary items, colour classes | zero row

A colour class is the set of options that give one secondary item one colour.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from rekkyo.bits import Words

LANE = 16
"""Primary rows are padded to a multiple of this, so that vector loops have no remainder."""

MAX_WIDTH = 8
"""Most words of a narrow frame; there are kernels for 1, 2, 4 and 8."""

MAX_NARROW = 64 * MAX_WIDTH

WIDTH, NARROW = np.uint64(MAX_WIDTH), np.uint64(MAX_NARROW)

N_FRAMES = 8
"""Frame 0 and the narrow ones. Another one is entered only where that halves the work of a scan."""

HEAD_WIDTH, HEAD_SCAN, HEAD_STRIDE, HEAD_BASE, HEAD_LENGTH = (np.uint64(number) for number in range(5))
STATE_FRAME, STATE_LEVEL, STATE_FRESH, STATE_NODES = (np.uint64(number) for number in range(4))


class Tables(NamedTuple):
    """What the kernels know of a model; read-only. Rows as in frame 0.

    table  : uint64[words * n_scan].  Word w of primary row r at w * n_scan + r, for vector scans.
    rows   : uint64[stride * words].  Word w of row r at r * words + w.
    starts : uint64[n_options + 1].   Option o has the uses starts[o] ... starts[o + 1] - 1.
    uses   : uint64[n_uses].          The row of the item.
    sizes  : uint64[n_options].       How many primary items the option covers.
    same   : uint64[...].             same[i] == i, for options and rows: frame 0 is its own source.
    shape  : uint64[3].               words, n_scan, stride.

    Kernels take one more array beside these, because Numba drops a branch for None only in an argument.
    alike  : uint64[n_uses] or None.  The row of the colour class of a use, the zero row where it has no
             colour. None when the model has no colours; Numba compiles a version for either.
    """

    table: Words
    rows: Words
    starts: Words
    uses: Words
    sizes: Words
    same: Words
    shape: Words


class Cursor(NamedTuple):
    """The state of a search between two calls; every array is changed in place.

    A level is one decision: an item and the options still to be tried for it. Level 0 has none to try.

    state     : uint64[4].  Current frame, current level, 1 before the very first step of a shard, and the
                nodes of earlier calls.
    heights   : uint64[levels].  How many options were chosen when the level was reached.
    opens     : uint64[levels].  How many primary items were not covered yet.
    began     : uint64[levels].  How many nodes were tried before the level was reached.
    chosen    : uint64[levels].  The options chosen so far, by their numbers in the model.
    wide_live, wide_choices : uint64[levels * words].  Live options, and options still to be tried, frame 0.
    live, choices : uint64[levels * MAX_WIDTH].  The same in the numbers of the level's narrow frame; word w
                of level l at l * MAX_WIDTH + w.
    counts    : uint64[n_scan]. Scratch.     marks : uint64[words]. Scratch, all zero.
    weights, visits : uint64[n_primary + 1].  Over the levels that are done and had so many open items: nodes
                below them, and how many such levels there were. They say whether a frame will pay.
    heads     : uint64[N_FRAMES * HEAD_LENGTH].  Width in words, n_scan, stride, first level of each frame.

    The rest belongs to the narrow frames; the part of frame f begins at f times the length given.

    tables    : uint64[MAX_WIDTH * stride].  Word w of row r at w * (stride of the frame) + r.
    sources   : uint64[stride].  The row in frame 0 of a local row; primary padding excepted.
    places    : uint64[stride].  The local row of a row of frame 0, where a live option uses it.
    origins   : uint64[MAX_NARROW].  The option with that local number.
    conflicts : uint64[MAX_NARROW * MAX_WIDTH].  What option j rules out, word w at j * width + w.
    known     : uint64[MAX_WIDTH].  Bit j: the conflicts of option j are filled in.
    """

    state: Words
    heights: Words
    opens: Words
    began: Words
    chosen: Words
    wide_live: Words
    wide_choices: Words
    live: Words
    choices: Words
    counts: Words
    marks: Words
    weights: Words
    visits: Words
    heads: Words
    tables: Words
    sources: Words
    places: Words
    origins: Words
    conflicts: Words
    known: Words
