"""Pictures of puzzle files against their rows: tiles, words, covers, figures as they were drawn, graphs."""

from __future__ import annotations

import re
from itertools import pairwise
from math import dist
from pathlib import Path
from typing import Any

import pytest

import rekkyo as rk
from rekkyo.export.puzzle_toml.reader import read_toml
from rekkyo.export.xcc import read_xcc, write_xcc
from rekkyo.model.exact_cover import ExactCover
from rekkyo.model.puzzle import Puzzle
from rekkyo.model.sum_figure import Line, SumFigure
from rekkyo.model.tile_board import tile_board
from rekkyo.render.graph_places import graph_places
from rekkyo.render.letter_board import letter_board
from rekkyo.render.svg.network import RADIUS, STEP
from rekkyo.render.svg.style import colors_of
from tests.render.pictures import near, shapes, texts

EXAMPLES = Path(__file__).resolve().parents[2] / "examples"

TILES = {
    "square": 'kind = "tiles"\nboard = "##\\n##\\n"\n[tiles]\nA = "rgbw"\nB = "rwbg"\nC = "brwg"\nD = "bgwr"\n',
    "triangle": 'kind = "tiles"\nlattice = "triangle"\nboard = "####\\n"\ntiles = "rrg rgb gbb rbg"\n',
    "hexagon": (EXAMPLES / "seven-hexagons.toml").read_text(encoding="utf-8"),
    "cube": (EXAMPLES / "macmahon-cubes.toml").read_text(encoding="utf-8"),
}


def read(text: str) -> Puzzle:
    return read_toml(text, "mine.toml")


def first(puzzle: Puzzle) -> tuple[int, ...]:
    return next(iter(rk.solve(puzzle, up_to="none", workers=1)))


def uses_of(puzzle: Puzzle, row: tuple[int, ...]) -> list[dict[str, str]]:
    """For each chosen option its items, and their colours where they have one."""
    model = puzzle.model
    assert isinstance(model, ExactCover)
    return [
        {
            model.item_name(item): model.color_name(color) if color else ""
            for item, color in model.options[number]
        }
        for number in row
        if number < len(model.options)
    ]


@pytest.mark.parametrize("text", TILES.values(), ids=TILES)
def test_every_side_of_a_tile_has_its_colour_and_its_share_of_the_tile(text: str) -> None:
    puzzle = read(text)
    row = first(puzzle)
    uses = uses_of(puzzle, row)
    colors = sorted({color for use in uses for color in use.values()} - {""})
    model = puzzle.model
    assert isinstance(model, ExactCover)
    fills = dict(zip(sorted(model.color_names), colors_of(sorted(model.color_names)), strict=True))
    drawn = [shape for shape in shapes(rk.svg(puzzle, row)) if shape.kind == "rk-side"]
    n_sides = sum(1 for color in uses[0].values() if color)
    assert len(drawn) == n_sides * len(uses)
    for number, use in enumerate(uses):
        sides = drawn[number * n_sides : (number + 1) * n_sides]
        # The colours of a tile, as often as it has them; which side has which is checked by what meets below.
        assert sorted(side.fill for side in sides) == sorted(fills[color] for color in use.values() if color)
        if "cube" not in text:
            assert {round(side.area / sides[0].area, 2) for side in sides} == {1.0}
    assert set(colors) <= set(fills)


@pytest.mark.parametrize("name", ["square", "triangle", "hexagon"])
def test_sides_of_two_tiles_that_meet_are_drawn_together_in_one_colour(name: str) -> None:
    puzzle = read(TILES[name])
    row = first(puzzle)
    drawn = [shape for shape in shapes(rk.svg(puzzle, row)) if shape.kind == "rk-side"]
    edges: dict[frozenset[tuple[float, float]], list[str]] = {}
    for shape in drawn:
        a, b, _ = shape.loops[0]
        edges.setdefault(frozenset([a, b]), []).append(shape.fill)
    shared = [fills for fills in edges.values() if len(fills) == 2]
    model = puzzle.model
    assert isinstance(model, ExactCover)
    n_inner = len(drawn) - len(model.secondary)
    assert len(shared) == n_inner, "a side that two tiles have is one item"
    assert all(len(set(fills)) == 1 for fills in shared)


def test_names_of_tiles_stand_in_their_cells() -> None:
    puzzle = read(TILES["square"])
    row = first(puzzle)
    at = {text.text: text.place for text in texts(rk.svg(puzzle, row)) if text.text in "ABCD"}
    for use in uses_of(puzzle, row):
        cell, tile = list(use)[:2]
        down, across = map(int, cell.split(","))
        assert near(at[tile], (3 + (across + 0.5) * 52.8, 3 + (down + 0.5) * 52.8))


