"""Brute force for colourings, written for the tests: definitions only, no code of rekkyo but its model."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from itertools import combinations, product

from rekkyo.model.coloring import Coloring
from tests import made_once as st

Row = tuple[int, ...]
Move = tuple[tuple[int, ...], tuple[int, ...]]
"""Where each cell goes, and which colour each colour becomes."""


def solutions(model: Coloring) -> list[Row]:
    """Every colouring, checked by the definition, in lexicographic order."""
    return [
        row
        for row in product(range(model.n_colors), repeat=model.n_cells)
        if not any(len({row[cell] for cell in cells}) == 1 for cells in model.sets)
        and not any(all(row[cell] == color for cell, color in pattern) for pattern in model.patterns)
        and all(row[cell] == color for cell, color in model.fixed)
        and all(low <= row.count(color) <= high for color, (low, high) in enumerate(model.bounds))
    ]


def hip_squares(width: int, height: int) -> set[frozenset[int]]:
    """Four points that are the corners of a square: four equal sides and two equal diagonals."""
    points = list(product(range(height), range(width)))
    found = set()
    for four in combinations(points, 4):
        distances = sorted((a - c) ** 2 + (b - d) ** 2 for (a, b), (c, d) in combinations(four, 2))
        if len(set(distances[:4])) == 1 and distances[4] == distances[5] == 2 * distances[0]:
            found.add(frozenset(row * width + column for row, column in four))
    return found


def image(row: Row, move: Move) -> Row:
    moved = [0] * len(row)
    for cell, color in enumerate(row):
        moved[move[0][cell]] = move[1][color]
    return tuple(moved)


def group_of(generators: Iterable[Move]) -> set[Move]:
    """All products of the moves; there is at least one of them."""
    generators = list(generators)
    n_cells, n_colors = map(len, generators[0])
    found = {(tuple(range(n_cells)), tuple(range(n_colors)))}
    new = list(found)
    while new:
        cells, colors = new.pop()
        for more_cells, more_colors in generators:
            move = (tuple(more_cells[c] for c in cells), tuple(more_colors[c] for c in colors))
            if move not in found:
                found.add(move)
                new.append(move)
    return found


def atoms(move: Move) -> tuple[int, ...]:
    """The move as a permutation of cell * n_colors + color."""
    return tuple(cell * len(move[1]) + color for cell in move[0] for color in move[1])


def least_of_orbits(rows: Sequence[Row], group: set[Move], order: Sequence[int]) -> dict[Row, int]:
    """The row of each orbit that is least in this order of the cells, and how many moves keep it.

    As many moves take any row of the orbit to the least one.
    """

    def key(row: Row) -> Row:
        return tuple(row[cell] for cell in order)

    least: dict[Row, int] = {}
    seen: set[Row] = set()
    for row in rows:
        if row not in seen:
            images = [image(row, move) for move in group]
            seen.update(images)
            first = min(set(images), key=key)
            least[first] = images.count(first)
    return least


def graphs(n: int) -> list[dict[tuple[int, int], int]]:
    """Every colouring of the lines between n points in two colours."""
    lines = list(combinations(range(n), 2))
    return [dict(zip(lines, colors, strict=True)) for colors in product((0, 1), repeat=len(lines))]


@st.composite
def models(draw: st.DrawFn, *, one_colored: bool = False) -> Coloring:
    """Small colourings with sets, patterns, bounds and fixed cells. one_colored: no pattern of several colours."""
    n, n_colors = draw(st.integers(1, 7)), draw(st.integers(2, 3))
    cells, colors = st.integers(0, n - 1), st.integers(0, n_colors - 1)
    sets = draw(st.lists(st.lists(cells, min_size=2, unique=True), max_size=6)) if n > 1 else []
    patterns = draw(
        st.lists(
            st.lists(st.tuples(cells, colors), min_size=1, max_size=4, unique_by=lambda atom: atom[0]),
            max_size=4,
        )
    )
    if one_colored:
        patterns = [[(cell, pattern[0][1]) for cell, _ in pattern] for pattern in patterns]
    fixed = draw(st.lists(st.tuples(cells, colors), max_size=2, unique_by=lambda atom: atom[0]))
    bounds: tuple[tuple[int, int], ...] = ()
    if draw(st.booleans()):
        most = [sum(color == c for _, c in fixed) for color in range(n_colors)]
        highs = [draw(st.integers(max(most[color], -(-n // n_colors)), n)) for color in range(n_colors)]
        lows = [draw(st.integers(0, n // n_colors)) for _ in range(n_colors)]
        bounds = tuple(zip(lows, highs, strict=True))
    return Coloring(
        n, n_colors, tuple(map(tuple, sets)), tuple(map(tuple, patterns)), bounds, tuple(sorted(fixed))
    )


@st.composite
def symmetric_models(draw: st.DrawFn) -> tuple[Coloring, list[Move]]:
    """Small colourings, and moves that keep them: all images of a few sets under the group are forbidden."""
    n, n_colors = draw(st.integers(2, 6)), draw(st.integers(2, 3))
    move = st.tuples(st.permutations(range(n)).map(tuple), st.permutations(range(n_colors)).map(tuple))
    moves = draw(st.lists(move, min_size=1, max_size=2))
    group = group_of(moves)
    cells = st.integers(0, n - 1)
    kinds = draw(st.lists(st.lists(cells, min_size=2, max_size=4, unique=True), max_size=2))
    sets = {tuple(sorted(places[cell] for cell in kind)) for kind in kinds for places, _ in group}
    high = draw(st.integers(-(-n // n_colors), n))
    bounds = ((0, high),) * n_colors if draw(st.booleans()) else ()
    return Coloring(n, n_colors, tuple(sorted(sets)), bounds=bounds), moves
