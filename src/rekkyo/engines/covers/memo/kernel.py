"""Compiled search of memoised branching: a depth-first search that stores the counts of subproblems.

Algorithm DXZ (Nishino, Yasuda, Minato and Nagata, "Dancing with decision diagrams", AAAI 2017), counting
only: cover the item with the fewest options. The remaining problem is divided into components that share no
item, and their counts are multiplied. The count of a component with several choices is stored under its key
(`search.py`). The choice of the item depends only on the remaining problem, so that equal subproblems are
divided in the same way.

Each depth has two frames, a *product* over components and, within it, a *branch* over the options of one
component's item. The lists of open options are in one array, as on a stack:

    arena   : ... | headers of components (4 each) | options | items, sizes | ... | choices | deeper ...
    product[d] = HEADERS, N_COMPONENTS, NEXT_COMPONENT
    branch[d]  = the header of 4 numbers, CHOICES, N_CHOICES, NEXT, LAST, CHOSEN, TOP, IS_REMEMBERED

The options that cover an item several times are chosen in increasing order: an option that was passed over
is closed. If the item need not be covered, leaving it uncovered is also a choice, with the number -1.

The kernels do not allocate arrays. If an array is full, they return which one before they change anything,
and continue from there in the next call. Left out on purpose: conflicts of options as bits (n^2 of them), and
removing stored counts.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from rekkyo.bits import ONE, ZERO, Word, Words, highest_index
from rekkyo.engines.covers.memo.kernel_parts import (
    CHOICES,
    CHOSEN,
    IS_REMEMBERED,
    LAST,
    N_CHOICES,
    N_ITEMS,
    N_OPTIONS,
    NEXT,
    NO_OPTION,
    TOP,
    Cover,
    Ints,
    Work,
    fewest,
    keep_open,
    list_choices,
    mark,
    part,
)
from rekkyo.engines.hashing import hashed_wide, place_by
from rekkyo.engines.limbs import Limbs, add_product, add_to
from rekkyo.jit import inlined_inner_kernel, inner_kernel, kernel

FREE = np.uint32(0xFFFFFFFF)

BIT_OF_WORD = 63
WORD_OF_BIT = 6
TOP_BIT = np.uint64(63)


@inner_kernel
def write_key(cover: Cover, times: Ints, arena: Ints, path: Words, header: int, depth: int) -> None:
    """Write the key of a component to path[depth]."""
    for word in range(path.shape[1]):
        path[depth, word] = ZERO
    first, n_numbers = arena[header], arena[header + 1]
    if cover.by_items:
        first, n_numbers = arena[header + 2], arena[header + 3]
    for place in range(first, first + n_numbers):
        number = arena[place]
        path[depth, number >> WORD_OF_BIT] |= ONE << np.uint64(number & BIT_OF_WORD)
    if cover.by_items:
        return
    first, n_numbers = arena[header + 2], arena[header + 3]
    for place in range(first, first + n_numbers):
        item = arena[place]
        at = cover.field_at[item]
        if at >= 0:
            size = arena[place + n_numbers]
            at_least = np.uint64(max(0, cover.low[item] - times[item]))
            at_most = np.uint64(min(size, cover.high[item] - times[item]))
            both = at_least << np.uint64(cover.field_width) | at_most
            path[depth, at >> WORD_OF_BIT] |= both << np.uint64(at & BIT_OF_WORD)


@inner_kernel
def place_of(places: NDArray[np.uint32], keys: Words, path: Words, depth: int) -> Word:
    """The place of a key's entry in the hash table, or the free place where it belongs."""
    n_words = keys.shape[1]
    last = np.uint64(places.shape[0] - 1)
    place = place_by(hashed_wide(path, depth), places.shape[0])
    while places[place] != FREE:
        entry = places[place]
        same = True
        for word in range(n_words):
            if keys[entry, word] != path[depth, word]:
                same = False
                break
        if same:
            break
        place = (place + ONE) & last
    return place


@kernel
def enter_all(places: NDArray[np.uint32], keys: Words, n_entries: int) -> None:
    """Enter all keys into an empty hash table."""
    for entry in range(n_entries):
        places[place_of(places, keys, keys, entry)] = np.uint32(entry)


@inner_kernel
def is_zero(numbers: Limbs, index: int) -> bool:
    """Whether a number is zero."""
    union = ZERO
    for limb in range(numbers.shape[1]):
        union |= numbers[index, limb]
    return bool(union == ZERO)