def test_tiles_as_text() -> None:
    puzzle = read(TILES["square"])
    row = first(puzzle)
    lines = rk.board(puzzle, row).split("\n")
    for use in uses_of(puzzle, row):
        cell, tile, *_ = use
        down, across = (2 * int(part) + 1 for part in cell.split(","))
        assert lines[down][across] == tile
    for item, color in {
        item: color for use in uses_of(puzzle, row) for item, color in use.items() if color
    }.items():
        cell, _, side = item.partition("/")
        down, across = (2 * int(part) + 1 for part in cell.split(","))
        step = [(-1, 0), (0, 1), (1, 0), (0, -1)][int(side) - 1]
        assert lines[down + step[0]][across + step[1]] == color
    assert all(lines)


@pytest.mark.parametrize("name", ["triangle", "hexagon"])
def test_tiles_of_other_lattices_as_text_show_each_side_once(name: str) -> None:
    puzzle = read(TILES[name])
    row = first(puzzle)
    sides = {item: color for use in uses_of(puzzle, row) for item, color in use.items() if color}
    assert sorted(rk.board(puzzle, row).split()) == sorted(sides.values())


def test_cubes_as_text_name_every_side() -> None:
    puzzle = read(TILES["cube"])
    lines = rk.board(puzzle, first(puzzle)).split("\n")
    assert len(lines) == 8
    assert all(sorted(line.split(": ")[2][k] for k in ()) == [] and line.count(",") == 7 for line in lines)
    assert lines[0].startswith("0,0,0: ")
    assert "top 1, back 2" in lines[0]


def test_tiles_are_known_by_names_alone() -> None:
    """So a run that kept the cover as text draws the same picture."""
    model = read(TILES["square"]).model
    assert isinstance(model, ExactCover)
    again = read_xcc(write_xcc(model), "puzzle.xcc")
    found = tile_board(again)
    assert found is not None
    assert found.lattice.name == "square"


@pytest.mark.parametrize(
    "text",
    [
        "0,0 a | 0,0/1 0,0/2\n0,0 a 0,0/1:x 0,0/2:y\n",
        "0,0 a | 0,0/1 0,0/2 0,0/3 0,0/9\n0,0 a 0,0/1:x 0,0/2:y 0,0/3:y 0,0/9:x\n",
        "0,0 a b | 0,0/1 0,0/2 0,0/3 0,0/4\n0,0 a b 0,0/1:x 0,0/2:y 0,0/3:y 0,0/4:x\n",
        "0,0 a | 0,0/1 0,0/2 0,0/3 0,0/4\n0,0 a 0,0/1:x 0,0/2:y 0,0/3:y\n",
        "0,0 0,1\n0,0\n0,1\n",
        "a b\na b\n",
    ],
)
def test_covers_that_are_no_tiles(text: str) -> None:
    model = read_xcc(text, "x.xcc")
    assert tile_board(model) is None
    rk.svg(Puzzle("x", model, "x"), (0,))


WORDS = 'kind = "words"\nboard = "###\\n###\\n###\\n"\nwords = "CAT COG TON"\n'


def test_words_are_lines_through_their_letters() -> None:
    puzzle = read(WORDS)
    row = first(puzzle)
    drawing = rk.svg(puzzle, row)
    lines = [shape for shape in shapes(drawing) if shape.kind == "rk-stick"]
    board_size = 3 * 24
    letters = {
        text.place: text.text for text in texts(drawing) if len(text.text) == 1 and text.place[1] < board_size
    }
    assert len(lines) == 3
    fills = dict(zip(["CAT", "COG", "TON"], ["#E69F00", "#56B4E9", "#009E73"], strict=True))
    found = {}
    for line in lines:
        (a, b) = line.loops[0]
        places = [(a[0] + k * (b[0] - a[0]) / 2, a[1] + k * (b[1] - a[1]) / 2) for k in range(3)]
        word = "".join(next(text for at, text in letters.items() if near(at, place)) for place in places)
        found[word] = line.stroke
    assert found == fills
    assert {text.text for text in texts(drawing)} >= set(fills), "the words are listed"


