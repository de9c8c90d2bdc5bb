"""Representatives that were found, by which greater rows of their orbits are rejected at once.

To prove that a row is least takes milliseconds under a large group, and a search finds up to a hundred rows
of each orbit, the least one mostly first. So each representative is kept with an invariant of its orbit
(`invariant_kernel.py`). A row with the same invariant is matched with it, atom by atom in the order of their
colours; where colours are equal, one atom after the other is told apart from the rest. A match is only a
guess. It counts if an element of the group, found along the path of the representative in the tables of the
group, takes every atom to its partner. So invariants decide how long an answer takes, never what it is.
Under some groups they tell nothing apart: affine maps over two elements take any three points to any others.
So classes are dropped if matching takes longer than the proofs that it saves.

Steiner triple systems of 15 points took 15 s of one worker before, of which the proofs for 1,326 rows were
9.6, and 5.8 after; main classes of Latin squares of order 7 took 144 s, and 58.
Left out on purpose: rows of more than `MOST_ATOMS` atoms.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from itertools import count
from typing import Any

import numpy as np
from numpy.typing import NDArray

from rekkyo.arrays import unfilled
from rekkyo.bits import Words
from rekkyo.model.row import Layout
from rekkyo.symmetry.chain import least_of_orbits
from rekkyo.symmetry.invariant_kernel import MOST_ATOMS, MOST_KINDS, Atoms, Kinds, fill_profiles, refine
from rekkyo.symmetry.large_group import LargeGroup
from rekkyo.symmetry.least_tables import EDGE, EDGES, NEXT, ORBIT, SIZE
from rekkyo.symmetry.set_tables import LEAST, TRIVIAL

MOST_PAIRS = 1 << 20
"""Of all atoms; their orbits take a tenth of a second."""

MOST_KNOWN = 1 << 14
MOST_TRIES, MOST_VAIN, PAID = 200, 1000, 100
"""Colours that are refined to match a row with representatives, some 0.05 ms each; then it may be an image.
So many in vain show that classes do not pay, after PAID are taken off for each image that is recognised. With
MOST_TRIES for each representative, the 15 classes of sets of 10 of the 32 points of the affine space over two
elements took 15 s of CPU time instead of 0.37, and 0.31 without matching."""

TOLD_APART = np.uint64(0x2545F4914F6CDD1D)


@dataclass(frozen=True, slots=True, eq=False)
class Seen:
    """A row in the order of comparison, and its invariants.

    row: for comparison. atoms: in the tables' numbers. colors : uint64[n]. invariant: of the orbit, with n.
    """

    row: tuple[int, ...]
    atoms: Atoms
    profiles: Words
    colors: Words
    invariant: tuple[int, int]


@dataclass(frozen=True, slots=True, eq=False)
class _Leaf:
    """The atoms of a row in the order of colours that all differ. sums: of the colours on the way there."""

    atoms: Atoms
    sums: tuple[int, ...]


class KnownClasses:
    """The representatives of a group that were found. Safe to share between threads."""

    def __init__(self, group: LargeGroup, kinds: NDArray[np.int64]) -> None:
        """kinds : int64[n_atoms, n_atoms], fewer than MOST_KINDS."""
        self._group = group
        self._known: dict[tuple[int, int], list[tuple[Seen, _Leaf]]] = {}
        self._n_known = self._n_vain = 0
        self._kinds: Kinds = kinds.astype(np.uint8)
        self._n_kinds = 1 + int(kinds.max())

    def seen(self, row: NDArray[Any]) -> Seen:
        """A row, in the order of comparison, with its invariants."""
        shape = self._group.shape
        atoms = row.astype(np.int64)
        if shape.layout is Layout.BY_OPTION:
            atoms = atoms[atoms < shape.n_values]
        else:
            atoms += shape.n_values * np.arange(len(atoms))
        n = len(atoms)
        profiles, partners = unfilled((n, n), np.uint64), unfilled((self._n_kinds, n), np.uint64)
        colors = np.zeros(n, dtype=np.uint64)
        with np.errstate(over="ignore"):  # of kernels that are not compiled
            fill_profiles(self._kinds, self._n_kinds, atoms, partners, profiles)
        _refine(profiles, colors)
        return Seen(tuple(row.tolist()), atoms, profiles, colors, (n, _sum_of(colors)))

    def add(self, seen: Seen) -> None:
        """Keep a row that is the least one of its orbit."""
        if self._n_known < MOST_KNOWN:
            leaf = next(_leaves(seen, None, count()))
            self._known.setdefault(seen.invariant, []).append((seen, leaf))
            self._n_known += 1

    def is_image(self, seen: Seen) -> bool:
        """Whether a row is found to be an image of a lesser one that is known. If not, it may be one."""
        tries = count()
        found = any(
            other.row < seen.row and self._is_image_of(seen, leaf, tries)
            for other, leaf in self._known.get(seen.invariant, ())
        )
        self._n_vain = max(0, self._n_vain + next(tries) - found * PAID)
        return found

    @property
    def pay(self) -> bool:
        """Whether recognising images is still expected to take less time than it saves."""
        return self._n_vain <= MOST_VAIN

    def _is_image_of(self, seen: Seen, target: _Leaf, tries: Iterator[int]) -> bool:
        takes = _takes_set if self._group.shape.layout is Layout.BY_OPTION else _takes_row
        ordered = np.argsort(target.atoms)
        for leaf in _leaves(seen, target.sums, tries):
            if takes(self._group, leaf.atoms[ordered], target.atoms[ordered]):
                return True
        return False


def known_classes(group: LargeGroup) -> KnownClasses | None:
    """No classes yet; None if the group has too many atoms, or too many kinds of pairs."""
    if group.shape.length > MOST_ATOMS or group.shape.n_atoms**2 > MOST_PAIRS:
        return None
    kinds = _kinds_of(group)
    return KnownClasses(group, kinds) if kinds.max() < MOST_KINDS else None


def _leaves(seen: Seen, wanted: tuple[int, ...] | None, tries: Iterator[int]) -> Iterator[_Leaf]:
    """The ways to tell all atoms apart.

    wanted: the sums of colours on the way; any if None. tries: numbers from 0 on, one for each colouring.
    """

    def below(colors: Words, sums: tuple[int, ...]) -> Iterator[_Leaf]:
        each, number, sizes = np.unique(colors, return_inverse=True, return_counts=True)
        if len(each) == len(colors):
            yield _Leaf(seen.atoms[np.argsort(colors)], sums)
            return
        smallest = int(np.argmin(np.where(sizes > 1, sizes, len(colors) + 1)))
        for place in np.flatnonzero(number == smallest).tolist():
            if next(tries) >= MOST_TRIES:
                return
            apart = colors.copy()
            apart[place] ^= TOLD_APART
            _refine(seen.profiles, apart)
            longer = (*sums, _sum_of(apart))
            if wanted is None or longer == wanted[: len(longer)]:
                yield from below(apart, longer)

    if next(tries) < MOST_TRIES:
        yield from below(seen.colors, ())


def _refine(profiles: Words, colors: Words) -> None:
    with np.errstate(over="ignore"):
        refine(profiles, colors, unfilled(len(colors), np.uint64))


def _sum_of(colors: Words) -> int:
    return int(colors.sum())


def _kinds_of(group: LargeGroup) -> NDArray[np.int64]:
    """The number of the orbit of each pair of atoms, in the tables' numbers."""
    shape, compared = group.shape, np.array(group.compared)
    points = compared
    if shape.layout is Layout.BY_POSITION:
        points = (compared[:, None] * shape.n_values + np.arange(shape.n_values)).reshape(-1)
    names, n = np.argsort(points), len(points)
    pairs = []
    for generator in group.generators:
        moved = names[np.array(generator)[points]]
        pairs.append((moved[:, None] * n + moved).reshape(-1).astype(np.uint32))
    return np.unique(least_of_orbits(pairs, n * n), return_inverse=True)[1].reshape(n, n)


