"""Compiled rule of a loop: each joint is on no chosen edge or on two, and all chosen edges are one cycle.

Algorithm: chosen edges form paths. A joint with one edge is the end of a path and knows the other end, its
*mate*. A joint without edges is its own mate. The mate of one with two edges is the greatest number of
that width, which no joint has. An edge connects the mates of its joints, so equal partitions are equal states
without any numbering, and a mate also says how many edges a joint has.
Source: the mates of the frontier method (Knuth, TAOCP 4A, 7.1.4, exercise 225).

    loops    one after the other:   width of a mate, word and bit of `closed`, n joints, n bounds, n choices
             for each joint word and shift of its mate
             for each bound its joint, its permitted numbers of edges as bits
             for each choice the two joints of its edge, or NO_EDGE twice

A state stores mate ^ joint, which is 0 for a joint without edges. A joint *lives* from the level of its first
edge to that of its last one; before and after it is not stored.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from rekkyo.bits import ONE, ZERO, Word, Words
from rekkyo.engines.frontier.label_kernel import Numbers, label_mask
from rekkyo.jit import inlined_inner_kernel, inner_kernel

N_HEAD, N_OF_JOINT, N_OF_BOUND = 6, 2, 2
NO_EDGE = -1
"""It also replaces word and shift of a joint that does not live at this level."""


@inner_kernel
def follow_loop(loops: Numbers, place: int, choice: int, after: Words) -> int:
    """Apply a loop to a choice; returns the beginning of the next loop, or -1 if the choice is rejected.

    after : uint64[n_words], in/out. The state.
    """
    full = label_mask(loops, place)
    bounds = place + N_HEAD + N_OF_JOINT * loops[place + 3]
    edges = bounds + N_OF_BOUND * loops[place + 4]
    one, other = loops[edges + 2 * choice], loops[edges + 2 * choice + 1]
    if one != NO_EDGE and not _add_edge(loops, place, one, other, after):
        return -1
    for bound in range(bounds, edges, N_OF_BOUND):
        joint = loops[bound]
        mate = _mate_of(loops, place, joint, full, after)
        n_edges = 2 if mate == full else 0 if mate == np.uint64(joint) else 1
        if loops[bound + 1] >> n_edges & 1 == 0:
            return -1
    return int(edges + 2 * loops[place + 5])


@inner_kernel
def _add_edge(loops: Numbers, place: int, one: int, other: int, after: Words) -> bool:
    """Add an edge between two joints; returns whether that is possible."""
    full, closed = (ONE << np.uint64(loops[place])) - ONE, ONE << np.uint64(loops[place + 2])
    mate = _mate_of(loops, place, one, full, after)
    other_mate = _mate_of(loops, place, other, full, after)
    if full in (mate, other_mate) or after[loops[place + 1]] & closed != ZERO:
        return False
    if mate == np.uint64(other):
        after[loops[place + 1]] |= closed
        _set_mate(loops, place, one, full, full, after)
        _set_mate(loops, place, other, full, full, after)
        return not _has_ends(loops, place, full, after)
    _set_mate(loops, place, np.int64(mate), other_mate, full, after)
    _set_mate(loops, place, np.int64(other_mate), mate, full, after)
    if mate != np.uint64(one):
        _set_mate(loops, place, one, full, full, after)
    if other_mate != np.uint64(other):
        _set_mate(loops, place, other, full, full, after)
    return True


@inner_kernel
def _has_ends(loops: Numbers, place: int, full: Word, after: Words) -> bool:
    """Whether some joint is the end of a path."""
    for joint in range(loops[place + 3]):
        if loops[place + N_HEAD + N_OF_JOINT * joint] != NO_EDGE:
            mate = _mate_of(loops, place, joint, full, after)
            if mate not in (full, np.uint64(joint)):
                return True
    return False


@inlined_inner_kernel
def _mate_of(loops: Numbers, place: int, joint: int, full: Word, after: Words) -> Any:
    field = place + N_HEAD + N_OF_JOINT * joint
    return (after[loops[field]] >> np.uint64(loops[field + 1]) & full) ^ np.uint64(joint)


@inlined_inner_kernel
def _set_mate(loops: Numbers, place: int, joint: Any, mate: Word, full: Word, after: Words) -> None:
    field = place + N_HEAD + N_OF_JOINT * joint
    word, shift = loops[field], np.uint64(loops[field + 1])
    after[word] = (after[word] & ~(full << shift)) | (mate ^ np.uint64(joint)) << shift
