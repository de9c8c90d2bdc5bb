"""Drawings: the same bytes as the golden files, well-formed, readable by machines for those who cannot see, and harmless."""

from __future__ import annotations

import re
from dataclasses import replace
from pathlib import Path
from xml.etree import ElementTree

import pytest
from hypothesis import given
from hypothesis import strategies as st

import rekkyo as rk
from rekkyo.catalog.index import ENTRIES
from rekkyo.errors import BadInput, BadSolution
from rekkyo.export.xcc import read_xcc
from rekkyo.model.exact_cover import ExactCover
from rekkyo.model.lattices import HEXAGON, QUARTERED, SQUARE, TRIANGLE, Lattice
from rekkyo.model.lattices.lattice import Cell
from rekkyo.model.packing import Packing
from rekkyo.model.puzzle import Puzzle
from rekkyo.model.row import Layout, RowShape
from rekkyo.render.svg.drawing import painting_of
from rekkyo.render.svg.outline import outline
from rekkyo.render.svg.packing import paint_packing
from tests.render.golden import CASES, FOLDER, drawn

SVG = "{http://www.w3.org/2000/svg}"

EXAMPLES = {
    "queens": "queens 6",
    "pentominoes": "pentominoes 6 10",
    "polyominoes": "polyominoes 4 5 4",
    "dominoes": "dominoes 4 4",
    "hexiamonds": "hexiamonds 6 6",
    "tetrasticks": "tetrasticks",
    "polysticks": "polysticks",
    "soma": "soma",
    "bedlam": "bedlam",
    "pentominoes-3d": "pentominoes-3d 3 4 5",
    "digits": "digits",
    "langford": "langford 4",
    "sudoku": "sudoku " + "1" + "." * 80,
    "magic-square": "magic-square 4",
    "semimagic-square": "semimagic-square 3",
    "pandiagonal-square": "pandiagonal-square 4",
    "associative-square": "associative-square 3",
    "magic-star": "magic-star 6",
    "magic-hexagon": "magic-hexagon 3",
    "magic-cube": "magic-cube 3",
    "hip": "hip 4",
    "rectangle-free": "rectangle-free 3 4 2",
    "van-der-waerden": "van-der-waerden 3 3 8",
    "schur": "schur 3 13",
    "sum-free": "sum-free 9",
    "progression-free": "progression-free 9",
    "ramsey": "ramsey 3 4 6",
    "latin-square": "latin-square 3",
    "block-designs": "block-designs 2 6 3 2",
    "steiner-triples": "steiner-triples 7",
    "one-factorizations": "one-factorizations 6",
    "aztec-diamond": "aztec-diamond 2",
}


@pytest.mark.parametrize("name", CASES)
def test_the_golden_files_are_drawn_again(name: str) -> None:
    assert drawn(name) == (FOLDER / f"{name}.svg").read_text(encoding="utf-8")


def test_every_entry_of_the_catalog_has_an_example_here() -> None:
    assert set(EXAMPLES) == {entry.name for entry in ENTRIES}


@pytest.mark.parametrize("words", EXAMPLES.values(), ids=EXAMPLES)
@pytest.mark.parametrize("theme", ["auto", "light", "dark"])
def test_every_puzzle_can_be_drawn(words: str, theme: str) -> None:
    puzzle = rk.puzzle(words)
    shape = puzzle.model.row_shape
    row = tuple(min(k, shape.n_values - 1) for k in range(shape.length))
    for text in (rk.svg(puzzle, theme=theme), rk.svg(puzzle, row, theme=theme)):
        root = ElementTree.fromstring(text)
        assert root.tag == f"{SVG}svg"
        assert root.get("role") == "img"
        assert root.findtext(f"{SVG}title")
        assert root.findtext(f"{SVG}desc")
        assert " style=" not in text, "a Content-Security-Policy without inline styles would drop it"


@pytest.mark.parametrize(
    "words",
    ["pentominoes 6 10 ", "digits", "soma", "hexiamonds 6 6", "magic-square 3", "langford 4", "hip 4"],
)
def test_what_is_at_a_spot_is_what_the_row_says(words: str) -> None:
    puzzle = rk.puzzle(words)
    painting = painting_of(puzzle)
    row = next(rk.solve(puzzle, workers=1))
    things = dict(pair for atom in painting.shape.atoms(row) for pair in painting.pairs_of_atom(atom))
    assert all(
        0 <= spot < len(painting.spots) and 0 <= thing < len(painting.things)
        for spot, thing in things.items()
    )
    model = puzzle.model
    if isinstance(model, Packing):
        board = sorted(model.board)
        chosen = [model.placements()[number] for number in row if number < len(model.placements())]
        expected = {board.index(cell): f"piece {piece}" for piece, cells in chosen for cell in cells}
        assert {spot: painting.things[thing] for spot, thing in things.items()} == expected
    else:
        assert len(things) == len(painting.spots)


