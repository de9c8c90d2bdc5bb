"""Orders along the longest direction: boards column by column, and as few nodes for wide boards as for tall ones."""

from __future__ import annotations

import random
from itertools import product

import networkx as nx
import pytest

import rekkyo as rk
from rekkyo.engines.covers.masks.order import item_order
from rekkyo.engines.lengthwise import lengthwise
from rekkyo.model.exact_cover import ExactCover
from tests.engines.csp_counted import grid


def neighbors(graph: nx.Graph) -> dict[int, set[int]]:
    """The neighbours of each vertex, which are numbered in order."""
    number_of = {vertex: number for number, vertex in enumerate(sorted(graph))}
    return {number_of[v]: {number_of[u] for u in graph[v]} for v in number_of}


@pytest.mark.parametrize("shape", [(2, 3), (3, 5), (5, 12), (9, 16), (1, 30)])
def test_the_columns_of_a_wide_board_follow_each_other(shape: tuple[int, int]) -> None:
    n_rows, n_columns = shape
    order = lengthwise(neighbors(nx.grid_2d_graph(*shape)))
    assert order is not None
    assert [cell % n_columns for cell in order] == [
        column for column in range(n_columns) for _ in range(n_rows)
    ]


@pytest.mark.parametrize("shape", [(2, 5), (3, 5), (5, 12), (9, 16)])
def test_columns_of_a_board_for_kings_are_in_order(shape: tuple[int, int]) -> None:
    n_rows, n_columns = shape
    board = nx.strong_product(nx.path_graph(n_rows), nx.path_graph(n_columns))
    assert lengthwise(neighbors(board)) == tuple(
        row * n_columns + column for column in range(n_columns) for row in range(n_rows)
    )


def test_a_long_box_is_ordered_by_its_layers() -> None:
    box = nx.convert_node_labels_to_integers(nx.grid_graph((7, 3, 3)), ordering="sorted")
    order = lengthwise({vertex: set(box[vertex]) for vertex in sorted(box)})
    assert order is not None
    assert [vertex % 7 for vertex in order] == [layer for layer in range(7) for _ in range(9)]


def test_the_names_of_vertices_change_nothing_but_the_order_within_columns() -> None:
    board = nx.grid_2d_graph(4, 11)
    cells = list(board)
    random.Random(5).shuffle(cells)
    order = lengthwise({cell: set(board[cell]) for cell in cells})
    assert order is not None
    columns = [column for _, column in order]
    assert columns in (sorted(columns), sorted(columns, reverse=True))
    for column in range(1, 10):
        assert [cell for cell in order if cell[1] == column] == [cell for cell in cells if cell[1] == column]


@pytest.mark.parametrize("shape", [(1, 20), (4, 9), (6, 10)])
def test_a_long_torus_is_gone_around(shape: tuple[int, int]) -> None:
    n_rows, n_columns = shape
    order = lengthwise(neighbors(nx.grid_2d_graph(*shape, periodic=True)))
    assert order == tuple(row * n_columns + column for column in range(n_columns) for row in range(n_rows))


OTHERS = {
    "square": nx.grid_2d_graph(6, 6),
    "square torus": nx.grid_2d_graph(6, 6, periodic=True),
    "cube": nx.grid_graph((3, 3, 3)),
    "complete": nx.complete_graph(9),
    "wheel": nx.wheel_graph(13),
    "few vertices": nx.path_graph(4),
    "many vertices": nx.path_graph(600),
}


@pytest.mark.parametrize("graph", OTHERS.values(), ids=OTHERS)
def test_other_graphs_have_no_such_order(graph: nx.Graph) -> None:
    assert lengthwise(neighbors(graph)) is None


def test_a_board_that_is_nearly_square_has_no_longest_direction() -> None:
    """The walk loses (22/21)^2 = 1.098 times as much in the other direction, and (21/20)^2 = 1.103 times."""
    assert lengthwise(neighbors(nx.grid_2d_graph(21, 22))) is None
    assert lengthwise(neighbors(nx.grid_2d_graph(20, 21))) is not None


