"""A compiled check, cell by cell, that the colouring so far can still be the least one of its orbit.

Algorithm: the lexicographically least row of an orbit is not greater than any of its images. Cells are
coloured in a fixed order, and rows are compared in that order. Each element of the group waits until the next
two cells that it compares are coloured: then its image is less (go back), greater (the element is irrelevant
for this branch) or equal (continue the comparison). Elements that compare the same cells in the same order
wait together, as one node of a compressed trie, so that most of them are never visited: on an empty board
there is one comparison for each cell, not one for each element. The nodes that wait for a level are in a
linked list; undoing a decision removes the nodes that were added since.

    lists       | the heads, one for each level | waiting nodes, filled upwards
    row         |     0         1         2     |     3       4       5
    NODE, PLACE |                               |   0, 0    3, 0    5, 1
    NEXT        |    -1         3         5     |    -1      -1       4      a list ends with -1
    LEVEL       |                               |     1       2       2

At the last level the elements that were equal to the end, and the identity, are the stabilizer of the row.
The identity itself never waits, so that a branch without remaining symmetry costs nothing more.
Source: lexicographic leaders, as in J. Crawford, M. Ginsberg, E. Luks, A. Roy, "Symmetry-breaking predicates
for search problems" (KR 1996); R. C. Read, "Every one a winner" (1978), for orderly search. Left out on
purpose: elements that move cells and colours in any other way than a permutation of each.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, NamedTuple, TypeAlias

import numpy as np
from numpy.typing import NDArray

from rekkyo.arrays import read_only, unfilled
from rekkyo.jit import inlined_inner_kernel, inlined_kernel, kernel
from rekkyo.symmetry.group import Group

Ints: TypeAlias = NDArray[np.int32]

DEPTH, END, TOP = 0, 1, 2
"""Places in the `state` of every search: its decision, the one at which its shard ends, rows of `waiting`."""


class Least(NamedTuple):
    """A group as a trie; empty arrays for no symmetry. Levels are places in the order of the cells.

    There are K colours and n cells.

    paths : uint16[order, K + n]. Element g maps colour c to paths[g, c], and moves the colour of level
            paths[g, K + j] to level j. Sorted; the identity comes first.
    nodes : int32[n_nodes, 4]. ELEMENT: the first element of the node. UNTIL: its elements compare the same
            sources below this level; negative if they recolour differently. FIRST, COUNT: its children;
            COUNT is 0 at a single element.
    lists : int32[n + n_waiting, 4]. The lists before the first cell; see the picture. A cursor's lists have
            order * (K + n + 3) more rows. At most order * (n + 3) of these are used: waiting nodes are
            disjoint sets of elements, so a level passes on at most as many nodes as there are elements, and
            every node is split at most once.
    """

    paths: NDArray[np.uint16]
    nodes: Ints
    lists: Ints


ELEMENT, UNTIL, FIRST, COUNT = 0, 1, 2, 3
NODE, PLACE, NEXT, LEVEL = 0, 1, 2, 3
NOTHING = -1
NOT_LEAST = -1

# Functions that run at every node are inlined: a fifth of the instructions of `coloring-masks`.


@inlined_inner_kernel
def stabilizer_at(
    level: int, colors: NDArray[np.uint8], least: Least, waiting: Ints, state: NDArray[np.int64]
) -> int:
    """Check whether the colouring can still be least after the cell of a level is coloured.

    Returns NOT_LEAST if an image is less; at the last level, the order of the row's stabilizer; otherwise a
    number without meaning.

    colors  : uint8[n], in. By level, valid up to this one.
    waiting : int32[n_rows, 4], in and out. A cursor's own lists; state[TOP] rows are in use.
    """
    if waiting[level, NEXT] == NOTHING:
        return 1
    state[TOP], stabilizer = _compare_waiting(level, colors, least.paths, least.nodes, waiting, state[TOP])
    return int(stabilizer)


@inlined_inner_kernel
def _compare_waiting(
    level: int, colors: NDArray[np.uint8], paths: NDArray[np.uint16], nodes: Ints, lists: Ints, top: int
) -> Any:
    """Compare the nodes that waited for a level; returns (new top, stabilizer)."""
    n = colors.shape[0]
    n_colors = paths.shape[1] - n
    stabilizer = 1
    begin, end = lists[level, NEXT], NOTHING
    # Children that wait for the same level are put before `begin`; each round compares those of the last one.
    while begin != end:
        entry = begin
        while entry != end:
            node, place = int(lists[entry, NODE]), int(lists[entry, PLACE])
            element, until = nodes[node, ELEMENT], nodes[node, UNTIL]
            waits_for = level
            while place < until:
                source = int(paths[element, n_colors + place])
                waits_for = max(source, place)
                if waits_for > level:
                    break
                image, own = paths[element, colors[source]], colors[place]
                if image < own:
                    return top, NOT_LEAST
                if image > own:
                    place = n + 1  # neither the end nor `until`: these elements no longer wait
                    break
                place += 1
            if place < until:
                top = _wait(lists, top, node, place, waits_for)
            elif place == n and nodes[node, COUNT] == 0:
                stabilizer += 1
            elif place == until:
                first = int(nodes[node, FIRST])
                for child in range(first, first + nodes[node, COUNT]):
                    if is_identity(nodes, child):
                        continue
                    source = int(paths[nodes[child, ELEMENT], n_colors + place])
                    top = _wait(lists, top, child, place, max(source, place, level))
            entry = lists[entry, NEXT]
        begin, end = lists[level, NEXT], begin
    return top, stabilizer


@inlined_kernel
def is_identity(nodes: Ints, node: int) -> bool:
    """Whether a node is only the identity: element 0, because it is the least sequence."""
    return bool(nodes[node, ELEMENT] == 0 and nodes[node, COUNT] == 0)


@inlined_inner_kernel
def _wait(lists: Ints, top: int, node: int, place: int, level: int) -> int:
    """Put a node into the list of a level; returns the new top."""
    lists[top, NODE], lists[top, PLACE], lists[top, LEVEL] = node, place, level
    lists[top, NEXT] = lists[level, NEXT]
    lists[level, NEXT] = top
    return top + 1


@inlined_inner_kernel
def take_back(waiting: Ints, state: NDArray[np.int64], down_to: int) -> None:
    """Remove the entries from `down_to` on, the last one first."""
    while state[TOP] > down_to:
        state[TOP] -= 1
        top = state[TOP]
        waiting[waiting[top, LEVEL], NEXT] = waiting[top, NEXT]


@kernel
def grow_trie(shared: Ints, nodes: Ints) -> int:
    """Make a compressed trie of sorted sequences; returns the number of nodes. The root is node 0.

    shared : int32[n_sequences], in. How many first places sequence i has in common with i - 1; shared[0] is
             not used. All sequences are different, so each number is less than their length.
    nodes  : int32[2 * n_sequences + 1, 4], out; UNTIL of a single sequence is left at -1. COUNT of a node
             holds the end of its sequences until it is the node's turn.
    """
    nodes[0, ELEMENT], nodes[0, COUNT] = 0, shared.shape[0]
    n_nodes = 1
    node = 0
    while node < n_nodes:
        first, end = nodes[node, ELEMENT], nodes[node, COUNT]
        nodes[node, FIRST], nodes[node, UNTIL] = n_nodes, -1
        if end - first > 1:
            until = shared[first + 1]
            for sequence in range(first + 2, end):
                until = min(until, shared[sequence])
            nodes[node, UNTIL] = until
            child_first = first
            for sequence in range(first + 1, end + 1):
                if sequence == end or shared[sequence] == until:
                    nodes[n_nodes, ELEMENT], nodes[n_nodes, COUNT] = child_first, sequence
                    n_nodes += 1
                    child_first = sequence
        nodes[node, COUNT] = n_nodes - nodes[node, FIRST]
        node += 1
    return n_nodes


MAX_ENTRIES = 1 << 23
"""The most rows of a cursor's lists that may be used, 16 bytes each; unused rows take no memory."""