def test_queens_stand_where_the_row_says() -> None:
    text = rk.svg(rk.queens(4), (1, 3, 0, 2))
    places = re.findall(r'class="rk-queen"[^>]*translate\(([\d.]+) ([\d.]+)\)', text)
    assert [(int(float(y) // 24), int(float(x) // 24)) for x, y in places] == [(0, 1), (1, 3), (2, 0), (3, 2)]


def test_numbers_stand_in_their_cells() -> None:
    root = ElementTree.fromstring(rk.svg(rk.puzzle("magic-square 3"), (1, 6, 5, 8, 4, 0, 3, 2, 7)))
    texts = sorted((float(t.get("y", "")), float(t.get("x", "")), t.text) for t in root.iter(f"{SVG}text"))
    assert [text for _, _, text in texts] == ["2", "7", "6", "9", "5", "1", "4", "3", "8"]


def test_digits_are_the_shapes_of_seven_segments() -> None:
    """A segment is a bar with a point at either end, so outlines have corners at 45 degrees; an 8 has two holes."""
    model = rk.puzzle("digits").model
    assert isinstance(model, Packing)
    eight = next(placement for placement in model.placements() if placement.piece == "8")
    loops = outline(face for cell in eight.cells for face in QUARTERED.faces(cell))
    assert len(loops) == 3
    slopes = {
        (abs(b[0] - a[0]), abs(b[1] - a[1]))
        for a, b in zip(loops[0], [*loops[0][1:], loops[0][0]], strict=True)
    }
    assert any(down == across for down, across in slopes)


def _some_cells(lattice: Lattice) -> st.SearchStrategy[frozenset[Cell]]:
    places = range(-4, 9)
    cells = [(row, column) for row in places for column in places if lattice.kind_of((row, column))]
    return st.frozensets(st.sampled_from(cells), min_size=1, max_size=20)


@pytest.mark.parametrize("lattice", [SQUARE, TRIANGLE, HEXAGON, QUARTERED], ids=lambda lattice: lattice.name)
@given(data=st.data())
def test_an_outline_holds_the_cells_and_nothing_else(lattice: Lattice, data: st.DataObject) -> None:
    cells = data.draw(_some_cells(lattice))
    loops = outline(face for cell in sorted(cells) for face in lattice.faces(cell))
    around = {near for cell in cells for near in lattice.neighbours(cell)} | cells
    for cell in around:
        (face,) = lattice.faces(cell)
        # A point inside the cell that lies on no line through corners.
        inside = tuple(
            sum(part) / len(face) + 0.01 * (k + 1) for k, part in enumerate(zip(*face, strict=True))
        )
        crossings = sum(
            _crosses(inside, a, b) for loop in loops for a, b in zip(loop, [*loop[1:], loop[0]], strict=True)
        )
        assert crossings % 2 == (cell in cells)


def _crosses(point: tuple[float, ...], a: tuple[int, ...], b: tuple[int, ...]) -> bool:
    """Whether a ray from the point, downwards, crosses a side."""
    if (a[1] > point[1]) == (b[1] > point[1]):
        return False
    return point[0] < a[0] + (point[1] - a[1]) * (b[0] - a[0]) / (b[1] - a[1])


@pytest.mark.parametrize(("lattice", "board"), [("square", "##?"), ("edges", "+#+#+?+"), ("cube", "##?")])
def test_cells_that_may_stay_empty_are_shaded(lattice: str, board: str) -> None:
    pieces = "AA" if lattice != "edges" else "+A+A+"
    with_one = rk.packing(board, pieces, lattice=lattice)
    without = rk.packing(board, pieces, lattice=lattice, filled=False)
    shaded, plain = (rk.svg(puzzle, [0]).count("rk-shade") for puzzle in (with_one, without))
    assert shaded == plain + 1


def test_names_with_markup_are_text() -> None:
    cover = read_xcc("<b>&\"' | <i>\n<b>&\"' <i>:<x>\n", "evil")
    puzzle = Puzzle("<script>alert(1)</script>", cover, "</title><script>alert(2)</script>")
    text = rk.svg(puzzle, (0,))
    root = ElementTree.fromstring(text)
    assert "<script" not in text
    assert {element.tag.removeprefix(SVG) for element in root.iter()} <= {
        "svg",
        "title",
        "desc",
        "style",
        "rect",
        "path",
        "circle",
        "text",
    }
    assert root.findtext(f"{SVG}title") == "A solution of <script>alert(1)</script>"


def test_pieces_with_markup_in_their_names() -> None:
    model = rk.packing("##\n", "<&").model
    assert isinstance(model, Packing)
    painting = paint_packing(
        replace(model, pieces=(replace(model.pieces[0], name="<a>"), replace(model.pieces[1], name="&")))
    )
    for atom in range(painting.shape.n_atoms):
        ElementTree.fromstring(f'<svg xmlns="http://www.w3.org/2000/svg">{painting.atom(atom)}</svg>')


def test_characters_that_xml_forbids_do_not_reach_it() -> None:
    cover = ExactCover(primary=("\x00a", "b\ufffe"), options=(((0, 0), (1, 0)),))
    ElementTree.fromstring(rk.svg(Puzzle("x\x1b[0m", cover, "t\x07"), (0,)))


class TestSheet:
    def test_holds_every_solution_once(self) -> None:
        puzzle = rk.queens(4)
        text = rk.sheet(puzzle, [(1, 3, 0, 2), (2, 0, 3, 1), (1, 3, 0, 2)], columns=2)
        root = ElementTree.fromstring(text)
        places = [g.get("transform") for g in root.findall(f"{SVG}g")]
        assert places == ["translate(0 47)", "translate(110 47)", "translate(0 170)"]
        assert "3 solutions of queens 4" in (root.findtext(f"{SVG}desc") or "")

    def test_notebooks_draw_puzzles_solutions_and_sheets(self) -> None:
        puzzle = rk.queens(4)
        for shown in (puzzle, rk.svg(puzzle, (1, 3, 0, 2)), rk.sheet(puzzle, [(1, 3, 0, 2)])):
            assert shown._repr_svg_().startswith("<svg ")  # type: ignore[union-attr]

    def test_an_empty_sheet_is_a_picture_too(self) -> None:
        ElementTree.fromstring(rk.sheet(rk.queens(3), []))

    def test_more_solutions_than_a_sheet_holds(self) -> None:
        with pytest.raises(BadInput, match="at most 4096 of them"):
            rk.sheet(rk.queens(1), [(0,)] * 5000)

    @pytest.mark.parametrize("columns", [0, -1, 10**9, "3"])
    def test_columns_out_of_range(self, columns: int) -> None:
        with pytest.raises(BadInput, match="columns"):
            rk.sheet(rk.queens(4), [], columns=columns)


@pytest.mark.parametrize("row", [(0, 1, 2, 9), (0,) * 9, (-1, 0, 0, 0), (0, 1, 2), ()])
def test_rows_that_cannot_be_drawn(row: tuple[int, ...]) -> None:
    for puzzle in (rk.queens(4), rk.Puzzle("four", rk.Coloring(4, 4), "Four cells")):
        for draw in (rk.svg, rk.board):
            with pytest.raises(BadSolution, match="a row to draw"):
                draw(puzzle, row)


def test_unknown_theme_and_scale() -> None:
    with pytest.raises(BadInput, match='no theme "drak"; did you mean "dark"'):
        rk.svg(rk.queens(4), theme="drak")
    with pytest.raises(BadInput, match="scale"):
        rk.svg(rk.queens(4), scale=0)


class Odd:
    """A model of no known kind."""

    row_shape = RowShape(1, 2, Layout.BY_POSITION)
    row_meaning = "odd or even"


def test_models_without_a_drawing() -> None:
    with pytest.raises(BadInput, match="no drawing"):
        rk.svg(Puzzle("odd", Odd(), "odd"))  # type: ignore[arg-type]


def test_golden_files_are_small() -> None:
    assert all(path.stat().st_size < 20_000 for path in Path(FOLDER).iterdir())


@pytest.mark.parametrize(
    ("board", "pieces"),
    [
        ("##", "AA"),
        ("#####\n#####\n#####", "PP. U.U V..\nPP. UUU V..\nP.. ... VVV"),
        ("####\n####", "AABB\nABAB"),
    ],
)
def test_pieces_beside_a_low_board_are_drawn_in_one_row_at_most(board: str, pieces: str) -> None:
    assert "</svg>" in rk.svg(rk.packing(board, pieces, filled=False))
