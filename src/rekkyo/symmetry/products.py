"""Groups too large to list that are products of symmetric groups, such as exchanges of rows and of columns.

Burnside's lemma needs one element of each class of conjugate elements, and the size of the class. In the
group of all permutations of n things, the classes are the partitions of n into lengths of cycles; in a
product of groups, the products of classes. A *flip* exchanges two factors, as the transposition of a square
exchanges rows and columns. Elements with the flip are conjugate if the products of their two parts are.

The factors are found from generators. *Transpositions* are elements of order two such that the product of any
two has order 1, 2 or 3. Those that are connected by products of order 3 are the transpositions of one factor,
which satisfy the relations of Coxeter. So the factor is an image of the symmetric group, and Burnside's lemma
holds for that group even if different elements permute the atoms in the same way. Every other generator must
be a product of elements of the factors, or a flip.
Source: Humphreys, Reflection Groups and Coxeter Groups (1990), section 1.9; James and Kerber, The
Representation Theory of the Symmetric Group (1981), sections 1.2 and 4.2 (wreath products).
Left out on purpose: other groups.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import reduce
from itertools import combinations, product
from math import factorial, prod
from typing import TypeAlias

import numpy as np
from numpy.typing import NDArray

from rekkyo.model.row import AtomPermutation
from rekkyo.symmetry.involutions import after, conjugate, involutions, is_identity

MOST_TRANSPOSITIONS = 400

PAIR = 2

Things: TypeAlias = tuple[int, ...]
"""A permutation of the things that a factor permutes."""

Class: TypeAlias = tuple[AtomPermutation, int]
"""An element of a class of conjugates, and the size of the class."""


@dataclass(frozen=True, slots=True)
class Factor:
    """All permutations of some things. transposition: of any two things i < j, as a permutation of atoms."""

    n_things: int
    transposition: dict[tuple[int, int], AtomPermutation]

    @property
    def order(self) -> int:
        """The number of permutations."""
        return factorial(self.n_things)

    def element(self, things: Things) -> AtomPermutation:
        """The permutation of atoms of a permutation of things, as a product of transpositions."""
        left = list(things)
        swaps = []
        for at in range(self.n_things):
            if left[at] != at:
                other = left.index(at)
                left[at], left[other] = left[other], left[at]
                swaps.append(self.transposition[at, other])
        nothing = tuple(range(len(self.transposition[0, 1])))
        return reduce(lambda made, swap: after(swap, made), swaps, nothing)

    def classes(self) -> Iterator[Class]:
        """All classes, that of the identity first."""
        for lengths in _partitions(self.n_things, 1):
            things: list[int] = []
            for length in lengths:
                first = len(things)
                things += [*range(first + 1, first + length), first]
            n_commuting = prod(length**times * factorial(times) for length, times in Counter(lengths).items())
            yield self.element(tuple(things)), self.order // n_commuting

    def moved(self, by: AtomPermutation) -> Things | None:
        """The permutation of things by which an element acts on the transpositions, for a pair the identity;
        None if it takes one to something else.
        """
        pair_of = {swap: {*pair} for pair, swap in self.transposition.items()}
        images = [
            [pair_of.get(conjugate(swap, by)) for pair, swap in self.transposition.items() if thing in pair]
            for thing in range(self.n_things)
        ]
        things = []
        for thing, pairs in enumerate(images):
            if None in pairs:
                return None
            common = set.intersection(*(pair for pair in pairs if pair is not None))
            things.append(thing if self.n_things == PAIR else common.pop())
        return tuple(things)


@dataclass(frozen=True, slots=True)
class Product:
    """The product of factors. flip: an element of order two that exchanges the first two factors, thing by
    thing, and commutes with the others; None if there is none.
    """

    factors: tuple[Factor, ...]
    flip: AtomPermutation | None

    @property
    def order(self) -> int:
        """The number of elements."""
        return prod(factor.order for factor in self.factors) * (1 if self.flip is None else 2)

    def conjugates(self) -> list[tuple[NDArray[np.uint32], int]]:
        """One element for each class of conjugate elements, and the size of the class; the identity first."""
        kinds = [list(factor.classes()) for factor in self.factors]
        if self.flip is None:
            found = _products(kinds)
        else:
            one, other, *rest = kinds
            n_kinds = len(one)
            pairs = [
                (after(one[i][0], other[j][0]), one[i][1] * other[j][1] * (1 if i == j else 2))
                for i in range(n_kinds)
                for j in range(i, n_kinds)
            ]
            flipped = [(after(some, self.flip), self.factors[0].order * size) for some, size in one]
            found = [*_products([pairs, *rest]), *_products([flipped, *rest])]
        return [(np.array(element, dtype=np.uint32), size) for element, size in found]


def product_of(generators: Sequence[AtomPermutation]) -> Product | None:
    """The group as a product of symmetric groups; None if it was not found to be one."""
    swaps = _transpositions(generators)
    factors = [_factor(some) for some in _connected(swaps)]
    known = [factor for factor in factors if factor is not None]
    if not known or len(known) < len(factors):
        return None
    flips = [generator for generator in generators if not _is_inside(generator, known)]
    if not flips:
        return Product(tuple(known), None)
    flip = flips[0]
    ends = [factor for factor in known if factor.moved(flip) is None]
    rest = [factor for factor in known if factor not in ends]
    if len(ends) != 2 or not is_identity(after(flip, flip)):
        return None
    one, other = ends
    images = {pair: conjugate(swap, flip) for pair, swap in one.transposition.items()}
    is_flip = {*images.values()} == {*other.transposition.values()} and all(
        conjugate(swap, flip) == swap for factor in rest for swap in factor.transposition.values()
    )
    if not is_flip or not all(_is_inside(after(flip, more), known) for more in flips):
        return None
    return Product((one, Factor(other.n_things, images), *rest), flip)


def _products(kinds: Sequence[Sequence[Class]]) -> list[Class]:
    """The classes of a product, from those of its factors."""
    return [
        (reduce(after, (element for element, _ in some)), prod(size for _, size in some))
        for some in product(*kinds)
    ]


def _partitions(n: int, least: int) -> Iterator[tuple[int, ...]]:
    """The ways to write n as a sum of numbers that do not decrease from `least` on; ones first."""
    if n == 0:
        yield ()
    for first in range(least, n + 1):
        for rest in _partitions(n - first, first):
            yield (first, *rest)


def _transpositions(generators: Sequence[AtomPermutation]) -> list[AtomPermutation]:
    """Elements of order two, any two of which have a product of order at most 3."""
    found: list[AtomPermutation] = []
    for swap in involutions(generators, MOST_TRANSPOSITIONS):
        if all(_order_is_small(after(swap, other)) for other in found):
            found.append(swap)
    return found


def _order_is_small(permutation: AtomPermutation) -> bool:
    """Whether the order is at most 3."""
    square = after(permutation, permutation)
    return is_identity(square) or is_identity(after(permutation, square))


def _commute(one: AtomPermutation, other: AtomPermutation) -> bool:
    return after(one, other) == after(other, one)


def _connected(swaps: Sequence[AtomPermutation]) -> list[list[AtomPermutation]]:
    """Sets of transpositions that are connected by pairs that do not commute."""
    left, found = list(swaps), []
    while left:
        some = [left.pop(0)]
        for swap in some:  # grows while it is walked
            near = [other for other in left if not _commute(swap, other)]
            some += near
            left = [other for other in left if other not in near]
        found.append(some)
    return found


def _factor(swaps: Sequence[AtomPermutation]) -> Factor | None:
    """The factor with these transpositions; None if they are not all transpositions of some things."""
    chain = [swaps[0]]
    for _ in swaps:
        more = [
            swap
            for swap in swaps
            if not _commute(swap, chain[-1]) and all(_commute(swap, other) for other in chain[:-1])
        ]
        chain += [swap for swap in more if swap not in chain][:1]
    n_things = len(chain) + 1
    transposition = {(at, at + 1): swap for at, swap in enumerate(chain)}
    for distance in range(2, n_things):
        for at in range(n_things - distance):
            before = transposition[at, at + distance - 1]
            transposition[at, at + distance] = conjugate(before, chain[at + distance - 1])
    is_whole = {*transposition.values()} == {*swaps} and len(transposition) == len(swaps)
    return Factor(n_things, transposition) if is_whole else None


def _is_inside(element: AtomPermutation, factors: Sequence[Factor]) -> bool:
    """Whether an element is a product of elements of the factors."""
    made = tuple(range(len(element)))
    for factor in factors:
        things = factor.moved(element)
        if things is None:
            return False
        made = after(factor.element(things), made)
    # How an element acts on transpositions does not tell whether it exchanges the things of a pair.
    pairs = [factor.transposition[0, 1] for factor in factors if factor.n_things == PAIR]
    return any(
        reduce(after, some, made) == element
        for n_exchanged in range(len(pairs) + 1)
        for some in combinations(pairs, n_exchanged)
    )
