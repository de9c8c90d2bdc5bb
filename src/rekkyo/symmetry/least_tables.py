"""A group of any size as tables by which a kernel finds out whether a row is the least one of its orbit.

The elements that keep each atom of a beginning of a row are a group. For the beginnings of least rows,
`least_kernel` needs the orbits of the atoms at the next position under this group, and for each atom of an
orbit one element that takes the least atom of the orbit to it. Most beginnings of one length have the same
group, so there are few *nodes*, each with a position and a group:

    tables  | … | element | … | orbit | … | node | node | …
    element | the image of each atom
    orbit   | atom | element | atom | element | …     takes the least atom of the orbit, which comes first, to
                                                      this atom; 0 for the least atom itself
    node    | ORDER | edge of value 0 | of value 1 | …
    edge    | NEXT | SIZE | ORBIT                     NEXT and SIZE are 0 if no least row has the value here

All numbers are places in `tables`, except ORDER, SIZE and the atoms. ORDER is the order of the group, at most
MOST_ORDER. The last node of a row has the group that keeps all atoms of the row.
Source: S. Linton, Finding the smallest image of a set (ISSAC 2004). Rows of options: `set_tables`.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from rekkyo.arrays import read_only
from rekkyo.bits import Words
from rekkyo.symmetry.chain import Chain, chain_from, generators_of, least_of_orbits, order_of

ORDER, EDGES = 0, 1
NEXT, SIZE, ORBIT, EDGE = 0, 1, 2, 3
"""Offsets in a node and in an edge; EDGE is the length of an edge."""

MOST_WORDS = 1 << 22
"""The most words of the tables, 8 bytes each. The exchanges of 12 points need 17 thousand, as symmetries of
the edges of a complete graph in two colours."""

MOST_EDGES = 1 << 14
MOST_ORDER = (1 << 63) - 1


@dataclass(frozen=True, slots=True, eq=False)
class LeastTables:
    """The tables of a group of rows by position as above, or of sets of options as in `set_tables`.

    words : uint64[n_words], the `tables`. root: the place of the first node.
    orders: of the groups of the nodes that may be last, by their places.
    """

    words: Words
    root: int
    orders: Mapping[int, int]


class TablesTooLarge(Exception):
    """There are too many groups of beginnings, or their orbits are too large."""


@dataclass(slots=True, eq=False)
class _Kept:
    """The group of the elements that keep some atoms.

    chain: complete. kept: the atoms; the elements that keep those before an atom do not all keep it.
    least: the least atom of the orbit of each atom.
    """

    chain: Chain
    order: int
    kept: tuple[int, ...]
    least: NDArray[np.uint32]


class _Edge(NamedTuple):
    """The edge of a value. group: the number of the next node's group. orbit: its place, of `size` atoms."""

    value: int
    group: int
    size: int
    orbit: int


class _Ways(NamedTuple):
    """Elements that take an atom to each atom of its orbit, first to itself. group: of those that keep it."""

    elements: list[NDArray[np.int64]]
    group: int


def least_tables(chain: Chain, n_values: int, is_possible: NDArray[np.bool_]) -> LeastTables:
    """The tables of a group of atoms by position. Raises TablesTooLarge.

    chain: complete, not empty. is_possible : bool[n_atoms]. Whether a row can have an atom; the group keeps
    this.
    """
    return _Builder(chain, n_values, is_possible).built()


