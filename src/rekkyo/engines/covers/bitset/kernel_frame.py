"""The arrays of a search over option bitsets: those of the plan and those of a cursor.

The options that can still be chosen are the set bits of one bit vector, `live`. The row of an item is the
set of options that use it. A search runs in *frames*. Frame 0 is the whole model, with as many words as its
options need. When the live options fit into MAX_WIDTH words, the search enters a frame with only these
options, numbered without gaps, and only the open items. From there it may enter narrower frames:

    option         0   1   2   3 ...                           2055      frame 0: 33 words
    live           0 1 1 0 0 0 1 0 0 1 0 0 0 1 1 0 0 0 0 1 ...  0
                     | |       |     |       | |         |
    local number     0 1       2     3       4 5         6 ...  301      frame 1: 5 words, kernel for 8

Every frame has `stride` rows. In frame 0, zeros fill the primary rows up to a multiple of LANE.

    0 ... n_primary-1    n_primary ... stride-2             stride-1
    open primary items | secondary items, colour classes | zero row

A colour class is the set of options that give one secondary item one colour. If a pivot rules out options
(see `covers/pivot.py`), the last rows before the zero row of frame 0 are the sets that it rules out.

Frame 0 keeps word w of all primary rows together, for vector scans. A narrow frame keeps the words of a row
together, because only the rows of open items are scanned there, one after the other. For each level, `opened`
has a bit for each local row whose item is open.

A narrower frame keeps the order of options and rows, so the search makes the same decisions in every frame.
A secondary item or colour class with fewer than two live options rules nothing out, so the zero row replaces
its row. The zero row also replaces the rows of a pivot, because its option is chosen first, in frame 0.

An item is *counted* unless it is covered exactly once. Its row has two numbers: `later`, how many times it
must still be covered after the next time, and `rooms`, how many times it may still be covered. `later` is
compared with the number of live options of the row, so every frame has it by its local rows.
"""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np

from rekkyo.bits import (
    BIT_MASK,
    ONE,
    WORD_SHIFT,
    ZERO,
    Word,
    Words,
    highest_index,
    popcount,
)
from rekkyo.jit import inner_kernel

LANE = 16
"""Primary rows of frame 0 are padded to a multiple of this, so that vector loops have no remainder."""

MAX_WIDTH = 8
"""Most words of a narrow frame. There are kernels for 1, 2, 4 and 8 words."""

MAX_NARROW = 64 * MAX_WIDTH

WIDTH, NARROW = np.uint64(MAX_WIDTH), np.uint64(MAX_NARROW)

WIDTH_SHIFT = np.uint64(3)
"""MAX_WIDTH is 1 << WIDTH_SHIFT: from the first live word of a level to its number."""

N_FRAMES = 8
"""Frame 0 and the narrow ones. A narrow frame enters another one only if that halves the words of a scan."""

HEAD_WIDTH, HEAD_PRIMARY, HEAD_STRIDE, HEAD_BASE, HEAD_LENGTH = (np.uint64(number) for number in range(5))
STATE_FRAME, STATE_LEVEL, STATE_FRESH, STATE_NODES, STATE_CHOSEN, STATE_ROWS = (
    np.uint64(number) for number in range(6)
)
STATE_LENGTH = 6

IDLE = np.uint64(1 << 62)
"""`later` of an item that need not be covered again. Each further time it is covered subtracts one."""


class Asks(NamedTuple):
    """Which items ask for which secondary items, see `kernel_support`. Empty but for the last if none does.

    starts     : uint64[n_options + 1].  Option o has the uses starts[o] ... starts[o + 1] - 1 of such items.
    gives      : uint64[...].            The row of the colour class.
    bits       : uint64[...].            A bit for each item of the option that asks for the secondary item,
                 and GIVEN, without which a colour that only others give would look dead.
    classes    : uint64[...].            The rows of all these colour classes.
    items      : uint64[...].            For each of those, the row of the secondary item.
    least_open : uint64[1].              The search looks for dead colours while this many items are open;
                 more than there are if nobody asks.
    """

    starts: Words
    gives: Words
    bits: Words
    classes: Words
    items: Words
    least_open: Words


class Tables(NamedTuple):
    """The model as read-only arrays. Rows are those of frame 0.

    table  : uint64[words * n_scan].  Word w of primary row r at w * n_scan + r, for vector scans.
    rows   : uint64[stride * words].  Word w of row r at r * words + w.
    starts : uint64[n_options + 1].   Option o has the uses starts[o] ... starts[o + 1] - 1.
    uses   : uint64[n_uses].          The row of the item.
    sizes  : uint64[n_options].       How many primary items the option covers.
    same   : uint64[...].             same[i] == i, for options and rows: `sources` and `origins` of frame 0.
    shape  : uint64[3].               words, n_scan, stride.
    alike  : uint64[n_uses].          The row of the colour class of a use, or the zero row if it has no
             colour. Empty if the model has no colours.
    asks   : see `Asks`.
    """

    table: Words
    rows: Words
    starts: Words
    uses: Words
    sizes: Words
    same: Words
    shape: Words
    alike: Words
    asks: Asks


