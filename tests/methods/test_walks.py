"""Every way to walk through a model finds what brute force by the definition finds, each once, and says what it does."""

from __future__ import annotations

from collections.abc import Sequence

import pytest
from hypothesis import given

import rekkyo as rk
from rekkyo.methods.hip import HIP_METHODS
from rekkyo.methods.ladder import find_method
from rekkyo.methods.magic import MAGIC_METHODS
from rekkyo.methods.queens import QUEENS_METHODS
from rekkyo.methods.walks import Way, ways_for
from rekkyo.model.coloring import Coloring
from rekkyo.model.exact_cover import ExactCover
from rekkyo.model.lower import lower
from rekkyo.model.puzzle import Model
from rekkyo.model.queens import Queens
from rekkyo.model.row import Layout, Row
from rekkyo.model.sum_figure import Line, SumFigure
from tests import made_once as st
from tests import naive, naive_coloring, naive_cover, naive_sums


def walked(model: Model, way: Way) -> tuple[int, list[tuple[Row, int]]]:
    """Nodes and rows with weights, with the board kept by places and lifts alone."""
    shape = lower(model).row_shape
    board: list[int] = []
    nodes, found = 0, []
    for move in way.walk(lower(model)):
        assert set(move.because) <= {*board, move.atom}, "a reason is on the board"
        if move.kind == "place":
            assert move.atom not in board
            board.append(move.atom)
            nodes += 1
        elif move.kind == "lift":
            assert board.pop() == move.atom
        elif move.kind == "clash":
            assert move.atom not in board
            assert move.words
        elif move.kind == "found":
            found.append((as_row(shape.layout, shape.n_values, shape.length, board), move.weight))
    assert board == [], "everything was lifted again"
    return nodes, found


