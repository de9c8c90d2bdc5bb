"""The steps of the search: choose an option, and count the live options of primary rows.

A chosen option rules out every other live option that shares an item with it, unless both give a secondary
item the same colour. So the options ruled out at an item are those of its row that are not in the row of the
colour class:

    row of the item      1 1 0 1 1 0 1
    row of the colour    0 1 0 0 1 0 0        the zero row for a use without colour
    ruled out            1 0 0 1 0 0 1

Left out on purpose: a matrix of conflicts between all options. It takes n_options²/8 bytes, and joining the
few rows of an option takes little time compared with the scan that follows. A narrow frame stores the result.

A *scan* counts the live options of the rows of open items. The rule "fewest options first" is from
S. W. Golomb and L. D. Baumert, "Backtrack programming" (1965). A scan returns

    best     count << 32 | row, for the first row with the fewest live options among the rows that have some

In frame 0 all primary rows are counted in a vector loop, those of covered items included, which takes less
time than counting many words row by row. That scan also returns

    n_alive  the number of rows with live options; if it is less than that of open items, the state is dead
    n_left   the sum of all counts; if it equals the number of open items and the state is not dead, each of
             them has one live option

A narrow frame has a few words. There the open rows are counted one after the other, and the first one with
no live option or with one ends the scan, as `best`: the state is dead, or that option is chosen without a
decision. Dead rows behind it stay dead, so the nodes are the same. With AVX2, counting all rows in a vector
loop took 1.1 to 1.35 times as long for packings and 2.2 times for a sudoku; with AVX-512, 0.9 and 1.5 times.
Counting the eight words of a row in one 512-bit vector took 1.4 and 1.75 times as long for packings, and 6
times for a sudoku: the live words have just been stored one by one.

If an item must be covered `later` times after the next time, only its live options beyond `later` can be the
next one that is chosen. The scan counts these, and an IDLE item is not open. Backtracking restores the
numbers of counted items option by option; copying them at every level took more time.
"""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np

from rekkyo.bits import BIT_MASK, ONE, WORD_SHIFT, ZERO, Word, Words, lowest_index, popcount
from rekkyo.engines.covers.bitset.kernel_frame import (
    IDLE,
    NARROW,
    STATE_FRAME,
    WIDTH,
    WIDTH_SHIFT,
    Counted,
    Cursor,
    Tables,
    drop_highest,
    has_counts,
    open_words,
)
from rekkyo.engines.out import Out
from rekkyo.jit import inlined_inner_kernel, inner_kernel, kernel


class Frame(NamedTuple):
    """The numbers of the current frame, its arrays, and where its parts of them begin. See `kernel_frame`.

    live, choices : uint64[...], in/out. Those of level l from l * pitch on.
    table         : uint64[...], in.     Word w of row r at table_at + r * row_step + w * word_step.
    origins       : uint64[...], in.     The number in the model of option i at origins_at + i.
    """

    number: Word
    words: Word
    row_step: Word
    word_step: Word
    pitch: Word
    live: Words
    choices: Words
    table: Words
    table_at: Word
    origins: Words
    origins_at: Word


@inlined_inner_kernel
def current_frame(lanes: Any, tables: Tables, cursor: Cursor) -> Frame:
    """The current frame."""
    number = cursor.state[STATE_FRAME]
    if lanes is None:
        words = tables.shape[0]
        pitch = words
        row_step, word_step = ONE, tables.shape[1]
        live, choices = cursor.wide_live, cursor.wide_choices
        table, table_at = tables.table, ZERO
        origins, origins_at = tables.same, ZERO
    else:
        words = np.uint64(len(lanes))
        pitch = WIDTH
        row_step, word_step = words, ONE
        live, choices = cursor.live, cursor.choices
        table, table_at = cursor.tables, number * tables.shape[2] * WIDTH
        origins, origins_at = cursor.origins, number * NARROW
    steps = row_step, word_step, pitch
    return Frame(number, words, *steps, live, choices, table, table_at, origins, origins_at)