class Counted(NamedTuple):
    """The arrays of a plan or a cursor for counted items. All but `firsts` are empty if there are none.

    firsts   : uint64[n_options], in.  The uses firsts[o] ... starts[o + 1] - 1 of option o are of such items.
    optional : uint64[...], in.        The rows that may be covered more often than they must be.
    rooms    : uint64[n_scan].         By the rows of frame 0; 1 for a row that is not counted.
    later    : uint64[n_scan].         By rows; 0 for a row that is not counted. A cursor has N_FRAMES such
               parts, one for each frame, by its local rows.

    One kernel searches with counted items and without. Two of them searched as fast and took twice as long
    to compile.
    """

    firsts: Words
    optional: Words
    rooms: Words
    later: Words


class Cursor(NamedTuple):
    """The state of a search between two calls; every array is changed in place.

    A level is one decision: an item and the options still to be tried for it. Level 0 has none to try. There
    is one level more than a search can reach, because the options of a child are written one level below.

    state     : uint64[6].  The current frame, the current level, 1 before the first step of a shard and then
                0, the nodes of earlier calls, the number of chosen options that `counted` takes into account,
                and the first row of options that a pivot rules out.
    heights   : uint64[levels].  How many options were chosen when the level was reached.
    opens     : uint64[levels].  How many primary items had to be covered then.
    began     : uint64[levels].  How many nodes were tried before the level was reached.
    chosen    : uint64[levels].  The options chosen so far, by their numbers in the model.
    wide_live, wide_choices : uint64[levels * words].  Live options and options still to be tried, in frame 0.
    live, choices : uint64[levels * MAX_WIDTH].  The same in the numbers of the level's narrow frame; word w
                of level l at l * MAX_WIDTH + w.
    opened    : uint64[levels * open_words].  The rows of open items, in the numbers of the level's narrow
                frame; word w of level l at l * open_words + w.
    supported : uint64[stride].  Scratch, see `kernel_support`.
    counts    : uint64[n_scan].  The live options of each primary row at the last scan of frame 0.
    marks     : uint64[words]. Scratch, all zero.
    sorted    : uint64[levels]. Scratch.
    weights, visits : uint64[n_scan + 1].  For each number of open items: the nodes below the finished levels
                with that number, and the number of these levels. From these the search estimates whether
                a narrower frame saves time.
    heads     : uint64[N_FRAMES * HEAD_LENGTH].  Width in words, primary rows, stride, first level of each
                frame. Of frame 0 only the width and the level are used.

    The other arrays are for the narrow frames; the part of frame f begins at f times the length given.

    tables    : uint64[MAX_WIDTH * stride].  Word w of row r at r * (words of the frame) + w.
    sources   : uint64[stride].  The row in frame 0 of a local row.
    places    : uint64[stride].  The local row of a row of frame 0; undefined for a primary row without live
                options. The part of frame 0, where it is the same row, is only used for counted items.
    origins   : uint64[MAX_NARROW].  The number in the model of a local option.
    conflicts : uint64[MAX_NARROW * MAX_WIDTH].  The options that option j rules out, word w at j * width + w.
    covers    : uint64[MAX_NARROW * open_words].  The primary rows that option j covers, without counted ones.
    known     : uint64[MAX_WIDTH].  Bit j: the conflicts and covers of option j are filled in.
    counted   : see `Counted`.
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
    opened: Words
    supported: Words
    counts: Words
    marks: Words
    sorted: Words
    weights: Words
    visits: Words
    heads: Words
    tables: Words
    sources: Words
    places: Words
    origins: Words
    conflicts: Words
    covers: Words
    known: Words
    counted: Counted


@inner_kernel
def is_idle(later: Word) -> Any:
    """Whether an item need not be covered again."""
    return later > IDLE >> ONE


@inner_kernel
def has_counts(counted: Counted) -> Any:
    """Whether any item is counted."""
    return counted.later.shape[0] != 0


@inner_kernel
def width_for(n_options: Word) -> Any:
    """The words of the narrowest kernel for a number of options up to MAX_NARROW: 1, 2, 4 or 8."""
    width = ONE
    while width << WORD_SHIFT < n_options:
        width <<= ONE
    return width


@inner_kernel
def open_words(tables: Tables) -> Any:
    """The words that have a bit for each primary row."""
    return (tables.shape[1] + BIT_MASK) >> WORD_SHIFT


@inner_kernel
def drop_highest(bits: Words, at: Word, n_words: Word, how_many: Word) -> None:
    """Clear the `how_many` highest set bits of n_words words, the first of which is bits[at]."""
    word = n_words
    while how_many != ZERO:
        word -= ONE
        left = bits[at + word]
        count = popcount(left)
        if count <= how_many:
            how_many -= count
            bits[at + word] = ZERO
        else:
            while how_many != ZERO:
                left ^= ONE << highest_index(left)
                how_many -= ONE
            bits[at + word] = left
