"""Compiled parts of a diagram: building nodes, intersection, counting, listing.

A diagram is a ZDD: node 0 is the empty set of solutions, node 1 the set with the empty solution; every other
node tests one place (an atom, in the diagram's order) and has a branch `hi` with the atom and `lo` without
it. `hi` is never 0, no two nodes are equal, places increase along every path, and children have smaller
numbers than their parents. So diagrams of equal sets, numbered in the same way, are equal arrays. Source:
Minato, "Zero-suppressed BDDs for set manipulation in combinatorial problems" (1993); Knuth, TAOCP 4A, section
7.1.4.

    place : uint32[n]   END END  p   p   …          lo : uint32[n]    0  0  .  .  …
            node         0   1   2   3                hi : uint32[n]    0  0  .  .  …
"""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

from rekkyo.bits import HALF, ONE, SCATTER, ZERO, Word, Words
from rekkyo.engines.hashing import hashed, place_by
from rekkyo.engines.limbs import Limbs, add_product, add_to
from rekkyo.engines.longer import longer
from rekkyo.jit import allocating_kernel, inner_kernel, kernel

Numbers = NDArray[np.uint32]

END = np.uint32(0xFFFFFFFF)
"""Greater than all places: the place of the two terminal nodes; also a free entry of a table."""

NONE = np.uint32(0)
NOTHING = np.uint32(1)
PLACE, LO, HI = 0, 1, 2


@allocating_kernel
def add_level(
    nodes: Numbers, n_nodes: int, most: int, successors: Numbers, below: Numbers, place: int
) -> Any:
    """The nodes of the states of one level; returns (nodes, n_nodes, node of each state).

    nodes      : uint32[room, 3], place, lo and hi of each node; a longer copy is returned if it is full.
    most       : if there would be more nodes, the returned n_nodes is 0.
    successors : uint32[n_states, 1 + n_choices], see `step` of the frontier.
    below      : uint32[n], the node of each state after the level. place: of the first choice.
    """
    n_states, n_ways = successors.shape
    node_of = np.zeros(n_states, dtype=np.uint32)
    table = np.zeros(1 << 10, dtype=np.uint32)
    first = n_nodes
    for state in range(n_states):
        node = NONE
        if successors[state, 0] != END:
            node = below[successors[state, 0]]
        for way in range(n_ways - 1, 0, -1):
            if successors[state, way] == END:
                continue
            hi = below[successors[state, way]]
            if hi == NONE:
                continue
            at = _find(table, nodes, np.uint32(place + way - 1), node, hi)
            if table[at] == NONE:
                if n_nodes == most:
                    return nodes, 0, node_of
                if n_nodes == nodes.shape[0]:
                    nodes = longer(nodes, min(2 * n_nodes, most))
                _write(nodes, n_nodes, np.uint32(place + way - 1), node, hi)
                table[at] = np.uint32(n_nodes)
                n_nodes += 1
                if 2 * (n_nodes - first) > table.shape[0]:
                    table = _rehashed(nodes, first, n_nodes, 2 * table.shape[0])
                node = np.uint32(n_nodes - 1)
            else:
                node = table[at]
        node_of[state] = node
    return nodes, n_nodes, node_of


