"""Compiled rule of ways: chosen arcs form no cycle.

Algorithm: a state stores for each vertex, as a row of bits, the vertices that can be reached from it. An
arc is rejected if its beginning can be reached from its end. Otherwise what its end reaches is added to the
rows of all vertices that reach its beginning. A vertex *lives* from the level of its first arc to that of its
last one. After that its row is dropped, and its bit is taken from all others: ways through it are in the rows
of these. Equal relations between the living vertices are equal states.

    ways     one after the other:   n vertices, those that end here as bits, n choices, arcs for each choice
             for each vertex word and shift of its row, or NO_ARC twice if it does not live at this level
             for each choice the two vertices of its arcs, NO_ARC behind them
"""

from __future__ import annotations

from typing import Any

import numpy as np

from rekkyo.bits import ONE, ZERO, Words
from rekkyo.engines.frontier.label_kernel import Numbers
from rekkyo.jit import inlined_inner_kernel, inner_kernel

N_HEAD, N_OF_VERTEX, N_OF_ARC = 4, 2, 2
NO_ARC = -1


@inner_kernel
def follow_ways(ways: Numbers, place: int, choice: int, after: Words) -> int:
    """Add the arcs of a choice; returns the beginning of the next ways, or -1 if the choice is rejected.

    after : uint64[n_words], in/out. The state.
    """
    n, n_choices, most_arcs = ways[place], ways[place + 2], ways[place + 3]
    first = place + N_HEAD + N_OF_VERTEX * n
    arc = first + N_OF_ARC * most_arcs * choice
    for at in range(arc, arc + N_OF_ARC * most_arcs, N_OF_ARC):
        if ways[at] == NO_ARC:
            break
        if not _add_arc(ways, place, ways[at], ways[at + 1], after):
            return -1
    ended = np.uint64(ways[place + 1])
    if ended != ZERO:
        for vertex in range(n):
            field = place + N_HEAD + N_OF_VERTEX * vertex
            if ways[field] != NO_ARC:
                after[ways[field]] &= ~(ended << np.uint64(ways[field + 1]))
    return int(first + N_OF_ARC * most_arcs * n_choices)


@inner_kernel
def _add_arc(ways: Numbers, place: int, one: int, other: int, after: Words) -> bool:
    """Add an arc; returns whether it closes no cycle."""
    beyond, beginning = _row_of(ways, place, other, after), ONE << np.uint64(one)
    if beyond & beginning != ZERO:
        return False
    beyond |= ONE << np.uint64(other)
    for vertex in range(ways[place]):
        field = place + N_HEAD + N_OF_VERTEX * vertex
        is_before = vertex == one
        if ways[field] != NO_ARC and not is_before:
            is_before = _row_of(ways, place, vertex, after) & beginning != ZERO
        if is_before:
            after[ways[field]] |= beyond << np.uint64(ways[field + 1])
    return True


@inlined_inner_kernel
def _row_of(ways: Numbers, place: int, vertex: int, after: Words) -> Any:
    """The vertices that are reached from one."""
    field = place + N_HEAD + N_OF_VERTEX * vertex
    every = (ONE << np.uint64(ways[place])) - ONE
    return after[ways[field]] >> np.uint64(ways[field + 1]) & every