def test_words_as_text_say_where_each_is() -> None:
    puzzle = read(WORDS)
    row = first(puzzle)
    grid, _, places = rk.board(puzzle, row).partition("\n\n")
    steps = {"to the right": (0, 1), "down": (1, 0), "up": (-1, 0), "to the left": (0, -1)}
    steps |= {
        "down and right": (1, 1),
        "up and left": (-1, -1),
        "up and right": (-1, 1),
        "down and left": (1, -1),
    }
    lines = grid.split("\n")
    assert len(places.split("\n")) == 3
    for line in places.split("\n"):
        word, where = line.split("  ")
        row_text, column_text, direction = where.split(", ")
        r, c = int(row_text.split()[1]) - 1, int(column_text.split()[1]) - 1
        down, across = steps[direction]
        assert "".join(lines[r + k * down][c + k * across] for k in range(3)) == word


def test_given_letters_are_drawn_without_a_word_on_them() -> None:
    """Two letters of the board are in no word, and one is."""
    puzzle = read('kind = "words"\nboard = "A##X\\n#QQ#"\nwords = "AB"\n')
    row = next(iter(rk.solve(puzzle)))
    grid = rk.board(puzzle, row).split("\n\n")[0]
    assert grid == "AB.X\n.QQ."
    letters = [text.text for text in texts(rk.svg(puzzle, row)) if len(text.text) == 1]
    assert sorted({*letters}) == ["A", "B", "Q", "X"]
    assert letters.count("Q") == 2


def test_a_palindrome_and_one_letter_are_words_too() -> None:
    puzzle = read('kind = "words"\nboard = "###\\n"\nwords = "ABA"\n')
    found = letter_board(puzzle.model)  # type: ignore[arg-type]
    assert found is not None
    assert found.words[0].squares == ((0, 0), (0, 1), (0, 2))
    one = read('kind = "words"\nboard = "#\\n"\nwords = "A"\n')
    assert rk.board(one, (0,)) == "A\n\nA  row 1, column 1, one letter"
    rk.svg(one, (0,))


COVER = """
kind = "cover"
items = "apple banana cherry date"
secondary = "shade a-very-long-name-of-some-item"
options = '''
apple banana shade:red
cherry date shade:red
apple cherry
banana date
apple date a-very-long-name-of-some-item
banana cherry
'''
"""


def test_the_matrix_of_a_cover_fills_what_chosen_options_use() -> None:
    puzzle = read(COVER)
    model = puzzle.model
    assert isinstance(model, ExactCover)
    for row in rk.solve(puzzle, up_to="none", workers=1):
        drawing = rk.svg(puzzle, row)
        filled = [shape for shape in shapes(drawing) if shape.kind == "rk-piece"]
        columns = sorted({round(shape.middle[0]) for shape in filled})
        expected = [item for number in row if number < 6 for item, _ in model.options[number]]
        assert len(filled) == len(expected)
        assert {round(shape.area, 1) for shape in filled} == {round(filled[0].area, 1)}
        assert len({shape.fill for shape in filled}) == 2
        assert len(columns) == len(set(expected))
    assert "a-very-long-name-of-some…" not in drawing or "= a-very-long-name-of-some-item" in drawing


def test_colours_of_xcc_files_keep_their_names() -> None:
    model = read_xcc("a b | x y\na x:red y:blue\nb x:red\n", "x.xcc")
    drawing = rk.svg(Puzzle("x", model, "x"), (0, 1))
    assert sorted(t.text for t in texts(drawing) if t.text in ("red", "blue")) == ["blue", "red", "red"]
    assert rk.board(Puzzle("x", model, "x"), (0,)) == "a x:red y:blue"


def test_every_item_of_a_cover_is_named() -> None:
    drawing = rk.svg(read(COVER))
    assert {"apple", "banana", "cherry", "date", "shade"} <= {text.text for text in texts(drawing)}
    assert any("a-very-long-name-of-some-item" in text.text for text in texts(drawing))


def test_a_large_cover_is_a_wall_with_full_names() -> None:
    names = [f"item{number}" for number in range(60)]
    model = ExactCover(tuple(names), options=tuple(((number, 0),) for number in range(60)))
    drawing = rk.svg(Puzzle("wall", model, "wall"), tuple(range(60)))
    assert set(names) <= {text.text for text in texts(drawing)}
    assert len([shape for shape in shapes(drawing) if shape.kind == "rk-piece"]) == 60