def as_row(layout: Layout, n_values: int, length: int, board: Sequence[int]) -> Row:
    if layout is Layout.BY_OPTION:
        return (*sorted(board), *[n_values] * (length - len(board)))
    assert sorted(atom // n_values for atom in board) == list(range(length))
    return tuple(atom % n_values for atom in sorted(board))


def hold(model: Model, expected: Sequence[Row]) -> None:
    """Against the expected rows, in every way."""
    ways = ways_for(lower(model))
    assert ways
    assert len({way.name for way in ways}) == len(ways)
    for way in ways:
        _, found = walked(model, way)
        assert sorted(found) == [(row, 1) for row in sorted(expected)], way.name


@given(naive_cover.models())
def test_covers(model: ExactCover) -> None:
    hold(model, naive_cover.solutions(model))


@given(naive_coloring.models())
def test_colorings(model: Coloring) -> None:
    hold(model, naive_coloring.solutions(model))


@st.composite
def figures(draw: st.DrawFn) -> SumFigure:
    n_cells = draw(st.integers(1, 4))
    numbers = draw(st.lists(st.integers(-3, 9), min_size=n_cells, max_size=n_cells + 1, unique=True))
    cells = st.lists(st.integers(0, n_cells - 1), min_size=1, max_size=n_cells, unique=True)
    sums = st.one_of(st.none(), st.integers(0, 12))
    lines = draw(st.lists(st.builds(lambda c, s: Line(tuple(c), s), cells, sums), min_size=1, max_size=4))
    pairs = [(a, b) for a in range(n_cells) for b in range(n_cells) if a != b]
    orders = draw(st.lists(st.sampled_from(pairs), max_size=2, unique=True)) if pairs else []
    fixed = draw(st.dictionaries(st.integers(0, n_cells - 1), st.sampled_from(numbers), max_size=1))
    return SumFigure(
        tuple(f"c{k}" for k in range(n_cells)),
        tuple(sorted(numbers)),
        tuple(lines),
        tuple(orders),
        frozenset(fixed.items()),
    )


@given(figures())
def test_figures(model: SumFigure) -> None:
    lines = [(line.cells, line.sum) for line in model.lines]
    hold(
        model,
        naive_sums.figure_solutions(len(model.cells), model.numbers, lines, model.orders, model.given),
    )


@given(st.data())
def test_queens_with_blocked_and_given_squares(data: st.DataObject) -> None:
    n = data.draw(st.integers(1, 5))
    squares = [(row, column) for row in range(n) for column in range(n)]
    blocked = data.draw(st.frozensets(st.sampled_from(squares), max_size=5))
    open_squares = [square for square in squares if square not in blocked]
    fixed = (
        data.draw(st.frozensets(st.sampled_from(open_squares), max_size=2)) if open_squares else frozenset()
    )
    model = Queens(n, blocked, fixed, data.draw(st.booleans()))
    hold_or_ladder(model, naive.queens_solutions(n, blocked, fixed, model.toroidal))


def hold_or_ladder(model: Queens, expected: Sequence[Row]) -> None:
    for way in ways_for(model):
        _, found = walked(model, way)
        if way.name in ("brute-force", "backtracking", "placement-flags", "bitmap"):
            assert sorted(found) == [(row, 1) for row in sorted(expected)]
        else:
            assert sum(weight for _, weight in found) == len(expected)
            assert {row for row, _ in found} <= set(expected)


@pytest.mark.parametrize(
    ("words", "total"),
    [
        ("pentominoes 3 20", 8),
        ("dominoes 4 4", 36),
        ("langford 4", 2),
        ("latin-square 3", 12),
        ("magic-square 3", 8),
        ("hip 4", 2094),
        ("schur 3 13", 18),
        ("queens 6", 4),
    ],
)
def test_puzzles_of_the_catalog(words: str, total: int) -> None:
    """The best way of each. If the catalog publishes a count, it is the same."""
    puzzle = rk.puzzle(words)
    assert puzzle.published is None or puzzle.published.total in (None, total)
    way = ways_for(lower(puzzle.model))[-1]
    _, found = walked(puzzle.model, way)
    assert sum(weight for _, weight in found) == total
    if words != "queens 6":
        assert sorted(row for row, _ in found) == sorted(rk.solve(puzzle))


@pytest.mark.parametrize("n", [2, 3, 4])
def test_colorings_cell_by_cell_are_the_method_for_hip(n: int) -> None:
    model = rk.puzzle(f"hip {n}").model
    found: list[tuple[Row, int]] = []
    method = find_method(HIP_METHODS, "cell-by-cell")
    nodes = method.search(n, lambda row, weight: found.append((tuple(row), weight)))
    (way,) = (way for way in ways_for(model) if way.name == "cell-by-cell")
    assert walked(model, way) == (nodes, found)


def test_every_arrangement_is_the_method_for_magic_squares() -> None:
    model = rk.puzzle("magic-square 2").model
    found: list[tuple[Row, int]] = []
    nodes = find_method(MAGIC_METHODS, "brute-force").search(
        2, lambda row, weight: found.append((tuple(row), weight))
    )
    assert walked(model, ways_for(model)[0]) == (nodes, found)


@pytest.mark.parametrize("n", range(1, 7))
@pytest.mark.parametrize("name", dict.fromkeys(method.name for method in QUEENS_METHODS))
def test_ways_on_a_plain_board_are_the_ladder(name: str, n: int) -> None:
    found: list[tuple[Row, int]] = []
    nodes = find_method(QUEENS_METHODS, name, "recursive").search(
        n, lambda row, weight: found.append((tuple(row), weight))
    )
    model = Queens(n)
    (way,) = (way for way in ways_for(model) if way.name == name)
    assert walked(model, way) == (nodes, found)


def test_a_queen_that_clashes_is_attacked_by_those_named() -> None:
    for move in next(way for way in ways_for(Queens(6)) if way.name == "backtracking").walk(Queens(6)):
        row, column = divmod(move.atom, 6)
        others = [divmod(atom, 6) for atom in move.because]
        assert bool(others) == (move.kind == "clash")
        assert all(column == c or abs(column - c) == abs(row - r) for r, c in others)


def test_better_ways_take_fewer_nodes() -> None:
    for words in ("langford 4", "hip 3", "dominoes 4 4"):
        model = lower(rk.puzzle(words).model)
        nodes = [walked(model, way)[0] for way in ways_for(model)]
        assert nodes == sorted(nodes, reverse=True), words
