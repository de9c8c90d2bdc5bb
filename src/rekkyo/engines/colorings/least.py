"""From a group to what `kernel_least` checks with it."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from rekkyo.arrays import read_only, unfilled
from rekkyo.engines.colorings.kernel_least import (
    COUNT,
    ELEMENT,
    FIRST,
    NEXT,
    NOTHING,
    UNTIL,
    Least,
    grow_trie,
    is_identity,
)
from rekkyo.symmetry.group import Group

MAX_ENTRIES = 1 << 23
"""Entries of a cursor, 16 bytes each, that can wait at most; only those in use take memory."""


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


def waiting(group: Least) -> NDArray[np.int32]:
    """A cursor's own lists, as they are before the first cell."""
    n_elements, length = group.paths.shape
    lists = unfilled((len(group.lists) + n_elements * (length + 3), 4), np.int32)
    lists[: len(group.lists)] = group.lists
    return lists


def _trie(paths: NDArray[np.uint16], n_colors: int) -> NDArray[np.int32]:
    """Nodes over recolourings and sources; UNTIL counts sources only, -1 where recolourings still differ."""
    n_elements, length = paths.shape
    differs = paths[1:] != paths[:-1]
    shared = np.zeros(n_elements, dtype=np.int32)
    shared[1:] = np.argmax(differs, axis=1)
    nodes = np.zeros((2 * n_elements + 1, 4), dtype=np.int32)
    nodes = nodes[: grow_trie(shared, nodes)]
    is_single = nodes[:, UNTIL] == -1
    nodes[:, UNTIL] = np.where(is_single, length, nodes[:, UNTIL]) - n_colors
    return read_only(nodes)


def _first_lists(sources: NDArray[np.uint16], nodes: NDArray[np.int32]) -> NDArray[np.int32]:
    """Every node whose elements recolour alike, but whose parent's do not, waits for its first place."""
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
        # A node that splits at place 0 waits for cell 0, as if it had one thing in common.
        level = int(sources[nodes[node, ELEMENT], 0]) if nodes[node, UNTIL] > 0 else 0
        lists.append([node, 0, lists[level][NEXT], level])
        lists[level][NEXT] = len(lists) - 1
    return np.array(lists, dtype=np.int32)
