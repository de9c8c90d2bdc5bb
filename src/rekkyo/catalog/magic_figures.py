"""Catalog: magic stars, hexagons and cubes, filled with the numbers from 1, one for each cell.

Symmetry: the rotations and reflections of the figure, as far as they keep given numbers in their places.
Source of the counts of stars: OEIS A200720.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from functools import partial
from itertools import product
from typing import TypeAlias

from rekkyo.catalog import figures
from rekkyo.catalog.entry import Parameter, published
from rekkyo.catalog.motions import name_of_matrix
from rekkyo.model.lattices import CUBE
from rekkyo.model.lattices.lattice import Matrix, applied
from rekkyo.model.puzzle import Puzzle
from rekkyo.model.sum_figure import Line, SumFigure

MOST_POINTS = 32
LARGEST_HEXAGON = 5
LARGEST_CUBE = 4
"""Sizes for which the numbers are at most 64, the bits of one word."""

Place: TypeAlias = tuple[int, int, int]


def magic_star(n: int, *, given: Sequence[figures.Given] = ()) -> Puzzle:
    """The star {n/2}: n points, every second one joined by a line of four cells, all of one sum.

    Line k goes from point k to point k + 2, and inner cell k is where it meets line k + 1. Raises BadInput.
    """
    names = tuple(f"point,{k}" for k in range(n)) + tuple(f"inner,{k}" for k in range(n))
    lines = tuple(Line((k, n + (k - 1) % n, n + k, (k + 2) % n)) for k in range(n))
    model = SumFigure(names, tuple(range(1, 2 * n + 1)), lines)
    turn = figures.Move(tuple((k + 1) % n for k in range(n)) + tuple(n + (k + 1) % n for k in range(n)))
    mirror = figures.Move(tuple(-k % n for k in range(n)) + tuple(n + (-k - 3) % n for k in range(n)))
    return figures.figure_puzzle(
        f"magic-star {n}",
        f"magic stars with {n} points",
        model,
        [turn, mirror],
        further=[figures.complement(model)],
        given=given,
        nicknames={"corner": 0},
        published=published("magic", "magic-star", str(n)),
        motions=figures.polygon_motions(turn, mirror, n),
    )


def magic_hexagon(n: int, *, given: Sequence[figures.Given] = ()) -> Puzzle:
    """A hexagon of hexagons, n along each side: the lines in all three directions have one sum.

    Cells are named row,column from 0, each row counted from its own left end. Raises BadInput.
    """
    reach = range(1 - n, n)
    # Three coordinates that add up to 0; the lines are where one of them stays the same.
    places = [(x, y, z) for z, x, y in product(reach, repeat=3) if x + y + z == 0]
    index = {place: cell for cell, place in enumerate(places)}
    names = tuple(f"{z + n - 1},{x - max(1 - n, 1 - n - z)}" for x, _, z in places)
    lines = tuple(
        Line(tuple(cell for cell, place in enumerate(places) if place[axis] == at))
        for axis in range(3)
        for at in reach
    )
    model = SumFigure(names, tuple(range(1, len(places) + 1)), lines)
    move = partial(_move, index)
    turn, mirror = move(lambda x, y, z: (-y, -z, -x)), move(lambda x, y, z: (y, x, z))
    return figures.figure_puzzle(
        f"magic-hexagon {n}",
        f"magic hexagons of order {n}",
        model,
        [turn, mirror],
        given=given,
        nicknames={"corner": 0, "centre": index[0, 0, 0]},
        published=published("magic", "magic-hexagon", str(n)),
        motions=figures.polygon_motions(turn, mirror, 6),
    )


def magic_cube(n: int, *, given: Sequence[figures.Given] = ()) -> Puzzle:
    """Rows, columns, pillars and the four diagonals through the space of a cube have one sum.

    Cells are named layer,row,column from 0. Raises BadInput.
    """
    places: list[Place] = [(x, y, z) for x, y, z in product(range(n), repeat=3)]
    index = {place: cell for cell, place in enumerate(places)}
    lines = [
        Line(tuple(cell for cell, place in enumerate(places) if place[:axis] + place[axis + 1 :] == others))
        for axis in range(3)
        for others in product(range(n), repeat=2)
    ]
    for flips in product((False, True), repeat=2):
        ends = [[n - 1 - k if flip else k for k in range(n)] for flip in (False, *flips)]
        lines.append(Line(tuple(index[place] for place in zip(*ends, strict=True))))
    names = tuple(f"{layer},{row},{column}" for layer, row, column in places)
    model = SumFigure(names, tuple(range(1, n**3 + 1)), tuple(lines))
    move = partial(_move, index)
    return figures.figure_puzzle(
        f"magic-cube {n}",
        f"magic cubes of order {n}",
        model,
        [
            move(lambda x, y, z: (y, z, x)),
            move(lambda x, y, z: (y, x, z)),
            move(lambda x, y, z: (n - 1 - x, y, z)),
        ],
        further=[figures.complement(model)],
        given=given,
        nicknames={"corner": 0} | ({"centre": n**3 // 2} if n % 2 else {}),
        published=published("magic", "magic-cube", str(n)),
        motions=[
            (name_of_matrix(CUBE, matrix), matrix in CUBE.rotations, move(partial(_about_centre, n, matrix)))
            for matrix in CUBE.point_group[1:]
        ],
    )


def _move(index: Mapping[Place, int], image: Callable[[int, int, int], Place]) -> figures.Move:
    """The move that takes each place to its image."""
    return figures.Move(tuple(index[image(*place)] for place in index))


def _about_centre(n: int, matrix: Matrix, *place: int) -> Place:
    """Where an orthogonal map about the centre of the cube takes a place."""
    from_centre = tuple(2 * part - (n - 1) for part in place)
    x, y, z = ((part + n - 1) // 2 for part in applied(matrix, from_centre))
    return x, y, z


ENTRIES = (
    figures.figure_entry(
        "magic-star",
        "stars {n/2}: every second point joined, all lines of four have one sum",
        "OEIS A200720",
        magic_star,
        Parameter("N", "the number of points", 5, MOST_POINTS),
    ),
    figures.figure_entry(
        "magic-hexagon",
        "a hexagon of hexagons, all lines have one sum",
        "C. W. Trigg 1964: one only",
        magic_hexagon,
        Parameter("N", "cells along a side", 1, LARGEST_HEXAGON),
    ),
    figures.figure_entry(
        "magic-cube",
        "rows, columns, pillars and space diagonals have one sum",
        "M. Gardner 1976: four of order 3",
        magic_cube,
        Parameter("N", "cells along an edge", 1, LARGEST_CUBE),
    ),
)
