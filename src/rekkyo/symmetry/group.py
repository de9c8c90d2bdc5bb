"""The group that some generators generate, with all elements listed.

Algorithm: Dimino's. The generators are added one after the other; each adds whole cosets of the group of
those before it, and only one element of each coset is looked up among the known elements.
Source: Butler, Fundamental Algorithms for Permutation Groups (1991), chapter 3.
Left out on purpose: groups too large to list, which are refused before memory runs out.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from functools import lru_cache
from math import inf

import numpy as np
from numpy.typing import NDArray

from rekkyo.errors import BadModel, GroupTooLarge
from rekkyo.model.row import AtomPermutation, RowShape
from rekkyo.symmetry.chain import least_of_orbits
from rekkyo.symmetry.order import order_at_least
from rekkyo.wording import asked_up_to

MAX_KEY = (1 << 63) - 1
"""The greatest number that stands for the images of some atoms."""

MANY_CLASSES, MOST_IN_CLASS = 16, 1000
"""With so many classes, of so many elements on average, looking for powers takes less time than counting what
an element of each class leaves unchanged. For the 30 classes of 362,880 permutations it would take 0.6 s."""

EXPONENTS = 2, 3, 5, 7, 11, 13, 17, 19
"""Their products, modulo the order of an element, are all exponents without a common divisor for orders up to
700, if no other prime divides the order of the group."""

MAX_LISTED_ATOMS = 1 << 24
"""Elements times atoms: 64 MB of uint32, of which up to six copies exist at a time."""


@dataclass(frozen=True, slots=True, eq=False)
class Group:
    """All elements of a symmetry group.

    elements : uint32[order, n_atoms]. elements[g, a] is the image of atom a under element g.
        Sorted, so that equal groups have equal arrays; the identity comes first.
    generators: some of them that generate all.
    """

    shape: RowShape
    elements: NDArray[np.uint32]
    generators: tuple[NDArray[np.uint32], ...]

    @property
    def order(self) -> int:
        """The number of elements."""
        return int(self.elements.shape[0])

    def contains(self, generators: Iterable[AtomPermutation]) -> bool:
        """Whether all of these permutations are elements."""
        return all((self.elements == np.array(g, dtype=np.uint32)).all(axis=1).any() for g in generators)

    def conjugates(self) -> list[tuple[NDArray[np.uint32], int]]:
        """One element for each class of conjugate elements, and the size of the class; the identity first.

        Conjugate elements leave equally many solutions unchanged. So do elements that are powers of each
        other: if there are many classes, those are one class, too. The 600 symmetries of a cycle of 300
        vertices are 153 classes of conjugates, and 20 classes then.
        """
        base = _base(self.elements)
        moves = []
        for other in self.generators:
            # The images of the base under the conjugate of each element by `other`.
            images = other[self.elements[:, np.argsort(other)[base]]]
            moves.append(_numbers(images, self.shape.n_atoms))
        least = least_of_orbits(moves, self.order)
        n_classes = np.count_nonzero(least == np.arange(self.order))
        if n_classes > max(MANY_CLASSES, self.order // MOST_IN_CLASS):
            least = least_of_orbits([*moves, *self._powers(base)], self.order)
        firsts, sizes = np.unique(least, return_counts=True)
        return [(self.elements[first], size) for first, size in zip(firsts, sizes.tolist(), strict=True)]

    def _powers(self, base: Sequence[int]) -> Iterator[NDArray[np.uint32]]:
        """For some exponents the number of that power of each element, by the images of the base.

        No prime exponent divides the order, so each element is a power of its power, too.
        """
        images = self.elements[:, base]
        for exponent in range(2, EXPONENTS[-1] + 1):
            images = np.take_along_axis(self.elements, images, axis=1)
            if exponent in EXPONENTS and self.order % exponent:
                yield _numbers(images, self.shape.n_atoms)


def _base(elements: NDArray[np.uint32]) -> list[int]:
    """Atoms that only the identity fixes together, so that their images tell elements apart.

    Each is the least atom that some element moves which fixes those before it. So sorted elements are also
    in the order of these images.
    """
    base: list[int] = []
    while len(elements) > 1:
        base.append(int(np.argmax((elements != np.arange(elements.shape[1])).any(axis=0))))
        elements = elements[elements[:, base[-1]] == base[-1]]
    return base


def _numbers(rows: NDArray[np.uint32], n_values: int) -> NDArray[np.uint32]:
    """The place of each row among all of them, which differ, in lexicographic order."""
    keys, most = np.zeros(len(rows), dtype=np.int64), 1
    for column in rows.T:
        if most > MAX_KEY // n_values:
            keys, most = np.unique(keys, return_inverse=True)[1], len(rows)
        keys, most = keys * n_values + column, most * n_values
    numbers = np.empty(len(rows), dtype=np.uint32)
    numbers[np.argsort(keys)] = np.arange(len(rows), dtype=np.uint32)
    return numbers


def is_too_large(shape: RowShape, generators: tuple[AtomPermutation, ...]) -> bool:
    """Whether the group of some permutations, by a bound of its order, is too large to list."""
    most = MAX_LISTED_ATOMS // shape.n_atoms
    return bool(generators) and order_of_generators(shape, generators, most) > most


@lru_cache(maxsize=4)
def order_of_generators(shape: RowShape, generators: tuple[AtomPermutation, ...], enough: float = inf) -> int:
    """The order of the group that some permutations generate, nearly always; never more. Cached.

    enough: as of `order_at_least`.
    """
    return order_at_least([checked_permutation(one, shape.n_atoms) for one in generators], enough)


LARGE = 1 << 12
"""The number of listed elements after which a bound of the order is computed: the group of all 12! exchanges
of 12 values is refused in 10 ms instead of 7 s."""


def order_if_listable(shape: RowShape, generators: tuple[AtomPermutation, ...]) -> int | None:
    """The order of the group, without listing a large one; None if it is too large to list.

    Of a large group it is the bound of `order_of_generators`.
    """
    try:
        return close(shape, generators, LARGE - 1).order
    except GroupTooLarge:
        return None if is_too_large(shape, generators) else order_of_generators(shape, generators)


def close(
    shape: RowShape,
    generators: Sequence[AtomPermutation],
    most: int = MAX_LISTED_ATOMS,
    *,
    in_part: bool = False,
) -> Group:
    """The group generated by atom permutations of rows of this shape. The last groups are cached.

    most: elements. in_part: skip generators that would exceed that number, instead of raising.
    Raises BadModel for a generator that is not a permutation of the atoms, and GroupTooLarge.
    """
    return _close(shape, tuple(generators), min(most, MAX_LISTED_ATOMS // shape.n_atoms), in_part)


@lru_cache(maxsize=2)
def _close(shape: RowShape, generators: tuple[AtomPermutation, ...], most: int, in_part: bool) -> Group:
    n_atoms = shape.n_atoms
    table = np.arange(n_atoms, dtype=np.uint32)[None, :]
    seen = {table[0].tobytes()}
    steps: list[NDArray[np.uint32]] = []
    checked = [checked_permutation(generator, n_atoms) for generator in generators]
    for step in checked:
        if step.tobytes() in seen:
            continue
        tried = [*steps, step]
        try:
            table = _extend(table, seen, tried, most, tried if in_part else checked)
        except GroupTooLarge:
            if not in_part:
                raise
            seen = {element.tobytes() for element in table}
            continue
        steps.append(step)
    # Big-endian bytes compare as the numbers do; np.lexsort would sort once for every atom.
    keys = [element.tobytes() for element in table.astype(">u4")]
    return Group(shape, table[sorted(range(len(table)), key=keys.__getitem__)], tuple(steps))


def checked_permutation(generator: AtomPermutation, n_atoms: int) -> NDArray[np.uint32]:
    """The generator as an array. Raises BadModel unless it permutes the atoms."""
    try:
        numbers = np.array(generator)
    except ValueError:  # cycles of several lengths
        numbers = np.empty(1)
    are_whole = numbers.dtype.kind in "iu" or not len(numbers)
    if not are_whole or not np.array_equal(np.sort(numbers), np.arange(n_atoms)):
        raise BadModel(f"a symmetry must permute the atoms 0 to {n_atoms - 1}, each once")
    return numbers.astype(np.uint32)


def _extend(
    table: NDArray[np.uint32],
    seen: set[bytes],
    steps: list[NDArray[np.uint32]],
    most: int,
    wanted: list[NDArray[np.uint32]],
) -> NDArray[np.uint32]:
    """The group generated by the group in the table and the last of the steps.

    wanted: generators of a group that must not have more than `most` elements either.
    """
    cosets = [table]
    representatives = [table[0]]
    for representative in representatives:  # grows while it is walked
        for step in steps:
            product = representative[step]
            if product.tobytes() in seen:
                continue
            n_elements = (len(cosets) + 1) * len(table)
            turns_large = n_elements - len(table) < LARGE <= n_elements
            if n_elements > most or (turns_large and order_at_least(wanted, most) > most):
                raise GroupTooLarge(
                    f"the symmetry group has more than {most} elements on {table.shape[1]} atoms,"
                    f" too many to list; count without it: {asked_up_to('none')}"
                )
            coset = table[:, product]
            seen.update(element.tobytes() for element in coset)
            cosets.append(coset)
            representatives.append(product)
    return np.concatenate(cosets)