def test_a_figure_is_where_the_file_drew_it() -> None:
    puzzle = rk.puzzle_from_file(EXAMPLES / "magic-hexagram.toml")
    row = tuple(range(12))
    at = {int(text.text): text.place for text in texts(rk.svg(puzzle, row))}
    names = list("abcdefghijkl")
    place = {name: at[number] for number, name in enumerate(names, 1)}
    assert place["a"][0] == place["l"][0]
    assert len({round(place[name][1], 3) for name in "bcde"}) == 1
    assert [place[name][0] for name in "bcde"] == sorted(place[name][0] for name in "bcde")
    assert place["a"][1] < place["b"][1] < place["f"][1] < place["h"][1] < place["l"][1]
    for line in ("acfh", "adgk", "bfil", "egjl"):
        (x1, y1), (x2, y2), (x3, y3), (x4, y4) = (place[name] for name in line)
        assert abs((x2 - x1) * (y4 - y1) - (x4 - x1) * (y2 - y1)) < 1, "on a straight line"
        assert abs((x3 - x1) * (y4 - y1) - (x4 - x1) * (y3 - y1)) < 1


def test_figures_that_are_squares_and_hexagons_have_such_cells() -> None:
    for name, corners in (("most-perfect-square", 4), ("magic-hexagon", 6)):
        puzzle = rk.puzzle_from_file(EXAMPLES / f"{name}.toml")
        boards = [shape for shape in shapes(rk.svg(puzzle)) if shape.kind == "rk-board"]
        assert {len(board.loops[0]) for board in boards} == {corners}
        middles = [board.middle for board in boards]
        assert min(dist(a, b) for k, a in enumerate(middles) for b in middles[:k]) > 24


def test_rows_that_begin_in_different_columns_are_squares() -> None:
    """A ring and a cross were drawn as hexagons: cells of one column were not below each other."""
    ring = ("0,0", "0,1", "0,2", "1,0", "1,2", "2,0", "2,1", "2,2")
    cross = ("0,1", "1,0", "1,1", "1,2", "2,1")
    for names in (ring, cross):
        boards = [shape for shape in shapes(rk.svg(figure_of(names))) if shape.kind == "rk-board"]
        assert {len(board.loops[0]) for board in boards} == {4}
        across: dict[str, set[float]] = {}
        for name, board in zip(names, boards, strict=True):
            across.setdefault(name[-1], set()).add(round(board.middle[0], 3))
        assert all(len(places) == 1 for places in across.values())


def test_two_names_of_one_place_are_two_cells_on_a_circle() -> None:
    boards = [shape for shape in shapes(rk.svg(figure_of(("0,0", "0,00")))) if shape.kind == "rk-board"]
    assert dist(boards[0].middle, boards[1].middle) > 24


def figure_of(names: tuple[str, ...]) -> Puzzle:
    numbers = tuple(range(len(names)))
    return Puzzle("mine", SumFigure(names, numbers, (Line((0, 1)),)), "Mine")


def test_cells_in_one_line_are_a_list_and_stand_on_a_circle() -> None:
    puzzle = read('kind = "figure"\ncells = "a b c d"\nlines = "a b; c d"\n')
    assert puzzle.picture is None