@inner_kernel
def has_top_bit(numbers: Limbs, index: int) -> bool:
    """Whether the highest bit is set. If it is not set in two numbers, their sum fits."""
    return bool(numbers[index, numbers.shape[1] - 1] >> TOP_BIT != ZERO)


@inner_kernel
def add_one(sums: Limbs, index: int) -> None:
    """Add one to a number whose highest bit is free."""
    for limb in range(sums.shape[1]):
        sums[index, limb] += ONE
        if sums[index, limb] != ZERO:
            break


@inner_kernel
def multiply(products: Limbs, index: int, numbers: Limbs, other: int, spare: Limbs) -> bool:
    """Multiply one number by another; False, without a change, if the product might not fit."""
    if _n_bits(products, index) + _n_bits(numbers, other) > 64 * products.shape[1]:
        return False
    if products.shape[1] == 1:
        products[index, 0] *= numbers[other, 0]
        return True
    for limb in range(spare.shape[1]):
        spare[0, limb] = ZERO
    add_product(spare, 0, products, index, numbers, other)
    for limb in range(spare.shape[1]):
        products[index, limb] = spare[0, limb]
    return True


@inner_kernel
def _n_bits(numbers: Limbs, index: int) -> int:
    for limb in range(numbers.shape[1] - 1, -1, -1):
        word = numbers[index, limb]
        if word != ZERO:
            return int(64 * limb + 1 + np.int64(highest_index(word)))
    return 0


GOES_ON = -1
DONE = 0
OUT_OF_BUDGET = 1
NEEDS_ARENA = 2
NEEDS_DEPTH = 3
NEEDS_ENTRIES = 4
NEEDS_LIMBS = 5

DEPTH, PHASE, NODES, N_ENTRIES, STAMP = range(5)
"""head : int64[5]. NODES: choices tried in all calls."""

MULTIPLYING, BRANCHING = 0, 1

HEADERS, N_COMPONENTS, NEXT_COMPONENT = range(3)


@kernel
def advance(cover: Cover, work: Work, budget: int) -> int:
    """Continue until all is counted (DONE; `products[0]` is the count), or the budget or an array is used up.

    At a depth, MULTIPLYING goes from component to component, and BRANCHING from choice to choice of one:

        MULTIPLYING --a component--> BRANCHING --a choice--> MULTIPLYING, one deeper
                    <--no choice left--        <--no component left--
    """
    head, product, branch = work.head, work.product, work.branch
    end = head[NODES] + budget
    outcome = GOES_ON
    while outcome == GOES_ON:
        depth = head[DEPTH]
        if head[PHASE] == MULTIPLYING:
            is_last = product[depth, NEXT_COMPONENT] == product[depth, N_COMPONENTS]
            if is_last or is_zero(work.products, depth):
                outcome = DONE if depth == 0 else _leave_product(cover, work, depth)
            else:
                outcome = _begin_component(cover, work, depth)
        elif branch[depth, NEXT] > branch[depth, LAST]:
            outcome = _end_component(work, depth)
        elif head[NODES] >= end:
            outcome = OUT_OF_BUDGET
        else:
            outcome = _choose(cover, work, depth)
    return outcome


@inlined_inner_kernel
def _leave_product(cover: Cover, work: Work, depth: int) -> int:
    """Add a product to the sum of the choice above."""
    above = depth - 1
    if has_top_bit(work.sums, above) or has_top_bit(work.products, depth):
        return NEEDS_LIMBS
    add_to(work.sums, above, work.products, depth)
    _take_back(cover, work, above)
    work.head[DEPTH] = above
    work.head[PHASE] = BRANCHING
    return GOES_ON