@allocating_kernel
def meet(  # noqa: PLR0912, PLR0915
    ours: Numbers, our_root: int, theirs: Numbers, their_root: int, most: int
) -> Any:
    """The intersection of two diagrams; returns (nodes, root), or (nodes, END) for too many nodes.

    ours, theirs : uint32[n, 3]. A pair of nodes is computed after its children.
    """
    nodes = np.empty((1 << 10, 3), dtype=np.uint32)
    nodes[0, PLACE] = nodes[1, PLACE] = END
    nodes[:2, LO:] = NONE
    n_nodes = 2
    table = np.zeros(1 << 11, dtype=np.uint32)
    pairs = np.zeros(1 << 10, dtype=np.uint64)
    results = np.full(1 << 10, END, dtype=np.uint32)
    n_pairs = 0
    stack = np.empty(ours.shape[0] + theirs.shape[0] + 2, dtype=np.uint64)
    root_pair = _same_place(ours, our_root, theirs, their_root)
    stack[0] = root_pair
    height = 1
    while height > 0:
        pair = stack[height - 1]
        if _known(pairs, results, pair) != END:
            height -= 1
            continue
        a, b = pair >> HALF, pair & np.uint64(END)
        lo_pair = _same_place(ours, ours[a, LO], theirs, theirs[b, LO])
        hi_pair = _same_place(ours, ours[a, HI], theirs, theirs[b, HI])
        lo, hi = _known(pairs, results, lo_pair), _known(pairs, results, hi_pair)
        if lo == END or hi == END:  # noqa: PLR1714 - kernels have no quick `in`
            if lo == END:
                stack[height] = lo_pair
                height += 1
            if hi == END:
                stack[height] = hi_pair
                height += 1
            continue
        height -= 1
        result = lo
        if hi != NONE:
            at = _find(table, nodes, ours[a, PLACE], lo, hi)
            if table[at] == NONE:
                if n_nodes == most:
                    return nodes, END
                if n_nodes == nodes.shape[0]:
                    nodes = longer(nodes, min(2 * n_nodes, most))
                _write(nodes, n_nodes, ours[a, PLACE], lo, hi)
                table[at] = np.uint32(n_nodes)
                n_nodes += 1
                if 2 * n_nodes > table.shape[0]:
                    table = _rehashed(nodes, 2, n_nodes, 2 * table.shape[0])
                result = np.uint32(n_nodes - 1)
            else:
                result = table[at]
        if n_pairs == most:
            return nodes, END
        n_pairs += 1
        if 2 * n_pairs > pairs.shape[0]:
            pairs, results = _more_pairs(pairs, results)
        at = _pair_place(pairs, pair)
        pairs[at], results[at] = pair, result
    return nodes[:n_nodes], _known(pairs, results, root_pair)


@inner_kernel
def _same_place(ours: Numbers, a: int, theirs: Numbers, b: int) -> Word:
    """The pair of nodes, advanced to the first common place; 0 if the intersection is empty."""
    one, other = np.uint32(a), np.uint32(b)
    while ours[one, PLACE] != theirs[other, PLACE]:
        if ours[one, PLACE] < theirs[other, PLACE]:
            one = ours[one, LO]
        else:
            other = theirs[other, LO]
    if one == NONE or other == NONE:  # noqa: PLR1714
        return ZERO
    return np.uint64(one) << HALF | np.uint64(other)


@inner_kernel
def _known(pairs: Words, results: Numbers, pair: Word) -> np.uint32:
    """The node of a pair, END if it is not computed yet."""
    if pair == ZERO:
        return NONE
    if pair == (ONE << HALF | ONE):
        return NOTHING
    at = _pair_place(pairs, pair)
    return results[at] if pairs[at] == pair else END


@inner_kernel
def _pair_place(pairs: Words, pair: Word) -> Word:
    last = np.uint64(pairs.shape[0] - 1)
    at = place_by(hashed(pair), pairs.shape[0])
    while pairs[at] != ZERO and pairs[at] != pair:
        at = (at + ONE) & last
    return at


@allocating_kernel
def _more_pairs(pairs: Words, results: Numbers) -> Any:
    more = np.zeros(2 * pairs.shape[0], dtype=np.uint64)
    more_results = np.full(2 * pairs.shape[0], END, dtype=np.uint32)
    for index in range(pairs.shape[0]):
        if pairs[index] != ZERO:
            at = _pair_place(more, pairs[index])
            more[at], more_results[at] = pairs[index], results[index]
    return more, more_results


@inner_kernel
def _find(table: Numbers, nodes: Numbers, place: np.uint32, lo: np.uint32, hi: np.uint32) -> Word:
    """The place of a node in the table, or the free place for it."""
    last = np.uint64(table.shape[0] - 1)
    mixed = (np.uint64(lo) << HALF | np.uint64(hi)) * SCATTER
    mixed = ((mixed ^ mixed >> HALF) + np.uint64(place)) * SCATTER
    at = mixed >> HALF & last
    while table[at] != NONE:
        node = table[at]
        if nodes[node, HI] == hi and nodes[node, LO] == lo and nodes[node, PLACE] == place:
            break
        at = (at + ONE) & last
    return at


@allocating_kernel
def _rehashed(nodes: Numbers, first: int, end: int, size: int) -> Numbers:
    table = np.zeros(size, dtype=np.uint32)
    for node in range(first, end):
        table[_find(table, nodes, nodes[node, PLACE], nodes[node, LO], nodes[node, HI])] = np.uint32(node)
    return table


