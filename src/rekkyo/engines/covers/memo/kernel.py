"""Compiled search of memoised branching: a depth-first search that remembers what subproblems came to.

Algorithm DXZ (Nishino, Yasuda, Minato and Nagata, "Dancing with decision diagrams", AAAI 2017), counting
only: cover the item with the fewest options; what is left falls into components that share no item, and their
counts are multiplied; the count of a component with several choices is remembered by its key (`plan.py`). The
item is chosen by what is left alone, else equal subproblems would be cut up in different ways.

Two frames for each depth, a *product* over components and, within it, a *branch* over the options of one
component's item. The lists of open options lie in one array, one above the other:

    arena   : ... | headers of components (4 each) | options | items, sizes | ... | choices | deeper ...
    product[d] = HEADERS, N_COMPONENTS, NEXT
    branch[d]  = the header; CHOICES, N_CHOICES, NEXT, LAST, CHOSEN, TOP, IS_REMEMBERED

An item that is covered several times is covered by the first of its options, the second, …, in that order: an
option that was passed over is shut. Where it may be left uncovered, that is a choice too, numbered -1.

The kernels make no arrays. Where there is no more room they return what is lacking, before they change
anything, and go on from there when they are called again. Left out on purpose: conflicts of options as bits
(n^2 of them), and forgetting of what is remembered.
"""

from __future__ import annotations

import numpy as np

from rekkyo.bits import ONE, ZERO
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
    fewest,
    keep_open,
    list_choices,
    mark,
    part,
)
from rekkyo.engines.covers.memo.kernel_table import (
    FREE,
    add_one,
    is_long,
    is_zero,
    multiply,
    place_of,
    write_key,
)
from rekkyo.engines.covers.memo.plan import Cover, Work
from rekkyo.engines.limbs import add_to
from rekkyo.jit import kernel

DONE = 0
OUT_OF_BUDGET = 1
NEEDS_ARENA = 2
NEEDS_DEPTH = 3
NEEDS_ENTRIES = 4
NEEDS_LIMBS = 5

DEPTH, PHASE, NODES, N_ENTRIES, STAMP = range(5)
"""head : int64[5]. NODES: choices tried, of all calls."""

MULTIPLYING, BRANCHING = 0, 1

HEADERS, N_COMPONENTS, NEXT_COMPONENT = range(3)


@kernel
def advance(  # noqa: PLR0911, PLR0912, PLR0915 - one loop, because calls with arrays cost
    cover: Cover, work: Work, budget: int
) -> int:
    """Search on until all is counted (DONE: `products[0]` is the count), or until something is used up."""
    use_at, items, low, times = cover.use_at, cover.items, cover.low, work.marks.times
    arena, product, branch, head = work.arena, work.product, work.branch, work.head
    products, sums, path, spare = work.products, work.sums, work.path, work.spare
    places, keys, values = work.places, work.keys, work.values
    end = head[NODES] + budget
    n_depths = product.shape[0]
    n_limbs = values.shape[1]
    while True:
        depth = head[DEPTH]
        if head[PHASE] == MULTIPLYING:
            next_component = product[depth, NEXT_COMPONENT]
            if next_component == product[depth, N_COMPONENTS] or is_zero(products, depth):
                if depth == 0:
                    return DONE
                above = depth - 1
                if is_long(sums, above) or is_long(products, depth):
                    return NEEDS_LIMBS
                add_to(sums, above, products, depth)
                chosen = branch[above, CHOSEN]
                if chosen != NO_OPTION:
                    for use in range(use_at[chosen], use_at[chosen + 1]):
                        times[items[use]] -= 1
                head[DEPTH] = above
                head[PHASE] = BRANCHING
                continue
            header = product[depth, HEADERS] + 4 * next_component
            item, n_choices, is_required = fewest(low, times, arena, header)
            is_remembered = n_choices > 1
            if is_remembered:
                write_key(cover, times, arena, path, header, depth)
                entry = places[place_of(places, keys, path, depth)]
                if entry != FREE:
                    if not multiply(products, depth, values, int(entry), spare):
                        return NEEDS_LIMBS
                    product[depth, NEXT_COMPONENT] += 1
                    continue
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
            for limb in range(n_limbs):
                sums[depth, limb] = ZERO
            head[PHASE] = BRANCHING
        elif branch[depth, NEXT] > branch[depth, LAST]:
            n_entries = head[N_ENTRIES]
            is_remembered = branch[depth, IS_REMEMBERED] != 0
            if is_remembered and n_entries == keys.shape[0]:
                return NEEDS_ENTRIES
            if not multiply(products, depth, sums, depth, spare):
                return NEEDS_LIMBS
            if is_remembered:
                places[place_of(places, keys, path, depth)] = np.uint32(n_entries)
                for word in range(keys.shape[1]):
                    keys[n_entries, word] = path[depth, word]
                for limb in range(n_limbs):
                    values[n_entries, limb] = sums[depth, limb]
                head[N_ENTRIES] = n_entries + 1
            product[depth, NEXT_COMPONENT] += 1
            head[PHASE] = MULTIPLYING
        else:
            if head[NODES] >= end:
                return OUT_OF_BUDGET
            if depth + 1 == n_depths:
                return NEEDS_DEPTH
            top = branch[depth, CHOICES] + branch[depth, N_CHOICES]
            # Headers, options once in place and once in parts, and items with sizes likewise.
            most = 2 * branch[depth, N_OPTIONS] + 7 * branch[depth, N_ITEMS] + 8
            if top + most > arena.shape[0]:
                return NEEDS_ARENA
            if is_long(sums, depth):
                return NEEDS_LIMBS
            head[NODES] += 1
            head[STAMP] += 1
            number = branch[depth, NEXT]
            branch[depth, NEXT] = number + 1
            chosen = np.int64(NO_OPTION)
            if number >= 0:
                chosen = np.int64(arena[branch[depth, CHOICES] + number])
            branch[depth, CHOSEN] = chosen
            stamp = head[STAMP]
            mark(cover, work.marks, arena, branch, depth, stamp)
            # The options go above the largest set of headers.
            open_at = top + 4 * branch[depth, N_ITEMS]
            n_open = keep_open(cover, work.marks, work.parts.sizes, arena, branch, depth, stamp, open_at)
            if n_open > 0:
                n_components, next_top = part(cover, work.parts, arena, branch, depth, top, open_at, n_open)
                product[depth + 1, HEADERS] = top
                product[depth + 1, N_COMPONENTS] = n_components
                product[depth + 1, NEXT_COMPONENT] = 0
                branch[depth + 1, TOP] = next_top
                for limb in range(n_limbs):
                    products[depth + 1, limb] = ZERO
                products[depth + 1, 0] = ONE
                head[DEPTH] = depth + 1
                head[PHASE] = MULTIPLYING
                continue
            if n_open == 0:
                add_one(sums, depth)
            if chosen != NO_OPTION:
                for use in range(use_at[chosen], use_at[chosen + 1]):
                    times[items[use]] -= 1
