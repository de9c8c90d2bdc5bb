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
    TWO,
    WORD_SHIFT,
    ZERO,
    Word,
    Words,
    highest_index,
    lowest_index,
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
def enter_frame(tables: Tables, cursor: Cursor, level: Word, branch: Word) -> None:
    """Make the next frame from the live options of a level of the current frame, and move the level into it.

    branch : the row of the current frame that the level branches on. All its live options are still to be
             tried, except the last `later` of a counted item.
    """
    parent = cursor.state[STATE_FRAME]
    frame = parent + ONE
    row_capacity = tables.shape[2]
    options_at, rows_at, table_at = frame * NARROW, frame * row_capacity, frame * row_capacity * WIDTH
    if parent == ZERO:
        words, live, at = tables.shape[0], cursor.wide_live, level * tables.shape[0]
        origins, origins_at = tables.same, ZERO
        sources, sources_at = tables.same, ZERO
    else:
        words, live, at = cursor.heads[parent * HEAD_LENGTH + HEAD_WIDTH], cursor.live, level * WIDTH
        origins, origins_at = cursor.origins, options_at - NARROW
        sources, sources_at = cursor.sources, rows_at - row_capacity

    n_options = _keep_options(live, at, words, origins, origins_at, cursor.origins, options_at)
    if parent == ZERO:
        n_primary, n_all = _keep_rows_of_all(tables, cursor, n_options)
    else:
        n_primary, n_all = _keep_rows(tables, cursor, parent, at)
    cursor.sources[rows_at + n_all] = row_capacity - ONE
    _place_rows(tables, cursor, frame, n_all)

    width, stride = width_for(n_options), n_all + ONE
    _fill_table(tables, cursor, frame, n_options, width, stride)
    place = cursor.places[rows_at + sources[sources_at + branch]]
    _move_level(cursor, frame, level, n_options, width, table_at + place * width)
    if has_counts(cursor.counted):
        _carry_counts(tables, cursor, frame, n_primary)
        later = cursor.counted.later[frame * tables.shape[1] + place]
        drop_highest(cursor.choices, level * WIDTH, width, later)
    _open_rows(tables, cursor, frame, level, n_primary)
    head = frame * HEAD_LENGTH
    cursor.heads[head + HEAD_WIDTH] = width
    cursor.heads[head + HEAD_PRIMARY] = n_primary
    cursor.heads[head + HEAD_STRIDE] = stride
    cursor.heads[head + HEAD_BASE] = level
    cursor.state[STATE_FRAME] = frame


@inner_kernel
def open_words(tables: Tables) -> Any:
    """The words that have a bit for each primary row."""
    return (tables.shape[1] + BIT_MASK) >> WORD_SHIFT


@inner_kernel
def _open_rows(tables: Tables, cursor: Cursor, frame: Word, level: Word, n_primary: Word) -> None:
    """Fill `opened` of the level that a new frame begins with: all rows that must still be covered."""
    n_words = open_words(tables)
    at = level * n_words
    for index in range(n_words):
        word = np.uint64(index)
        first = word << WORD_SHIFT
        left = n_primary - first if n_primary > first else ZERO
        cursor.opened[at + word] = ~ZERO if left > BIT_MASK else (ONE << left) - ONE
    if has_counts(cursor.counted):
        later_at = frame * tables.shape[1]
        for index in range(n_primary):
            row = np.uint64(index)
            if is_idle(cursor.counted.later[later_at + row]):
                cursor.opened[at + (row >> WORD_SHIFT)] &= ~(ONE << (row & BIT_MASK))


@inner_kernel
def _keep_options(
    live: Words, at: Word, words: Word, before: Words, before_at: Word, origins: Words, origins_at: Word
) -> Any:
    """Fill `origins` with the numbers of the live options in the model; returns how many there are."""
    n_options = ZERO
    for index in range(words):
        word = np.uint64(index)
        bits = live[at + word]
        first = before_at + (word << WORD_SHIFT)
        while bits != ZERO:
            origins[origins_at + n_options] = before[first + lowest_index(bits)]
            n_options += ONE
            bits &= bits - ONE
    return n_options


@inner_kernel
def _keep_rows_of_all(tables: Tables, cursor: Cursor, n_options: Word) -> Any:
    """Fill `sources` of frame 1 from the last scan of frame 0; returns the ends of the two kinds of rows.

    The options of secondary rows and colours are counted by the uses of live options, in `places`, because
    most of these rows have none. Row by row, Costas arrays of order 9 took an eighth longer.
    """
    sources, places, rows_at = cursor.sources, cursor.places, tables.shape[2]
    n_scan, end = tables.shape[1], cursor.state[STATE_ROWS]
    n_primary = ZERO
    for row in range(n_scan):
        if cursor.counts[row] != ZERO:
            sources[rows_at + n_primary] = row
            n_primary += ONE
    n_all = n_primary
    if n_scan == end:
        return n_primary, n_all
    has_colors, uncolored = tables.alike.shape[0] > 0, tables.shape[2] - ONE
    for row in range(tables.shape[2]):
        places[rows_at + np.uint64(row)] = ZERO
    for local in range(n_options):
        option = cursor.origins[NARROW + np.uint64(local)]
        for use in range(tables.starts[option], tables.starts[option + ONE]):
            places[rows_at + tables.uses[use]] += ONE
            if has_colors and tables.alike[use] != uncolored:
                places[rows_at + tables.alike[use]] += ONE
    for row in range(n_scan, end):
        if places[rows_at + np.uint64(row)] >= TWO:
            sources[rows_at + n_all] = row
            n_all += ONE
    return n_primary, n_all