class TestGraphs:
    def test_places_are_apart_and_the_same_again(self) -> None:
        for graph in (
            rk.graph(named="petersen"),
            rk.graph(named="hypercube 3"),
            rk.graph("a b\nc d\ne"),
            rk.graph("a\nb\nc"),
            rk.graph("a"),
            rk.graph(named="complete 9"),
        ):
            network = graph.picture(on_edges=False)
            places = graph_places(network)
            assert len(places) == len(graph.names)
            assert all(dist(a, b) >= 1 for k, a in enumerate(places) for b in places[:k])
            assert places == graph_places(network)

    @pytest.mark.parametrize("name", ["path 58", "complete-bipartite 2 30"])
    def test_the_circles_of_a_large_graph_do_not_overlap(self, name: str) -> None:
        places = graph_places(rk.graph(named=name).picture(on_edges=False))
        nearest = min(dist(a, b) for k, a in enumerate(places) for b in places[:k])
        assert nearest * STEP > 2 * RADIUS

    def test_a_long_path_is_a_line_after_a_few_steps(self, monkeypatch: pytest.MonkeyPatch) -> None:
        """From a drawing without crossings it took 1,145 steps."""
        optimize = pytest.importorskip("scipy.optimize")
        steps: list[int] = []

        def counted(*given: Any, minimize: Any = optimize.minimize, **options: Any) -> Any:
            found = minimize(*given, **options)
            steps.append(found.nit)
            return found

        monkeypatch.setattr(optimize, "minimize", counted)
        places = graph_places(rk.graph(named="path 200").picture(on_edges=False))
        gaps = [dist(a, b) for a, b in pairwise(places)]
        assert len(steps) == 1
        assert steps[0] < 20
        assert min(gaps) > 0.95 * max(gaps)
        assert dist(places[0], places[-1]) > 0.999 * sum(gaps)

    def test_a_grid_is_its_board(self) -> None:
        places = graph_places(rk.graph(named="grid 2 3").picture(on_edges=True))
        assert len({x for x, _ in places}) == 3
        assert len({y for _, y in places}) == 2

    def test_names_and_colours_of_vertices(self) -> None:
        puzzle = rk.graph(named="petersen").colorings(3)
        row = first(puzzle)
        drawing = rk.svg(puzzle, row)
        pieces = [shape for shape in shapes(drawing) if shape.kind == "rk-piece"]
        assert len(pieces) == 10
        fills = ("#0072B2", "#F0E442", "#D55E00")
        assert [piece.fill for piece in pieces] == [fills[value] for value in row]
        named = {text.text: text.place for text in texts(drawing)}
        assert sorted(named, key=int) == [str(k) for k in range(10)]

    @pytest.mark.parametrize("what", ["matchings", "cycles", "paths", "spanning_trees"])
    def test_chosen_edges_are_lines_between_their_ends(self, what: str) -> None:
        graph = rk.graph("ann bob\nbob cid\ncid ann\ncid dan\ndan ann")
        puzzle = getattr(graph, what)()
        names = {text.text: text.place for text in texts(rk.svg(puzzle))}
        for row in rk.solve(puzzle, up_to="none", workers=1):
            if isinstance(puzzle.model, ExactCover):
                chosen = {number for number in row if number < 5}
            else:
                chosen = {number for number, value in enumerate(row) if value}
            lines = [shape for shape in shapes(rk.svg(puzzle, row)) if shape.kind == "rk-stick"]
            found = set()
            for line in lines:
                a, b = line.loops[0]
                ends = frozenset(min(names, key=lambda name: dist(names[name], end)) for end in (a, b))
                found.add(ends)
            assert found == {frozenset(graph.names[end] for end in graph.edges[number]) for number in chosen}

    @pytest.mark.parametrize(
        ("what", "lines", "numbers"),
        [("spanning_trees", 1, "50 70"), ("orientations", 2, "50 70"), ("edge_colorings", 1, "1 2")],
    )
    def test_a_number_is_not_crossed_by_its_edge(self, what: str, lines: int, numbers: str) -> None:
        """A circle hides the line below it, and the weight where the number is a colour."""
        graph = rk.graph("ann bob 50\nbob cid 70")
        puzzle = graph.edge_colorings(2) if what == "edge_colorings" else getattr(graph, what)()
        drawing = rk.svg(puzzle, first(puzzle))
        kinds = re.findall('class="(rk-[a-z]+)"', drawing[drawing.index('"rk-stick"') - 6 :])
        assert kinds == 2 * (lines * ["rk-stick"] + ["rk-board", "rk-ink"])
        assert sorted(text.text for text in texts(drawing)[-2:]) == numbers.split()

    def test_sets_of_vertices(self) -> None:
        puzzle = rk.graph("ann bob\nbob cid").independent_sets()
        drawn = {
            row: len([shape for shape in shapes(rk.svg(puzzle, row)) if shape.kind == "rk-piece"])
            for row in rk.solve(puzzle, up_to="none", workers=1)
        }
        assert drawn == {row: sum(row) for row in drawn}
        assert len(drawn) == 5

    def test_long_names_are_listed(self) -> None:
        drawing = rk.svg(rk.graph("constantinople istanbul").colorings(2))
        assert {"con… = constantinople", "ist… = istanbul"} <= {text.text for text in texts(drawing)}

    def test_without_networkx_vertices_are_a_circle(self, monkeypatch: pytest.MonkeyPatch) -> None:
        import sys

        monkeypatch.setitem(sys.modules, "networkx", None)
        places = graph_places(rk.graph(named="petersen").picture(on_edges=False))
        assert {round(dist(place, (0, 0)), 6) for place in places} == {round(dist(places[0], (0, 0)), 6)}

    def test_the_picture_of_a_file_and_of_a_family(self) -> None:
        assert rk.puzzle_from_file(EXAMPLES / "petersen.toml", "cliques").picture is not None
        assert rk.puzzle_from_file(EXAMPLES / "cube-matchings.toml").picture is not None
