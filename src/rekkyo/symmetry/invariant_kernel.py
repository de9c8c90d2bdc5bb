"""Compiled invariants of the atoms of a row under a large group, by which its images are recognised.

The kind of a pair of atoms is the orbit of the pair under the group. The *profile* of a pair of a row's atoms
tells its kind, and how many pairs of each kind there are among the atoms that form given kinds with both.
For Latin squares and Steiner triple systems this finds what pairs and triples alone do not tell apart:
intercalates, and Pasch configurations. Then atoms are coloured, and a colour is refined by the profiles with
all other atoms and their colours, until no colour is split (Weisfeiler and Leman 1968).

    kinds    : uint8[n_atoms, n_atoms]
    profiles : uint64[n, n], of the atoms of a row. colors : uint64[n]. Both are hashes.

Rows that are images of each other have the same colours. Others may have them, too.
"""

from __future__ import annotations

from typing import TypeAlias

import numpy as np
from numpy.typing import NDArray

from rekkyo.bits import ONE, SCATTER, ZERO, Word, Words, lowest_index, popcount
from rekkyo.jit import inlined_inner_kernel, kernel

Kinds: TypeAlias = NDArray[np.uint8]
Atoms: TypeAlias = NDArray[np.int64]

MOST_ATOMS, MOST_KINDS = 64, 16
"""Of a row: its atoms are the bits of a word."""

HALF_WORD = np.uint64(32)


@kernel
def fill_profiles(kinds: Kinds, n_kinds: int, atoms: Atoms, partners: Words, profiles: Words) -> None:
    """The profiles of all pairs.

    partners : uint64[n_kinds, n], out. Bit b of [k, a]: the row's atoms a and b form a pair of kind k.
    profiles : uint64[n, n], out.
    """
    n = atoms.shape[0]
    for kind in range(n_kinds):
        for a in range(n):
            partners[kind, a] = ZERO
    for a in range(n):
        for b in range(n):
            partners[kinds[atoms[a], atoms[b]], a] |= ONE << np.uint64(b)
    for a in range(n):
        for b in range(n):
            profile = mixed(np.uint64(kinds[atoms[a], atoms[b]]))
            for one in range(n_kinds):
                for other in range(n_kinds):
                    both = partners[one, a] & partners[other, b]
                    if both != ZERO:
                        profile += mixed(
                            profile_among(both, partners, n_kinds) + np.uint64(one * n_kinds + other)
                        )
            profiles[a, b] = mixed(profile)


@inlined_inner_kernel
def profile_among(some: Word, partners: Words, n_kinds: int) -> Word:
    """The numbers of pairs of each kind among some atoms, given as bits, as a hash."""
    total = ZERO
    for kind in range(n_kinds):
        n_pairs, left = ZERO, some
        while left != ZERO:
            n_pairs += popcount(partners[kind, lowest_index(left)] & some)
            left &= left - ONE
        total += mixed(n_pairs * np.uint64(MOST_KINDS) + np.uint64(kind))
    return mixed(total)


@kernel
def refine(profiles: Words, colors: Words, scratch: Words) -> int:
    """Refine the colours, until the number of different ones does not grow; returns it.

    colors : uint64[n], in and out. scratch : uint64[n].
    """
    n = colors.shape[0]
    n_colors, is_growing = 0, True
    while is_growing:
        for a in range(n):
            total = mixed(colors[a])
            for b in range(n):
                total += mixed(profiles[a, b] ^ colors[b])
            scratch[a] = mixed(total)
        n_different = 0
        for a in range(n):
            colors[a] = scratch[a]
            is_new = True
            for b in range(a):
                if colors[b] == colors[a]:
                    is_new = False
            n_different += is_new
        is_growing = n_colors < n_different < n
        n_colors = n_different
    return n_colors


@inlined_inner_kernel
def mixed(word: Word) -> Word:
    """A hash of a word, all bits of which depend on all of its bits."""
    word = (word ^ word >> HALF_WORD) * SCATTER
    word = (word ^ word >> HALF_WORD) * SCATTER
    return word ^ word >> HALF_WORD