@inlined_inner_kernel
def first_word(bits: Words, at: Word, words: Word) -> Word:
    """The first word with a set bit of those from bits[at] on; `words` if there is none."""
    word = ZERO
    while word < words and bits[at + word] == ZERO:
        word += ONE
    return word


@inlined_inner_kernel
def take_choice(frame: Frame, counted: Counted, at: Word, word: Word) -> Word:
    """Remove the first option from the choices of a level; returns its number.

    An option of a counted item that was tried is no longer live in later siblings.
    """
    bits = frame.choices[at + word]
    frame.choices[at + word] = bits & (bits - ONE)
    if has_counts(counted):
        frame.live[at + word] &= ~bits | (bits - ONE)
    return (word << WORD_SHIFT) + lowest_index(bits)


@kernel
def choose_wide(tables: Tables, live: Words, at: Word, child: Word, option: Word, behind: Word) -> None:
    """Frame 0: set the live words from `child` on to those from `at` on, without the options ruled out.

    behind : the end of the option's uses by items that are not counted.
    """
    uses, rows, words = tables.uses, tables.rows, tables.shape[0]
    has_colors = tables.alike.shape[0] > 0
    if at != child:
        for index in range(words):
            word = np.uint64(index)
            live[child + word] = live[at + word]
    for use in range(tables.starts[option], behind):
        row = uses[use] * words
        if has_colors:
            same_color = tables.alike[use] * words
            for index in range(words):
                word = np.uint64(index)
                live[child + word] &= ~rows[row + word] | rows[same_color + word]
        else:
            for index in range(words):
                word = np.uint64(index)
                live[child + word] &= ~rows[row + word]


@inner_kernel
def learn_conflicts(
    tables: Tables, cursor: Cursor, frame: Frame, option: Word, at: Word, covers_at: Word
) -> None:
    """Narrow frame: write the options that an option rules out to the words of `conflicts` from `at` on.

    And the rows that it covers to those of `covers` from covers_at on.
    """
    uses, places, table, conflicts = tables.uses, cursor.places, cursor.tables, cursor.conflicts
    has_colors = tables.alike.shape[0] > 0
    places_at, table_at = frame.number * tables.shape[2], frame.table_at
    for index in range(frame.words):
        conflicts[at + np.uint64(index)] = ZERO
    for index in range(open_words(tables)):
        cursor.covers[covers_at + np.uint64(index)] = ZERO
    for use in range(tables.starts[option], cursor.counted.firsts[option]):
        local = places[places_at + uses[use]]
        if uses[use] < tables.shape[1]:
            cursor.covers[covers_at + (local >> WORD_SHIFT)] |= ONE << (local & BIT_MASK)
        row = same_color = table_at + local * frame.words
        if has_colors:
            same_color = table_at + places[places_at + tables.alike[use]] * frame.words
        for index in range(frame.words):
            word = np.uint64(index)
            bits = table[row + word]
            if has_colors:
                bits &= ~table[same_color + word]
            conflicts[at + word] |= bits


@inlined_inner_kernel
def choose_narrow(
    tables: Tables, cursor: Cursor, frame: Frame, at: Word, child: Word, number: Word, option: Word
) -> None:
    """Narrow frame: set the live options of a child to those without conflict with an option.

    And its open rows to those that the option does not cover.
    number, option: the numbers of the option in the frame and in the model.
    """
    known, conflicts, opened = cursor.known, cursor.conflicts, cursor.opened
    first, n_open_words = frame.number * NARROW * WIDTH + number * frame.words, open_words(tables)
    covers_at = (frame.number * NARROW + number) * n_open_words
    known_word, bit = frame.number * WIDTH + (number >> WORD_SHIFT), ONE << (number & BIT_MASK)
    if known[known_word] & bit == ZERO:
        known[known_word] |= bit
        learn_conflicts(tables, cursor, frame, option, first, covers_at)
    for index in range(frame.words):
        word = np.uint64(index)
        frame.live[child + word] = frame.live[at + word] & ~conflicts[first + word]
    before, after = opened_at(tables, at), opened_at(tables, child)
    for index in range(n_open_words):
        word = np.uint64(index)
        opened[after + word] = opened[before + word] & ~cursor.covers[covers_at + word]