def least(group: Group, order: Sequence[int]) -> Least | None:
    """The group for a search in this order of the cells.

    None when it is trivial, too large, or when an element moves a cell differently for each colour.
    """
    n, n_colors = group.shape.length, group.shape.n_values
    if group.order == 1 or group.order * (n + 3) > MAX_ENTRIES:
        return None
    atoms = group.elements.reshape(-1, n, n_colors)
    cells, recolors = atoms[:, :, 0] // n_colors, atoms[:, 0, :] % n_colors
    if not np.array_equal(atoms, cells[:, :, None] * n_colors + recolors[:, None, :]):
        return None
    levels = np.argsort(np.array(order))
    sources = levels[np.argsort(cells, axis=1)[:, np.array(order)]]
    paths = np.hstack([recolors, sources]).astype(np.uint16)
    paths = np.ascontiguousarray(paths[np.lexsort(paths.T[::-1])])
    nodes = _trie(paths, n_colors)
    return Least(paths, nodes, _first_lists(paths[:, n_colors:], nodes))


NO_SYMMETRY = read_only(
    Least(np.zeros((0, 0), np.uint16), np.zeros((0, 4), np.int32), np.zeros((0, 4), np.int32))
)


def waiting(group: Least) -> Ints:
    """A cursor's lists before the first cell."""
    n_elements, length = group.paths.shape
    lists = unfilled((len(group.lists) + n_elements * (length + 3), 4), np.int32)
    lists[: len(group.lists)] = group.lists
    return lists


def copied(lists: Ints, top: int) -> Ints:
    """A copy of a cursor's lists, of which the rows from `top` on are unused, and take no memory."""
    copy = unfilled(lists.shape, np.int32)
    copy[:top] = lists[:top]
    return copy


def _trie(paths: NDArray[np.uint16], n_colors: int) -> Ints:
    """Nodes over recolourings and sources. UNTIL counts sources only; negative if recolourings differ."""
    n_elements, length = paths.shape
    differs = paths[1:] != paths[:-1]
    shared = np.zeros(n_elements, dtype=np.int32)
    shared[1:] = np.argmax(differs, axis=1)
    nodes = np.zeros((2 * n_elements + 1, 4), dtype=np.int32)
    nodes = nodes[: grow_trie(shared, nodes)]
    is_single = nodes[:, UNTIL] == -1
    nodes[:, UNTIL] = np.where(is_single, length, nodes[:, UNTIL]) - n_colors
    return read_only(nodes)


def _first_lists(sources: NDArray[np.uint16], nodes: Ints) -> Ints:
    """Every node whose elements have the same recolouring, but whose parent's do not, waits for its first
    place.
    """
    n = sources.shape[1]
    lists = [[0, 0, NOTHING, 0] for _ in range(n)]
    above = [0]
    while above:
        node = above.pop()
        if nodes[node, UNTIL] < 0:
            above += range(nodes[node, FIRST], nodes[node, FIRST] + nodes[node, COUNT])
            continue
        if is_identity(nodes, node):
            continue
        # A node that splits at place 0 waits for level 0; then its children begin to wait for their levels.
        level = int(sources[nodes[node, ELEMENT], 0]) if nodes[node, UNTIL] > 0 else 0
        lists.append([node, 0, lists[level][NEXT], level])
        lists[level][NEXT] = len(lists) - 1
    return np.array(lists, dtype=np.int32)