def _takes_set(group: LargeGroup, images: Atoms, own: Atoms) -> bool:
    """Whether an element takes option number k of `images` to that of `own`, which is least, for every k."""
    words, n_options = group.tables.words, group.shape.n_values
    node = group.tables.root
    for place, option in enumerate(own.tolist()):
        if node == TRIVIAL:
            break
        if int(words[node + LEAST + images[place]]) != option:
            return False
        while move := int(words[node + LEAST + n_options + images[place]]):
            images = words[move + images].astype(np.int64)
        node = int(words[node + LEAST + 2 * n_options + option])
    return np.array_equal(images, own)


def _takes_row(group: LargeGroup, images: Atoms, own: Atoms) -> bool:
    """The same for atoms of a row by position."""
    words, shape = group.tables.words, group.shape
    node = group.tables.root
    for place, atom in enumerate(own.tolist()):
        edge = node + EDGES + EDGE * (atom % shape.n_values)
        first, size = int(words[edge + ORBIT]), int(words[edge + SIZE])
        found = np.flatnonzero(words[first : first + 2 * size : 2] == images[place])
        if not len(found):
            return False
        element = int(words[first + 2 * found[0] + 1])
        if element:
            back = words[element : element + shape.n_atoms].astype(np.int64)
            images = np.argsort(back)[images]
        node = int(words[edge + NEXT])
    return np.array_equal(images, own)
