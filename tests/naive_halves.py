"""A second way to count rectangles of edge-matching tiles that are too large for plain backtracking: two halves.

The rectangle is cut down its middle. For every row of colours along the cut, the left half is filled in all ways,
and a table counts the fillings for each set of tiles that they use. The right half, turned by 180 degrees, is a
left half whose cut is read the other way, filled with the tiles that are left over. Knows nothing of the package;
compiled because MacMahon's squares have 81 million left halves. A hexagon of triangles is cut and counted in the
same way.
"""

from __future__ import annotations

from collections.abc import Sequence
from itertools import product
from typing import TypeAlias

import numpy as np
import numpy.typing as npt
from numba import njit

Ints: TypeAlias = npt.NDArray[np.int64]


def tile_rectangles(tiles: Sequence[str], rows: int, columns: int, border: str) -> int:
    """Rectangles of all tiles, each used once and turned freely, neighbours alike and the border of one colour.

    A tile is the colours of its upper, right, lower and left side; no two tiles are turns of one another.
    """
    assert columns % 2 == 0
    assert len(tiles) == rows * columns
    names = border + "".join(sorted(set("".join(tiles)) - {border}))
    choices, n_choices = _choices(tiles, names)
    n_sets = 1 << len(tiles)
    total = 0
    for cut in product(range(len(names)), repeat=rows):
        turned = cut[::-1]
        if cut <= turned:  # both orders of a cut give the same product
            left = np.zeros(n_sets, dtype=np.int64)
            _fill_half(choices, n_choices, rows, columns // 2, np.array(cut), left)
            right = left
            if cut != turned:
                right = np.zeros(n_sets, dtype=np.int64)
                _fill_half(choices, n_choices, rows, columns // 2, np.array(turned), right)
            # a table read backwards is the table of the complements
            total += int(left @ right[::-1]) * (1 if cut == turned else 2)
    return total


def _choices(tiles: Sequence[str], names: str) -> tuple[Ints, Ints]:
    """`choices[upper, left, k]`: the lower side, the right side and the number of the k-th turned tile that fits."""
    n_colors = len(names)
    lists: list[list[list[tuple[int, int, int]]]] = [[[] for _ in names] for _ in names]
    for number, tile in enumerate(tiles):
        for turned in {tile[turn:] + tile[:turn] for turn in range(4)}:
            upper, right, lower, left = (names.index(color) for color in turned)
            lists[upper][left].append((lower, right, number))
    most = max(len(fitting) for row in lists for fitting in row)
    choices = np.zeros((n_colors, n_colors, most, 3), dtype=np.int64)
    n_choices = np.zeros((n_colors, n_colors), dtype=np.int64)
    for upper, left in product(range(n_colors), repeat=2):
        n_choices[upper, left] = len(lists[upper][left])
        for k, choice in enumerate(lists[upper][left]):
            choices[upper, left, k] = choice
    return choices, n_choices


@njit
def _fill_half(
    choices: Ints, n_choices: Ints, rows: int, columns: int, cut: Ints, found: Ints
) -> None:  # pragma: no cover
    """Counts the fillings of rows x columns squares, a column after the other, by the set of tiles that they use."""
    n_squares = rows * columns
    lower = np.zeros(n_squares, np.int64)
    right = np.zeros(n_squares, np.int64)
    used = np.zeros(n_squares + 1, np.int64)
    tried = np.zeros(n_squares + 1, np.int64)
    square = 0
    while square >= 0:
        if square == n_squares:
            found[used[square]] += 1
            square -= 1
            continue
        row = square % rows
        above = lower[square - 1] if row > 0 else 0
        before = right[square - rows] if square >= rows else 0
        k = tried[square]
        placed = False
        while k < n_choices[above, before] and not placed:
            below, after, number = choices[above, before, k]
            k += 1
            fits = row < rows - 1 or below == 0
            fits &= square < n_squares - rows or after == cut[row]
            placed = fits and (used[square] >> number) & 1 == 0
        tried[square] = k
        if placed:
            lower[square] = below
            right[square] = after
            used[square + 1] = used[square] | (1 << number)
            square += 1
            tried[square] = 0
        else:
            square -= 1


def tile_hexagons(tiles: Sequence[str], border: str) -> int:
    """Hexagons of side 2 made of 24 triangles, each used once, with matching sides and a border of one colour.

    A tile is the colours of its sides, clockwise; no two tiles are turns of one another.
    """
    assert len(tiles) == 24
    names = border + "".join(sorted(set("".join(tiles)) - {border}))
    lists: list[list[tuple[int, int, int]]] = [[] for _ in names]
    for number, tile in enumerate(tiles):
        for turned in {tile[turn:] + tile[:turn] for turn in range(3)}:
            left, second, third = (names.index(color) for color in turned)
            lists[left].append((second, third, number))
    choices = np.full((len(names), max(map(len, lists)), 3), -1, dtype=np.int64)
    for left, fitting in enumerate(lists):
        choices[left, : len(fitting)] = fitting
    total = 0
    for cut in product(range(len(names)), repeat=4):
        turned_cut = cut[::-1]
        if cut <= turned_cut:
            upper = np.zeros(1 << 24, dtype=np.int64)
            _fill_upper_half(choices, np.array(cut), upper)
            lower = upper
            if cut != turned_cut:
                lower = np.zeros(1 << 24, dtype=np.int64)
                _fill_upper_half(choices, np.array(turned_cut), lower)
            total += int(upper @ lower[::-1]) * (1 if cut == turned_cut else 2)
    return total


@njit
def _fill_upper_half(choices: Ints, cut: Ints, found: Ints) -> None:  # pragma: no cover
    """Counts the fillings of rows of 5 and 7 triangles, from left to right, by the set of tiles that they use.

    A row begins with a triangle that points up. The lower sides of the first row are the upper sides of the second,
    those of the second row are the cut.
    """
    right = np.zeros(12, np.int64)
    across = np.zeros(12, np.int64)  # the lower side of a triangle that points up, the upper one of another
    used = np.zeros(13, np.int64)
    tried = np.zeros(13, np.int64)
    at = 0
    while at >= 0:
        if at == 12:
            found[used[at]] += 1
            at -= 1
            continue
        place = at if at < 5 else at - 5
        points_up = place % 2 == 0
        before = right[at - 1] if place > 0 else 0
        k = tried[at]
        placed = False
        while k < choices.shape[1] and not placed:
            second, third, number = choices[before, k]
            k += 1
            if number < 0:
                continue
            # clockwise from the left: right and bottom of one that points up, top and right of another
            side, flat = (second, third) if points_up else (third, second)
            if points_up:
                fits = at < 5 or flat == cut[place // 2]
            else:
                fits = flat == (0 if at < 5 else across[at - 6])
            fits &= at not in (4, 11) or side == 0
            placed = fits and (used[at] >> number) & 1 == 0
        tried[at] = k
        if placed:
            right[at] = side
            across[at] = flat
            used[at + 1] = used[at] | (1 << number)
            at += 1
            tried[at] = 0
        else:
            at -= 1