@inlined_inner_kernel
def _begin_component(cover: Cover, work: Work, depth: int) -> int:
    """Multiply by the stored count of the next component, or begin its branch."""
    low, times, arena = cover.low, work.marks.times, work.arena
    product, branch = work.product, work.branch
    header = product[depth, HEADERS] + 4 * product[depth, NEXT_COMPONENT]
    item, n_choices, is_required = fewest(low, times, arena, header)
    is_remembered = n_choices > 1
    if is_remembered:
        write_key(cover, times, arena, work.path, header, depth)
        entry = work.places[place_of(work.places, work.keys, work.path, depth)]
        if entry != FREE:
            if not multiply(work.products, depth, work.values, int(entry), work.spare):
                return NEEDS_LIMBS
            product[depth, NEXT_COMPONENT] += 1
            return GOES_ON
    first_free = branch[depth, TOP]
    if first_free + arena[header + 1] > arena.shape[0]:
        return NEEDS_ARENA
    n_found = list_choices(cover, arena, header, item, first_free)
    for column in range(4):
        branch[depth, column] = arena[header + column]
    branch[depth, CHOICES] = first_free
    branch[depth, N_CHOICES] = n_found
    branch[depth, NEXT] = 0 if is_required else -1
    branch[depth, LAST] = n_found - max(1, low[item] - times[item])
    branch[depth, IS_REMEMBERED] = is_remembered
    for limb in range(work.sums.shape[1]):
        work.sums[depth, limb] = ZERO
    work.head[PHASE] = BRANCHING
    return GOES_ON


@inlined_inner_kernel
def _end_component(work: Work, depth: int) -> int:
    """Multiply by the sum of all choices of a component, and store it."""
    head, keys, n_entries = work.head, work.keys, work.head[N_ENTRIES]
    is_remembered = work.branch[depth, IS_REMEMBERED] != 0
    if is_remembered and n_entries == keys.shape[0]:
        return NEEDS_ENTRIES
    if not multiply(work.products, depth, work.sums, depth, work.spare):
        return NEEDS_LIMBS
    if is_remembered:
        work.places[place_of(work.places, keys, work.path, depth)] = np.uint32(n_entries)
        for word in range(keys.shape[1]):
            keys[n_entries, word] = work.path[depth, word]
        for limb in range(work.values.shape[1]):
            work.values[n_entries, limb] = work.sums[depth, limb]
        head[N_ENTRIES] = n_entries + 1
    work.product[depth, NEXT_COMPONENT] += 1
    head[PHASE] = MULTIPLYING
    return GOES_ON


@inlined_inner_kernel
def _choose(cover: Cover, work: Work, depth: int) -> int:
    """Try the next choice of a component: divide what remains into components, one depth deeper."""
    arena, product, branch, head = work.arena, work.product, work.branch, work.head
    if depth + 1 == product.shape[0]:
        return NEEDS_DEPTH
    top = branch[depth, CHOICES] + branch[depth, N_CHOICES]
    # Space for headers, the open options in one list and by components, and items with sizes.
    most = 2 * branch[depth, N_OPTIONS] + 7 * branch[depth, N_ITEMS] + 8
    if top + most > arena.shape[0]:
        return NEEDS_ARENA
    if has_top_bit(work.sums, depth):
        return NEEDS_LIMBS
    head[NODES] += 1
    head[STAMP] += 1
    number = branch[depth, NEXT]
    branch[depth, NEXT] = number + 1
    branch[depth, CHOSEN] = arena[branch[depth, CHOICES] + number] if number >= 0 else NO_OPTION
    stamp = head[STAMP]
    mark(cover, work.marks, arena, branch, depth, stamp)
    # The options are behind the space for as many headers as there can be.
    open_at = top + 4 * branch[depth, N_ITEMS]
    n_open = keep_open(cover, work.marks, work.parts.sizes, arena, branch, depth, stamp, open_at)
    if n_open <= 0:
        if n_open == 0:
            add_one(work.sums, depth)
        _take_back(cover, work, depth)
        return GOES_ON
    n_components, next_top = part(cover, work.parts, arena, branch, depth, top, open_at, n_open)
    product[depth + 1, HEADERS] = top
    product[depth + 1, N_COMPONENTS] = n_components
    product[depth + 1, NEXT_COMPONENT] = 0
    branch[depth + 1, TOP] = next_top
    for limb in range(work.products.shape[1]):
        work.products[depth + 1, limb] = ZERO
    work.products[depth + 1, 0] = ONE
    head[DEPTH] = depth + 1
    head[PHASE] = MULTIPLYING
    return GOES_ON


@inlined_inner_kernel
def _take_back(cover: Cover, work: Work, depth: int) -> None:
    """Undo the choice of a depth: count one cover less for each item of its option."""
    chosen = work.branch[depth, CHOSEN]
    if chosen != NO_OPTION:
        for use in range(cover.use_at[chosen], cover.use_at[chosen + 1]):
            work.marks.times[cover.items[use]] -= 1