class _Builder:
    """Collects groups, position by position, and the edges between them, which become nodes at the end.

    stored: the places of the parts of the tables, by their bytes.
    """

    def __init__(self, chain: Chain, n_values: int, is_possible: NDArray[np.bool_]) -> None:
        self.n_values, self.is_possible = n_values, is_possible
        self.parts: list[Words] = []
        self.n_words = 1  # place 0 means "none"
        self.groups = [
            _Kept(chain, order_of(chain), (), least_of_orbits(generators_of(chain), len(is_possible)))
        ]
        self.stored: dict[bytes, int] = {}

    def built(self) -> LeastTables:
        """See `least_tables`."""
        levels: list[dict[int, list[_Edge]]] = []
        here, n_edges = [0], 0
        for first in range(0, len(self.is_possible), self.n_values):
            edges = {number: self._edges(number, first) for number in here}
            levels.append(edges)
            here = list(dict.fromkeys(edge.group for some in edges.values() for edge in some))
            n_edges += sum(map(len, edges.values()))
            if n_edges > MOST_EDGES:
                raise TablesTooLarge
        levels.append({number: [] for number in here})
        return self._laid_out(levels)

    def _edges(self, number: int, first: int) -> list[_Edge]:
        """The edges of a group at the position whose first atom is given."""
        group = self.groups[number]
        found: list[_Edge] = []
        ways: list[_Ways] = []
        for atom in range(first, first + self.n_values):
            if not self.is_possible[atom] or int(group.least[atom]) != atom:
                continue
            if all(int(generator[atom]) == atom for generator in generators_of(group.chain)):
                found.append(_Edge(atom - first, number, 1, self._add([atom, 0])))
                continue
            size = int(np.count_nonzero(group.least == atom))
            way = next((some for some in ways if self._serves(some, atom, size)), None)
            if way is None:
                chain = chain_from(group.chain, atom)
                elements = [np.argsort(element) for element in chain[0].to_point.values()]
                way = _Ways(elements, self._group_after(group, atom, chain[1:]))
                ways.append(way)
            orbit = [place for one in way.elements for place in (int(one[atom]), self._element(one))]
            found.append(_Edge(atom - first, way.group, size, self._add(orbit)))
        return found

    def _serves(self, ways: _Ways, atom: int, size: int) -> bool:
        """Whether elements found for another atom serve for this one, and the same group keeps both atoms.

        size: of the orbit of this atom. If the other orbit has that size, as many elements keep the one atom
        as the other. So they are the same elements if all that keep the other atom also keep this one.
        """
        is_orbit = len(ways.elements) == size == len({int(one[atom]) for one in ways.elements})
        kept = generators_of(self.groups[ways.group].chain)
        return is_orbit and all(int(generator[atom]) == atom for generator in kept)

    def _element(self, element: NDArray[np.int64]) -> int:
        """The place of an element, 0 for the identity."""
        return 0 if np.array_equal(element, np.arange(len(element))) else self._add(element)

    def _group_after(self, group: _Kept, atom: int, chain: Chain) -> int:
        """The number of the subgroup that keeps an atom, which the group moves.

        chain: of this subgroup. A group of the same order is the same if the subgroup keeps its atoms.
        """
        generators, order = generators_of(chain), order_of(chain)
        for number, other in enumerate(self.groups):
            if other.order == order and all(
                int(generator[kept]) == kept for generator in generators for kept in other.kept
            ):
                return number
        n_atoms = len(self.is_possible)
        self.groups.append(_Kept(chain, order, (*group.kept, atom), least_of_orbits(generators, n_atoms)))
        return len(self.groups) - 1

    def _add(self, numbers: Sequence[int] | NDArray[np.int64]) -> int:
        """Append numbers, unless they are there already; their place."""
        words = np.array(numbers, dtype=np.uint64)
        key = words.tobytes()
        if key not in self.stored:
            self.stored[key] = self.n_words
            self.parts.append(words)
            self.n_words += len(words)
            if self.n_words > MOST_WORDS:
                raise TablesTooLarge
        return self.stored[key]

    def _laid_out(self, levels: Sequence[dict[int, list[_Edge]]]) -> LeastTables:
        """The tables with their nodes at the end."""
        size = EDGES + EDGE * self.n_values
        nodes = [(level, number) for level, edges in enumerate(levels) for number in edges]
        place_of = {node: self.n_words + size * at for at, node in enumerate(nodes)}
        words = np.zeros(self.n_words + size * len(nodes), dtype=np.uint64)
        words[1 : self.n_words] = np.concatenate(self.parts)
        for (level, number), place in place_of.items():
            words[place + ORDER] = min(self.groups[number].order, MOST_ORDER)
            for value, group, n_atoms, orbit in levels[level][number]:
                at = place + EDGES + EDGE * value
                words[[at + NEXT, at + SIZE, at + ORBIT]] = place_of[level + 1, group], n_atoms, orbit
        last = len(levels) - 1
        orders = {place_of[last, number]: self.groups[number].order for number in levels[last]}
        return LeastTables(read_only(words), place_of[0, 0], orders)
