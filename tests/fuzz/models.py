"""Random models of every kind: small ones with a few rows, and middle ones with up to some ten thousand."""

from __future__ import annotations

import itertools
import random
from collections.abc import Callable
from dataclasses import replace
from typing import TypeAlias

from rekkyo.catalog.own_symmetry import with_own_symmetry
from rekkyo.engines.registry import AnyEngine
from rekkyo.errors import BadModel
from rekkyo.model.coloring import Coloring
from rekkyo.model.exact_cover import ExactCover, Option
from rekkyo.model.lattices import SQUARE
from rekkyo.model.lower import lower
from rekkyo.model.packing import Packing, Piece
from rekkyo.model.puzzle import Model, Puzzle
from rekkyo.model.queens import Queens
from rekkyo.model.sum_figure import Line, SumFigure
from tests import naive, naive_cover
from tests.fuzz.alike import draw_alike
from tests.fuzz.csp_models import draw_csp
from tests.fuzz.graphs import draw_graph
from tests.fuzz.grids import draw_grid
from tests.fuzz.oracle import MOST_ROWS, TooLarge, Truth
from tests.fuzz.symmetric_csps import draw_symmetric_csp

Square = tuple[int, int]

Drawer: TypeAlias = Callable[[random.Random, bool], Model | Puzzle]

CHANCE_OF_MIDDLE = 0.4
CHANCE_OF_SYMMETRY = 0.75
CHANCE_OF_A_PART = 0.2


def draw_truth(rng: random.Random, name: str, draw: Drawer | None = None) -> Truth:
    """A puzzle and all that is true about it. draw: its kind; any kind by default."""
    draw = draw or rng.choice(DRAWERS)
    while True:
        truth = _drawn(rng, name, draw, is_middle=rng.random() < CHANCE_OF_MIDDLE)
        if truth is not None:
            return truth


def draw_small_truth(rng: random.Random, name: str, engine: AnyEngine, draw: Drawer | None = None) -> Truth:
    """The same, small enough for kernels that are not compiled, for an engine that can search it."""
    while True:
        truth = _drawn(rng, name, draw or rng.choice(DRAWERS), engine, most_rows=199)
        if truth is not None:
            return truth


def _drawn(
    rng: random.Random,
    name: str,
    draw: Drawer,
    engine: AnyEngine | None = None,
    *,
    is_middle: bool = False,
    most_rows: int = MOST_ROWS,
) -> Truth | None:
    """None if brute force takes too long, or if the engine refuses the model; most models are refused by some."""
    try:
        drawn = draw(rng, is_middle)
        model = drawn.model if isinstance(drawn, Puzzle) else drawn
        if engine is not None and not engine.accepts(lower(model)):
            return None
        if isinstance(drawn, Puzzle):
            puzzle = replace(drawn, name=name)
        else:
            puzzle = Puzzle(name, drawn, f"A random {type(drawn).__name__}")
            if rng.random() < CHANCE_OF_SYMMETRY:
                puzzle, _ = with_own_symmetry(puzzle)
        if puzzle.generators and rng.random() < CHANCE_OF_A_PART:
            puzzle = _with_a_part_of_the_symmetry(rng, puzzle)
        truth = Truth.about(puzzle)
        if len(truth.rows) > most_rows:
            return None
        for up_to in symmetries(puzzle):
            truth.orbits(up_to)
    except (BadModel, TooLarge):
        return None
    return truth


def _with_a_part_of_the_symmetry(rng: random.Random, puzzle: Puzzle) -> Puzzle:
    """The puzzle with one symmetry and its powers, as a user may declare it."""
    element = tuple(range(puzzle.model.row_shape.n_atoms))
    for generator in rng.choices(puzzle.generators, k=rng.randint(1, 4)):
        element = tuple(generator[atom] for atom in element)
    return replace(puzzle, generators=(element,), further=(), motions=None, symmetry_was_searched=False)