@inner_kernel
def _write(nodes: Numbers, node: int, place: np.uint32, lo: np.uint32, hi: np.uint32) -> None:
    nodes[node, PLACE], nodes[node, LO], nodes[node, HI] = place, lo, hi


@allocating_kernel
def numbered(nodes: Numbers, root: int) -> Numbers:
    """The nodes reachable from the root, and the two terminal nodes, in postorder, hi first.

    The root comes last. Diagrams of equal sets become equal arrays.
    """
    number_of = np.full(nodes.shape[0], END, dtype=np.uint32)
    number_of[0], number_of[1] = NONE, NOTHING
    order = np.empty(nodes.shape[0], dtype=np.uint32)
    stack = np.empty(2 * nodes.shape[0] + 2, dtype=np.uint32)
    stack[0] = np.uint32(root)
    height, n_nodes = 1, 2
    while height > 0:
        node = stack[height - 1]
        if number_of[node] != END:
            height -= 1
            continue
        lo, hi = nodes[node, LO], nodes[node, HI]
        if number_of[hi] != END and number_of[lo] != END:
            number_of[node] = np.uint32(n_nodes)
            order[n_nodes] = node
            n_nodes += 1
            height -= 1
            continue
        if number_of[lo] == END:
            stack[height] = lo
            height += 1
        if number_of[hi] == END:
            stack[height] = hi
            height += 1
    out = np.empty((n_nodes, 3), dtype=np.uint32)
    for end in range(2):
        for part in range(3):
            out[end, part] = nodes[end, part]
    for node in range(2, n_nodes):
        old = order[node]
        out[node, PLACE] = nodes[old, PLACE]
        out[node, LO], out[node, HI] = number_of[nodes[old, LO]], number_of[nodes[old, HI]]
    return out


@kernel
def count_below(nodes: Numbers, counts: Limbs) -> bool:
    """counts : uint64[n, n_limbs], zeros, out: solutions below each node. False if a count is too long."""
    counts[1, 0] = ONE
    for node in range(2, nodes.shape[0]):
        carry = add_to(counts, node, counts, nodes[node, LO]) | add_to(counts, node, counts, nodes[node, HI])
        if carry != ZERO:
            return False
    return True


@kernel
def count_uses(nodes: Numbers, counts: Limbs, ways: Limbs, uses: Limbs) -> None:
    """The number of solutions with each place.

    counts : of `count_below`. ways : as counts, zeros, out: paths from the root, the last node, to each node.
    uses   : uint64[n_places, n_limbs], zeros, out. No number exceeds the number of all solutions.
    """
    ways[nodes.shape[0] - 1, 0] = ONE
    for node in range(nodes.shape[0] - 1, 1, -1):
        add_to(ways, nodes[node, LO], ways, node)
        add_to(ways, nodes[node, HI], ways, node)
        add_product(uses, nodes[node, PLACE], ways, node, counts, nodes[node, HI])


@kernel
def list_rows(
    nodes: Numbers, atoms: Numbers, path: Numbers, head: NDArray[np.int64], out: Any, n_rows: int
) -> None:
    """Write the next solutions, from that of the path on, and move the path after the last one.

    atoms : uint32[n_places], the atom of each place.
    path  : uint32[deepest], in/out: the nodes whose atoms are taken. head : int64[3]. In/out: their number;
            in: the filler of rows, and n_values if rows are by position, else 0.
    out   : unsigned[n, length]. At least n solutions must be left.
    """
    depth, filler, n_values = head[0], head[1], head[2]
    length = out.shape[1]
    for row in range(n_rows):
        if n_values > 0:
            for step in range(depth):
                atom = atoms[nodes[path[step], PLACE]]
                out[row, atom // n_values] = atom % n_values
        else:
            for step in range(depth):  # insertion sort: options that are decided in order need no moves
                atom = atoms[nodes[path[step], PLACE]]
                at = step
                while at > 0 and out[row, at - 1] > atom:
                    out[row, at] = out[row, at - 1]
                    at -= 1
                out[row, at] = atom
            for step in range(depth, length):
                out[row, step] = filler
        node = NONE
        while node == NONE and depth > 0:
            depth -= 1
            node = nodes[path[depth], LO]
        while node > NOTHING:
            path[depth] = node
            depth += 1
            node = nodes[node, HI]
    head[0] = depth