def test_a_graph_in_parts_has_no_such_order() -> None:
    assert lengthwise(neighbors(nx.disjoint_union(nx.path_graph(5), nx.path_graph(9)))) is None


@pytest.mark.kernel
def test_lines_of_a_wide_board_are_filled_one_after_the_other() -> None:
    """Half of each row and column, and no three alike side by side: with rows first, 1.5 million nodes."""

    def board(n: int, m: int) -> rk.Puzzle:
        text = f"""
            kind = "grid"
            values = "01"
            board = "rectangle {n} {m}"
            [[count]]
            value = 1
            times = "{n // 2} {m // 2}"
            regions = ["rows", "columns"]
            [[avoid]]
            pattern = "==="
            orientations = "all"
            """
        return rk.puzzle_from_text(text, "board")

    wide, tall = (
        rk.count(board(*shape), engine="csp-frontier", up_to="none", workers=1) for shape in ((6, 8), (8, 6))
    )
    assert wide.total == tall.total == 229798
    assert wide.nodes <= 1.1 * tall.nodes


@pytest.mark.kernel
def test_a_wide_torus_takes_as_many_nodes_as_a_tall_one() -> None:
    """Row by row, 3-colourings of a 6x9 torus take 189,000 nodes instead of 40,000."""
    wide, tall = (
        rk.count(grid(*shape, "torus").colorings(3), engine="csp-frontier", up_to="none", workers=1)
        for shape in ((6, 9), (9, 6))
    )
    assert wide.total == tall.total
    assert wide.nodes <= 1.1 * tall.nodes


@pytest.mark.kernel
@pytest.mark.parametrize("name", ["cycles", "Hamiltonian cycles", "spanning trees"])
def test_a_wide_grid_takes_as_many_nodes_as_a_tall_one(name: str) -> None:
    """With King's order, 41,000 nodes instead of 9,000 for cycles."""

    def counted(n: int, m: int) -> rk.Count:
        graph = grid(n, m)
        puzzle = (
            graph.spanning_trees() if name == "spanning trees" else graph.cycles(hamiltonian=name != "cycles")
        )
        return rk.count(puzzle, engine="csp-frontier", up_to="none", workers=1)

    wide, tall = counted(4, 12), counted(12, 4)
    assert wide.total == tall.total
    assert wide.nodes <= 1.1 * tall.nodes


@pytest.mark.kernel
def test_loops_around_cells_take_as_many_nodes_on_a_wide_board_as_on_a_tall_one() -> None:
    """What is outside is one variable with one value, beside all cells of the edge."""

    def counted(n: int, m: int) -> rk.Count:
        text = f'kind = "grid"\nvalues = "-#"\nboard = "rectangle {n} {m}"\n[[loop]]\nvalue = "#"'
        puzzle = rk.puzzle_from_text(text, "loops")
        return rk.count(puzzle, engine="csp-frontier", up_to="none", workers=1)

    wide, tall = counted(3, 12), counted(12, 3)
    cycles = rk.count(grid(4, 13).cycles(hamiltonian=False), engine="csp-frontier", up_to="none")
    assert wide.total == tall.total == cycles.total
    assert wide.nodes <= 1.1 * tall.nodes


def test_a_wide_board_is_covered_column_by_column() -> None:
    """The windows of L-trominoes on 6x11: 1,423 in King's order, 674 so."""
    board = list(product(range(6), range(11)))
    corners = [
        [cell for cell in product((x, x + 1), (y, y + 1)) if cell != left_out]
        for x, y in product(range(5), range(10))
        for left_out in product((x, x + 1), (y, y + 1))
    ]
    options = tuple(tuple((board.index(cell), 0) for cell in some) for some in corners)
    order = item_order(ExactCover(tuple(map(str, board)), (), options)).order
    assert [board[item] for item in order] == sorted(board, key=lambda cell: cell[1])
