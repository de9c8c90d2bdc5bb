"""Groups too large to list that are products of symmetric groups, such as exchanges of rows and of columns.

Burnside's lemma needs one element of each class of conjugate elements, and the size of the class. In the
group of all permutations of n things, the classes are the partitions of n into lengths of cycles; in a
product of groups, the products of classes. Factors may be exchanged with each other, as the transposition of
a square exchanges rows and columns. An element is then an exchange and a permutation for each factor.
Elements are conjugate if their exchanges are, and for each cycle the products of the permutations along it.

The factors are found from generators. *Transpositions* are elements of order two such that the product of any
two has order 1, 2 or 3. Those that are connected by products of order 3 are the transpositions of one factor,
which satisfy the relations of Coxeter. Every other generator must be a product of elements of the factors, or
exchange factors. So the group is an image of the product, and it is the product if it has as many elements.
Source: Humphreys, Reflection Groups and Coxeter Groups (1990), section 1.9; James and Kerber, The
Representation Theory of the Symmetric Group (1981), sections 1.2 and 4.2 (wreath products).
Left out on purpose: other groups; exchanges that move fewer atoms than transpositions, as for some groups
that are small enough to be listed.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import lru_cache, reduce
from itertools import combinations, product
from math import factorial, prod
from typing import TypeAlias

import numpy as np
from numpy.typing import NDArray

from rekkyo.model.row import AtomPermutation
from rekkyo.symmetry.involutions import involutions
from rekkyo.symmetry.order import order_at_least
from rekkyo.symmetry.permutations import after, conjugate, cycles_of, is_identity

MOST_TRANSPOSITIONS = 400

MOST_EXCHANGES = 72
"""The bands and the stacks of a sudoku of order 9, and its transposition."""

PAIR = 2
MOST_PAIRS = 10
"""Factors of two things. With k of them there are about 2^k classes, each of which needs a count of its own,
and `_is_inside` tries all 2^k products."""

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

    def image(self, by: AtomPermutation) -> dict[tuple[int, int], AtomPermutation]:
        """The transpositions after an element has renamed the atoms."""
        return {pair: conjugate(swap, by) for pair, swap in self.transposition.items()}

    def moved(self, by: AtomPermutation) -> Things | None:
        """The permutation of things by which an element acts on the transpositions, for a pair the identity;
        None if it takes one to something else.
        """
        pair_of = {swap: {*pair} for pair, swap in self.transposition.items()}
        images = {pair: pair_of.get(swap) for pair, swap in self.image(by).items()}
        if None in images.values():
            return None
        if self.n_things == PAIR:
            return (0, 1)
        things = []
        for thing in range(self.n_things):
            pairs = (image for pair, image in images.items() if thing in pair and image is not None)
            things.append(set.intersection(*pairs).pop())
        return tuple(things)


@dataclass(frozen=True, slots=True, eq=False)
class Product:
    """The product of factors, and what exchanges them.

    exchanges: a group of elements, the identity first, each of which takes every factor to a factor, thing by
    thing. Only the identity takes each to itself.
    """

    factors: tuple[Factor, ...]
    exchanges: tuple[AtomPermutation, ...]

    @property
    def order(self) -> int:
        """The number of elements."""
        return prod(factor.order for factor in self.factors) * len(self.exchanges)

    def conjugates(self) -> Sequence[tuple[NDArray[np.uint32], int]]:
        """One element for each class of conjugate elements, and the size of the class; the identity first."""
        return _conjugates(self)

    def places(self, exchange: AtomPermutation) -> tuple[int, ...]:
        """For each factor the one to which an exchange takes it."""
        place_of = {factor.transposition[0, 1]: place for place, factor in enumerate(self.factors)}
        return tuple(place_of[conjugate(factor.transposition[0, 1], exchange)] for factor in self.factors)


@lru_cache(maxsize=1)
def _conjugates(whole: Product) -> Sequence[tuple[NDArray[np.uint32], int]]:
    kinds = [
        [(np.array(element, dtype=np.uint32), n_alike) for element, n_alike in factor.classes()]
        for factor in whole.factors
    ]
    all_places = [whole.places(exchange) for exchange in whole.exchanges]
    found: list[tuple[NDArray[np.uint32], int]] = []
    for exchange, places in zip(whole.exchanges, all_places, strict=True):
        alike = [conjugate(places, by) for by in all_places]
        if places > min(alike):
            continue
        commuting = [by for by, image in zip(all_places, alike, strict=True) if image == places]
        n_conjugate = len(all_places) // len(commuting)
        cycles = cycles_of(places)
        for some in product(*(range(len(kinds[cycle[0]])) for cycle in cycles)):
            if n_images := _n_images(_kind_of_place(cycles, some), commuting):
                element, size = np.array(exchange, dtype=np.uint32), n_conjugate * n_images
                for cycle, kind in zip(cycles, some, strict=True):
                    one, n_alike = kinds[cycle[0]][kind]
                    element = one[element]
                    size *= n_alike * whole.factors[cycle[0]].order ** (len(cycle) - 1)
                found.append((element, size))
    return found


@lru_cache(maxsize=1)
def product_of(generators: tuple[AtomPermutation, ...]) -> Product | None:
    """The group as a product of symmetric groups; None if it was not found to be one.

    The last one is kept, with its classes: a question asks for it up to five times.
    """
    found = [_factor(some) for some in _connected(_transpositions(generators))]
    factors = [factor for factor in found if factor is not None]
    if not factors or len(factors) < len(found):
        return None
    if sum(factor.n_things == PAIR for factor in factors) > MOST_PAIRS:
        return None
    exchanges = _exchanges(generators, factors)
    alike = _thing_by_thing(factors, exchanges)
    if alike is None or len(exchanges) > MOST_EXCHANGES:
        return None
    made = Product(alike, exchanges)
    stays = tuple(range(len(alike)))
    if any(made.places(exchange) == stays for exchange in exchanges[1:]):
        return None
    # Factors may depend on each other: the half-turns of a tetrahedron commute, and two make the third.
    order = order_at_least([np.array(generator, dtype=np.uint32) for generator in generators])
    return made if order == made.order else None


def _kind_of_place(cycles: Sequence[Sequence[int]], kinds: Sequence[int]) -> tuple[int, ...]:
    """For each factor the kind of its cycle."""
    kind_of = {place: kind for cycle, kind in zip(cycles, kinds, strict=True) for place in cycle}
    return tuple(kind_of[place] for place in range(len(kind_of)))


def _n_images(kinds: tuple[int, ...], exchanges: Sequence[Things]) -> int:
    """The number of ways in which exchanges arrange the kinds; 0 if some way is less than the given one."""
    images = set()
    for exchange in exchanges:
        image = tuple(kinds[place] for place in exchange)
        if image < kinds:
            return 0
        images.add(image)
    return len(images)


def _thing_by_thing(
    factors: Sequence[Factor], exchanges: Sequence[AtomPermutation]
) -> tuple[Factor, ...] | None:
    """The factors with their things numbered such that exchanges keep the numbers; None if they do not."""
    left = {frozenset(factor.transposition.values()): factor for factor in factors}
    found: list[Factor] = []
    while left:
        todo = [left.pop(next(iter(left)))]
        for factor in todo:  # grows while it is walked
            for exchange in exchanges:
                image = Factor(factor.n_things, factor.image(exchange))
                if left.pop(frozenset(image.transposition.values()), None) is not None:
                    todo.append(image)
                elif image not in todo:
                    return None
        found += todo
    return tuple(found)


def _exchanges(
    generators: Sequence[AtomPermutation], factors: Sequence[Factor]
) -> tuple[AtomPermutation, ...]:
    """Elements, the identity first, such that each generator is a product of one and of elements of factors;
    not all of them if there are many.
    """
    found = [tuple(range(len(generators[0])))]
    steps: list[AtomPermutation] = []
    for generator in generators:
        if len(found) > MOST_EXCHANGES:
            break
        if not any(_is_inside(after(exchange, generator), factors) for exchange in found):
            steps.append(generator)
            for exchange in found:  # grows while it is walked
                found += {after(step, exchange) for step in steps}.difference(found)
                if len(found) > MOST_EXCHANGES:
                    break
    return tuple(found)


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