@inner_kernel
def opened_at(tables: Tables, at: Word) -> Any:
    """Where `Cursor.opened` has the level whose live options begin at `at` in a narrow frame."""
    return (at >> WIDTH_SHIFT) * open_words(tables)


@inner_kernel
def use_up(tables: Tables, cursor: Cursor, frame: Frame, child: Word, number: Word, option: Word) -> Any:
    """Count the uses of counted items by an option, and rule out the option and those of items without room.

    number, option: the numbers of the option in the frame and in the model.
    Returns the number of items that have become IDLE.
    """
    live, counted, n_idle = frame.live, cursor.counted, ZERO
    places_at, later_at = frame.number * tables.shape[2], frame.number * tables.shape[1]
    later, rooms = counted.later, counted.rooms
    live[child + (number >> WORD_SHIFT)] &= ~(ONE << (number & BIT_MASK))
    for use in range(counted.firsts[option], tables.starts[option + ONE]):
        row = tables.uses[use]
        local = cursor.places[places_at + row]
        if later[later_at + local] == ZERO:
            later[later_at + local] = IDLE
            n_idle += ONE
            if frame.number != ZERO:
                word = opened_at(tables, child) + (local >> WORD_SHIFT)
                cursor.opened[word] &= ~(ONE << (local & BIT_MASK))
        else:
            later[later_at + local] -= ONE
        rooms[row] -= ONE
        if rooms[row] == ZERO:
            first = frame.table_at + local * frame.row_step
            for index in range(frame.words):
                word = np.uint64(index)
                live[child + word] &= ~frame.table[first + word * frame.word_step]
    return n_idle


@inner_kernel
def give_back(tables: Tables, cursor: Cursor, n_kept: Word, n_chosen: Word) -> None:
    """Undo `use_up` for the chosen options after the first n_kept."""
    frame, counted = cursor.state[STATE_FRAME], cursor.counted
    places_at, later_at = frame * tables.shape[2], frame * tables.shape[1]
    for index in range(n_kept, n_chosen):
        option = cursor.chosen[index]
        for use in range(counted.firsts[option], tables.starts[option + ONE]):
            row = tables.uses[use]
            local = cursor.places[places_at + row]
            counted.rooms[row] += ONE
            if counted.later[later_at + local] == IDLE:
                counted.later[later_at + local] = ZERO
            else:
                counted.later[later_at + local] += ONE


NOTHING = np.uint64(0xFFFF_FFFF_FFFF_FFFF)
COUNT_SHIFT = np.uint64(32)
ROW_MASK = np.uint64(0xFFFF_FFFF)


@inner_kernel
def scan_narrow(lanes: Any, tables: Tables, cursor: Cursor, frame: Frame, at: Word) -> Any:
    """Scan the open rows of a narrow frame, up to the first with fewer than two live options; returns `best`.

    lanes : the numbers of the frame's words. at : the first word of the live options.
    """
    table, live, later, best = frame.table, frame.live, cursor.counted.later, NOTHING
    open_at, later_at = opened_at(tables, at), frame.number * tables.shape[1]
    for index in range(open_words(tables)):
        open_word = np.uint64(index)
        bits = cursor.opened[open_at + open_word]
        while bits != ZERO:
            row = (open_word << WORD_SHIFT) + lowest_index(bits)
            bits &= bits - ONE
            first, count = frame.table_at + row * frame.words, ZERO
            for word in lanes:
                count += popcount(table[first + word] & live[at + word])
            if later.shape[0] != 0:
                count -= min(count, later[later_at + row])
            if count <= ONE:
                return (count << COUNT_SHIFT) | row
            best = min(best, (count << COUNT_SHIFT) | row)
    return best