@inner_kernel
def _keep_rows(tables: Tables, cursor: Cursor, parent: Word, at: Word) -> Any:
    """As `_keep_rows_of_all`, for the frame after a narrow one, by its live options from cursor.live[at]."""
    head, before_at = parent * HEAD_LENGTH, parent * tables.shape[2]
    rows_at, table_at = before_at + tables.shape[2], before_at * WIDTH
    words, stride = cursor.heads[head + HEAD_WIDTH], cursor.heads[head + HEAD_STRIDE]
    primary_stop = cursor.heads[head + HEAD_PRIMARY]
    n_primary = n_all = ZERO
    for local in range(stride - ONE):
        row = np.uint64(local)
        enough = ONE if row < primary_stop else TWO
        if _count(cursor.tables, table_at + row * words, cursor.live, at, words, enough) >= enough:
            cursor.sources[rows_at + n_all] = cursor.sources[before_at + row]
            n_all += ONE
            if row < primary_stop:
                n_primary = n_all
    return n_primary, n_all


@inner_kernel
def _place_rows(tables: Tables, cursor: Cursor, frame: Word, zero_row: Word) -> None:
    """Fill `places`, the inverse of `sources`. Secondary rows and colours not kept get the zero row."""
    sources, places, at = cursor.sources, cursor.places, frame * tables.shape[2]
    for row in range(tables.shape[1], tables.shape[2]):
        places[at + np.uint64(row)] = zero_row
    for local in range(zero_row):
        places[at + sources[at + np.uint64(local)]] = local


@inner_kernel
def _carry_counts(tables: Tables, cursor: Cursor, frame: Word, n_primary: Word) -> None:
    """Fill `later` of a new frame from that of its parent."""
    later, rows_at, counts_at = cursor.counted.later, frame * tables.shape[2], frame * tables.shape[1]
    for index in range(n_primary):
        local = np.uint64(index)
        before = cursor.sources[rows_at + local]
        if frame != ONE:
            before = cursor.places[rows_at - tables.shape[2] + before]
        later[counts_at + local] = later[counts_at - tables.shape[1] + before]


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


@inner_kernel
def _move_level(
    cursor: Cursor, frame: Word, level: Word, n_options: Word, width: Word, branch_at: Word
) -> None:
    """Make all options of the new frame live, and those of the branch row options to be tried."""
    at = level * WIDTH
    for index in range(width):
        word = np.uint64(index)
        first = word << WORD_SHIFT
        left = n_options - first if n_options > first else ZERO
        cursor.known[frame * WIDTH + word] = ZERO
        cursor.live[at + word] = ~ZERO if left > BIT_MASK else (ONE << left) - ONE
        cursor.choices[at + word] = cursor.tables[branch_at + word]


@inner_kernel
def _count(rows: Words, first: Word, live: Words, at: Word, n_words: Word, enough: Word) -> Any:
    """The number of live options of a row; counting stops when it is at least `enough`."""
    count = ZERO
    for word in range(n_words):
        index = np.uint64(word)
        count += popcount(rows[first + index] & live[at + index])
        if count >= enough:
            break
    return count


@inner_kernel
def _fill_table(
    tables: Tables, cursor: Cursor, frame: Word, n_options: Word, width: Word, stride: Word
) -> None:
    """Set the bit of every option in the rows of its items and colours, and clear the zero row."""
    table, places = cursor.tables, cursor.places
    has_colors, uncolored = tables.alike.shape[0] > 0, tables.shape[2] - ONE
    rows_at = frame * tables.shape[2]
    table_at = rows_at * WIDTH
    for index in range(table_at, table_at + width * stride):
        table[index] = ZERO
    for local in range(n_options):
        number = np.uint64(local)
        bit = ONE << (number & BIT_MASK)
        first = table_at + (number >> WORD_SHIFT)
        option = cursor.origins[frame * NARROW + number]
        for use in range(tables.starts[option], tables.starts[option + ONE]):
            table[first + places[rows_at + tables.uses[use]] * width] |= bit
            if has_colors and tables.alike[use] != uncolored:
                table[first + places[rows_at + tables.alike[use]] * width] |= bit
    for word in range(width):
        table[table_at + (stride - ONE) * width + np.uint64(word)] = ZERO