def symmetries(puzzle: Puzzle) -> list[str]:
    """What a puzzle may be counted up to; words are also joined."""
    words = [further.word for further in puzzle.further]
    single = [word for word in words if "," not in word]
    joined = [",".join(single)] if len(single) > 1 else []
    rotations = [] if puzzle.motions is None else ["rotations"]
    return ["none", "symmetry", *rotations, *words, *joined]


def draw_queens(rng: random.Random, is_middle: bool) -> Model:
    """Blocked squares are often a union of orbits of the board, so that some symmetry is left."""
    n = rng.randint(7, 8) if is_middle else rng.randint(1, 6)
    toroidal = rng.random() < 0.3
    squares = list(itertools.product(range(n), repeat=2))
    blocked: set[Square] = set()
    if rng.random() < 0.5:
        moves = rng.sample(naive.square_symmetries(n), rng.choice((1, 2, 8)))
        for square in rng.sample(squares, rng.randint(1, max(1, n // 2))):
            blocked |= {move(square) for move in moves}
    free = sorted(set(squares) - blocked)
    given = rng.sample(free, min(len(free), rng.choice((0, 0, 0, 1, 2))))
    return Queens(n, frozenset(blocked), frozenset(given), toroidal)


def draw_random_cover(rng: random.Random, is_middle: bool) -> Model:
    """Options drawn one by one, with everything that a cover can have."""
    n_primary, n_secondary = rng.randint(1, 6), rng.choice((0, 0, 1, 2, 3))
    n_options = rng.randint(9, 14) if is_middle else rng.randint(0, 9)
    n_colors = rng.randint(0, 2)
    options = [_random_option(rng, n_primary, n_secondary, n_colors) for _ in range(n_options)]
    if rng.random() < 0.4:  # turning all items around takes each option to one
        options += [_turned(option, n_primary) for option in options]
    bounds: list[tuple[int, int]] = []
    if is_middle or rng.random() < 0.5:
        lows = [rng.choice((0, 0, 0, 1, 1, 2)) for _ in range(n_primary)]
        bounds = [(low, max(1, low + rng.randint(0, 4 if is_middle else 2))) for low in lows]
    return _cover(n_primary, n_secondary, options, bounds)


def _random_option(rng: random.Random, n_primary: int, n_secondary: int, n_colors: int) -> Option:
    primary = rng.sample(range(n_primary), rng.randint(1, min(3, n_primary)))
    secondary = rng.sample(range(n_secondary), rng.randint(0, min(2, n_secondary)))
    uses = [(item, 0) for item in primary]
    uses += [(n_primary + item, rng.randint(0, n_colors)) for item in secondary]
    rng.shuffle(uses)
    return tuple(uses)


def _turned(option: Option, n_primary: int) -> Option:
    return tuple((n_primary - 1 - item if item < n_primary else item, color) for item, color in option)


def draw_exact_cover(rng: random.Random, is_middle: bool) -> Model:
    """Every item once: fillings of a board, pairs of numbers, queens as a cover, copies side by side."""
    kind = rng.randrange(4)
    if kind == 0:
        tiles = naive_cover.DOMINOES + rng.choice(((), naive_cover.L_TROMINOES, (naive_cover.SQUARE,)))
        height, width = (rng.randint(3, 4), rng.randint(3, 4)) if is_middle else (2, rng.randint(1, 4))
        return naive_cover.fillings(height, width, rng.sample(tiles, len(tiles)))
    if kind == 1:
        return naive_cover.langford(rng.randint(5, 7) if is_middle else rng.randint(1, 4))
    if kind == 2:
        return naive_cover.queens(rng.randint(5, 6) if is_middle else rng.randint(1, 4))
    small = naive_cover.fillings(2, rng.randint(1, 3), naive_cover.DOMINOES)
    return naive_cover.side_by_side(small, rng.randint(3, 5) if is_middle else rng.randint(1, 2))


def draw_parts(rng: random.Random, is_middle: bool) -> Model:
    """One primary item in each option, and secondary ones that keep options apart: a cover in parts."""
    n_parts = rng.randint(4, 6) if is_middle else rng.randint(1, 4)
    n_places, n_colors = rng.randint(1, 8), rng.choice((0, 0, 2))
    options = []
    for part in range(n_parts):
        for _ in range(rng.randint(1, 5)):
            places = rng.sample(range(n_places), rng.randint(0, min(2, n_places)))
            uses = [(n_parts + place, rng.randint(0, n_colors)) for place in sorted(places)]
            options.append(((part, 0), *uses))
    rng.shuffle(options)
    return _cover(n_parts, n_places, options, [])


def _cover(
    n_primary: int, n_secondary: int, options: list[Option], bounds: list[tuple[int, int]]
) -> ExactCover:
    return ExactCover(
        tuple(f"p{item}" for item in range(n_primary)),
        tuple(f"s{item}" for item in range(n_secondary)),
        tuple(options),
        tuple(bounds),
    )


def draw_packing(rng: random.Random, is_middle: bool) -> Model:
    """Random pieces, some of them equal or given, on a rectangle; squares are taken away, or may stay empty.

    Opposite edges of a whole rectangle may be joined.
    """
    height, width = (3, rng.randint(3, 4)) if is_middle else (rng.randint(1, 3), rng.randint(1, 3))
    board = list(itertools.product(range(height), range(width)))
    if rng.random() < 0.4:
        board = rng.sample(board, rng.randint(max(1, len(board) - 3), len(board)))
    filled = rng.random() < 0.7
    optional = frozenset(rng.sample(board, rng.randint(1, len(board)))) if rng.random() < 0.3 else frozenset()
    sizes = (1, 2, 2, 3, 3, 4)
    pieces = []
    for name in "ABCD"[: rng.randint(1, 4)]:
        low = rng.choice((0, 0, 0, 1, 1, 2))
        high = None if rng.random() < 0.5 else max(1, low + rng.randint(0, 3))
        some = frozenset(square for square in board if rng.random() < 0.8)
        only_on = some if some and rng.random() < 0.2 else None
        pieces.append(Piece(name, _polyomino(rng, rng.choice(sizes)), low, high, only_on))
    reflections = rng.random() < 0.7
    if rng.random() < 0.3:
        pieces = [replace(rng.choice(pieces[:2]), name=piece.name) for piece in pieces]
    toroidal = len(board) == height * width and rng.random() < 0.3
    model = Packing(
        SQUARE,
        frozenset(board),
        tuple(pieces),
        reflections,
        filled,
        optional=optional,
        toroidal=toroidal,
    )
    for _ in range(rng.choice((0, 0, 0, 1, 2))):
        if placements := model.placements():
            placed = rng.choice(placements)
            model = replace(model, given=model.given | {(placed.piece, frozenset(placed.cells))})
    return _colored(rng, model) if rng.random() < 0.3 else model


def _colored(rng: random.Random, model: Packing) -> Packing:
    """The packing with some colours, or as it is where rows could not show them."""
    board = frozenset((square, rng.choice("xo")) for square in sorted(model.board) if rng.random() < 0.8)
    pairs = (
        None if rng.random() < 0.6 else frozenset(pair for pair in ("xx", "xo", "ox") if rng.random() < 0.6)
    )
    pieces = tuple(
        replace(
            piece,
            colors=frozenset((cell, rng.choice("xo")) for cell in sorted(piece.cells) if rng.random() < 0.6),
        )
        for piece in model.pieces
    )
    fits = None if pairs is None else frozenset((pair[0], pair[1]) for pair in pairs)
    model_with_colors = replace(model, pieces=pieces, colors=board, color_pairs=fits)
    try:
        model_with_colors.row_shape  # noqa: B018 - places the pieces, which may raise
    except BadModel:
        return model
    return model_with_colors


def _polyomino(rng: random.Random, size: int) -> frozenset[Square]:
    cells = {(0, 0)}
    while len(cells) < size:
        row, column = rng.choice(sorted(cells))
        down, across = rng.choice(((0, 1), (1, 0), (0, -1), (-1, 0)))
        cells.add((row + down, column + across))
    return frozenset(cells)


def draw_coloring(rng: random.Random, is_middle: bool) -> Model:
    """Sets, patterns, bounds and fixed cells; sometimes all sets are translates, so that symmetry is left."""
    n_colors = rng.choice((2, 2, 3))
    most = {2: (13, 7), 3: (8, 5)}[n_colors]
    n_cells = rng.randint(most[1], most[0]) if is_middle else rng.randint(1, most[1])
    sets: set[tuple[int, ...]] = set()
    for _ in range(rng.randint(0, 3 if is_middle else 5) if n_cells > 1 else 0):
        cells = rng.sample(range(n_cells), rng.randint(2, min(4, n_cells)))
        turns = range(n_cells) if rng.random() < 0.5 else (0,)
        sets |= {tuple(sorted((cell + turn) % n_cells for cell in cells)) for turn in turns}
    patterns = []
    if rng.random() < 0.4:
        one_color = rng.random() < 0.5
        for _ in range(rng.randint(1, 3)):
            cells = rng.sample(range(n_cells), rng.randint(1, min(3, n_cells)))
            color = rng.randrange(n_colors)
            patterns.append(
                tuple((cell, color if one_color else rng.randrange(n_colors)) for cell in sorted(cells))
            )
    fixed = {}
    if rng.random() < 0.2:
        fixed = {cell: rng.randrange(n_colors) for cell in rng.sample(range(n_cells), min(2, n_cells))}
    bounds: tuple[tuple[int, int], ...] = ()
    if rng.random() < 0.3:
        lows = [rng.randint(0, n_cells // n_colors) for _ in range(n_colors)]
        bounds = tuple((low, rng.randint(max(low, -(-n_cells // n_colors)), n_cells)) for low in lows)
    return Coloring(
        n_cells, n_colors, tuple(sorted(sets)), tuple(patterns), bounds, tuple(sorted(fixed.items()))
    )


def draw_figure(rng: random.Random, is_middle: bool) -> Model:
    """Lines through random cells; the numbers may have gaps, and there may be more of them than cells."""
    n_cells = rng.randint(5, 7) if is_middle else rng.randint(1, 5)
    n_numbers = n_cells + (rng.choice((0, 0, 1)) if n_cells < 7 else 0)
    first = rng.randint(-3, 3)
    numbers = tuple(range(first, first + n_numbers))
    if rng.random() < 0.3:
        numbers = tuple(sorted(rng.sample(range(first, first + 2 * n_numbers), n_numbers)))
    cells = range(n_cells)
    lines = []
    for _ in range(rng.randint(1, 2 if is_middle else 3)):
        on_line = tuple(rng.sample(cells, rng.randint(1, min(3, n_cells))))
        has_sum = rng.random() < 0.3
        lines.append(Line(on_line, sum(rng.sample(numbers, len(on_line))) if has_sum else None))
    orders = [tuple(rng.sample(cells, 2)) for _ in range(rng.choice((0, 0, 1, 2))) if n_cells > 1]
    given = {(rng.choice(cells), rng.choice(numbers))} if rng.random() < 0.2 else set()
    names = tuple(f"c{cell}" for cell in cells)
    return SumFigure(
        names, numbers, tuple(lines), tuple((less, greater) for less, greater in orders), frozenset(given)
    )


DRAWERS: tuple[Drawer, ...] = (
    draw_queens,
    draw_random_cover,
    draw_exact_cover,
    draw_parts,
    draw_packing,
    draw_coloring,
    draw_figure,
    draw_csp,
    draw_symmetric_csp,
    draw_alike,
    draw_grid,
    draw_graph,
)