@kernel
def scan_wide(tables: Tables, live: Words, at: Word, counts: Words, later: Words) -> Any:
    """Scan frame 0; returns (best, n_alive, n_left). Words without live options are skipped.

    live : uint64[...], in, from `at`. counts : uint64[n_scan], scratch.
    later : uint64[...], in; empty if no item is counted.
    """
    table, words, n_scan = tables.table, tables.shape[0], tables.shape[1]
    has_counted = later.shape[0] != 0
    for row in range(n_scan):
        counts[row] = ZERO
    for index in range(words):
        word = np.uint64(index)
        bits = live[at + word]
        if bits != ZERO:
            first = word * n_scan
            for row in range(n_scan):
                counts[row] += popcount(table[first + np.uint64(row)] & bits)
    best, n_alive, n_left = NOTHING, ZERO, ZERO
    for row in range(n_scan):
        count = counts[row]
        if has_counted:
            count -= min(count, later[row])
        key = NOTHING
        if count != ZERO:
            key = (count << COUNT_SHIFT) | np.uint64(row)
            n_alive += ONE
        n_left += count
        best = min(best, key)
    return best, n_alive, n_left


@inlined_inner_kernel
def fill_choices(tables: Tables, counted: Counted, frame: Frame, at: Word, row: Word) -> Word:
    """Make the live options of a row the choices of the new level; returns how many options are live."""
    n_live, first = ZERO, frame.table_at + row * frame.row_step
    for index in range(frame.words):
        word = np.uint64(index)
        bits = frame.live[at + word]
        n_live += popcount(bits)
        frame.choices[at + word] = bits & frame.table[first + word * frame.word_step]
    if has_counts(counted):
        later = counted.later[frame.number * tables.shape[1] + row]
        drop_highest(frame.choices, at, frame.words, later)
    return n_live


@inlined_inner_kernel
def first_of_row(frame: Frame, at: Word, row: Word) -> Word:
    """The number of the first live option of a row that has one."""
    word, first = ZERO, frame.table_at + row * frame.row_step
    bits = frame.live[at] & frame.table[first]
    while bits == ZERO:
        word += ONE
        bits = frame.live[at + word] & frame.table[first + word * frame.word_step]
    return (word << WORD_SHIFT) + lowest_index(bits)


@inner_kernel
def write_row(cursor: Cursor, n_chosen: Word, filler: Word, out: Out, at: Word) -> None:
    """Write the first n_chosen options of the cursor in increasing order into row `at`, then the filler.

    A long solution is sorted by setting a bit for each option and reading the bits again (sudoku, 81 of 314
    options: 65 ns; by insertion 840 ns). A short solution out of many options is sorted by insertion (Bedlam
    cube, 13 of 3820: 31 ns; by bits 57 ns).
    """
    chosen, marks, options = cursor.chosen, cursor.marks, cursor.sorted
    n_words = np.uint64(marks.shape[0])
    if n_chosen * n_chosen > (n_words + n_chosen + n_chosen) << np.uint64(2):
        _by_marks(chosen, n_chosen, marks, options)
    else:
        _by_insertion(chosen, n_chosen, options)
    if out.rows8.shape[0] > 0:
        _narrow(options, n_chosen, filler, out.rows8, at)
    else:
        _narrow(options, n_chosen, filler, out.rows16, at)


@inner_kernel
def _by_marks(chosen: Words, n_chosen: Word, marks: Words, options: Words) -> None:
    """Sort by setting bits. marks : uint64[words], all zero before and after."""
    for index in range(n_chosen):
        option = chosen[index]
        marks[option >> WORD_SHIFT] |= ONE << (option & BIT_MASK)
    place = ZERO
    for word in range(np.uint64(marks.shape[0])):
        bits = marks[word]
        marks[word] = ZERO
        first = np.uint64(word) << WORD_SHIFT
        while bits != ZERO:
            options[place] = first + lowest_index(bits)
            place += ONE
            bits &= bits - ONE


@inner_kernel
def _by_insertion(chosen: Words, n_chosen: Word, options: Words) -> None:
    for index in range(n_chosen):
        option = chosen[index]
        place = np.uint64(index)
        while place > ZERO and options[place - ONE] > option:
            options[place] = options[place - ONE]
            place -= ONE
        options[place] = option


@inner_kernel
def _narrow(options: Words, n_chosen: Word, filler: Word, rows: Any, at: Word) -> None:
    for place in range(n_chosen):
        rows[at, place] = options[place]
    for place in range(n_chosen, np.uint64(rows.shape[1])):
        rows[at, place] = filler
