"""The usual names of symmetries of boards."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from math import gcd
from typing import TypeVar

from rekkyo.model.lattices.lattice import Lattice, Matrix, applied
from rekkyo.model.puzzle import Motion
from rekkyo.model.row import AtomPermutation

MoveT = TypeVar("MoveT")

_TURNS = {2: "half turn", 3: "third turn", 4: "quarter turn", 6: "sixth turn"}


def name_of_matrix(lattice: Lattice, matrix: Matrix) -> str:
    """The name of a map of the point group of a lattice, other than the identity."""
    order = _order(matrix)
    if matrix in lattice.rotations:
        return _TURNS[order]
    if lattice.dimension == 2:
        has_quarter_turns = len(lattice.rotations) == 4
        return "diagonal mirror" if has_quarter_turns and matrix[0][0] == 0 else "mirror"
    if order == 2 and all(matrix[i][i] == -1 for i in range(lattice.dimension)):
        return "point reflection"
    return "mirror" if order == 2 else f"{_TURNS[order]} with mirror"


def point_motions(
    lattice: Lattice, permutation_of: Callable[[Matrix], AtomPermutation | None]
) -> tuple[Motion, ...]:
    """The maps of the point group that move something, rotations first, each by the first map that does it.

    permutation_of: the permutation of atoms of a map; None if it is not a symmetry.
    """
    found: dict[AtomPermutation, Motion] = {}
    for matrix in lattice.point_group[1:]:
        permutation = permutation_of(matrix)
        if permutation is not None and permutation != tuple(range(len(permutation))):
            name = name_of_matrix(lattice, matrix)
            found.setdefault(permutation, Motion(name, matrix in lattice.rotations, permutation))
    return tuple(found.values())


def turns_and_mirrors(
    identity: MoveT, turn: MoveT, mirror: MoveT, after: Callable[[MoveT, MoveT], MoveT], n: int
) -> Iterator[tuple[str, bool, MoveT]]:
    """The symmetries of a polygon of n corners but the identity: name, whether it turns, and the move.

    mirror: of a square, in a line between two sides, not in a diagonal. after(b, a): first a, then b.
    """
    turned = identity
    for k in range(n):
        if k:
            turned = after(turn, turned)
            order = n // gcd(k, n)
            yield _TURNS.get(order, f"turn by 1/{order}"), True, turned
        yield "diagonal mirror" if n == 4 and k % 2 else "mirror", False, after(turned, mirror)


def all_products(
    known: Iterable[MoveT], moves: Sequence[MoveT], after: Callable[[MoveT, MoveT], MoveT]
) -> list[MoveT]:
    """All products of moves; the known ones, at least the identity, come first."""
    found = list(known)
    seen = set(found)
    for element in found:  # grows while it is walked
        for move in moves:
            product = after(move, element)
            if product not in seen:
                seen.add(product)
                found.append(product)
    return found


def _order(matrix: Matrix) -> int:
    axes = [tuple(int(i == j) for j in range(len(matrix))) for i in range(len(matrix))]
    images, order = axes, 0
    while order == 0 or images != axes:
        images = [applied(matrix, image) for image in images]
        order += 1
    return order
