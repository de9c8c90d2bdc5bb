"""Boards of values show what their file says: givens, regions, cages, signs, arrows, and clues at the edge."""

from __future__ import annotations

import re
import tomllib
from pathlib import Path

import pytest

import rekkyo as rk
from rekkyo.export.puzzle_toml.reader import read_toml
from rekkyo.model.csp.csp import Csp
from rekkyo.model.picture import Clues
from rekkyo.render.svg.drawing import painting_of
from rekkyo.render.svg.markup import CELL, bounds
from tests.render.pictures import Shape, shapes, texts

EXAMPLES = Path(__file__).resolve().parents[2] / "examples"


def example(name: str) -> tuple[rk.Puzzle, dict[str, object]]:
    path = EXAMPLES / f"{name}.toml"
    return rk.puzzle_from_file(path), tomllib.loads(path.read_text())


def clues_of(puzzle: rk.Puzzle) -> Clues:
    assert isinstance(puzzle.picture, Clues)
    return puzzle.picture


def of_kind(svg: str, kind: str) -> Shape:
    (found,) = [shape for shape in shapes(svg) if shape.kind == kind]
    return found


def said(svg: str) -> list[str]:
    return [text.text for text in texts(svg)]


def test_cages_are_drawn_with_what_holds_of_them() -> None:
    puzzle, file = example("kenken-6x6")
    drawing = rk.svg(puzzle)
    (cage,) = file["cage"]  # type: ignore[misc]
    signs = str.maketrans({"x": "×", "/": "÷", "-": "−"})
    assert sorted(said(drawing)) == sorted(clue.translate(signs) for clue in cage["clues"].split()[1::2])
    letters = "".join(cage["regions"].split())
    dashed = of_kind(drawing, "rk-cage")
    assert len(dashed.loops) == len(set(letters))
    inset = 0.1 * CELL
    for loop in dashed.loops:
        assert all(
            min(x % CELL, CELL - x % CELL) == pytest.approx(inset, abs=0.02)
            for corner in loop
            for x in corner
        )


def test_names_of_cells_are_drawn_and_listed_by_value() -> None:
    puzzle = read_toml('kind = "grid"\nboard = ".#.\\n.."\nvalues = "1..3"\nnames = "a b c dog"', "x")
    assert clues_of(puzzle).names == ("a", "b", "c", "dog")
    assert {*"abc", "dog"} <= set(said(rk.svg(puzzle)))
    assert rk.board(puzzle, (0, 2, 2, 0)) == "1   3\n3 1\n\n1: a dog\n3: b c"


def test_regions_that_overlap_are_no_cages() -> None:
    text = 'kind = "grid"\nboard = "rectangle 3 3"\nvalues = "1..9"\n[[cage]]\neach = "sum 15"\n'
    assert clues_of(read_toml(text + 'regions = ["rows", "diagonals"]', "x")).cages == ()
    assert clues_of(read_toml(text + 'pattern = "##\\n##"', "x")).cages == ()
    assert len(clues_of(read_toml(text + 'regions = "rows"', "x")).cages) == 3
    assert len(clues_of(read_toml(text + 'cells = "0,0 0,1\\n0,1 1,1"', "x")).cages) == 2


def test_a_killer_sudoku_has_sums_and_boxes() -> None:
    puzzle, file = example("killer-sudoku")
    drawing = rk.svg(puzzle)
    (cage,) = file["cage"]  # type: ignore[misc]
    assert sorted(said(drawing)) == sorted(cage["clues"].split()[1::2])
    boxes = of_kind(drawing, "rk-frame")
    assert sorted(map(len, boxes.loops)) == [4] * 9
    assert boxes.area == pytest.approx(81 * CELL * CELL)


@pytest.mark.parametrize(("name", "n_regions"), [("jigsaw-sudoku", 9), ("star-battle", 6)])
def test_regions_have_thick_borders(name: str, n_regions: int) -> None:
    puzzle, _ = example(name)
    border = of_kind(rk.svg(puzzle), "rk-frame")
    assert len(border.loops) == n_regions
    assert border.area == pytest.approx(len(painting_of(puzzle).spots) * CELL * CELL)


def test_givens_are_drawn_with_the_puzzle_and_once() -> None:
    puzzle, file = example("jigsaw-sudoku")
    given = [mark for mark in str(file["board"]) if mark.isdigit()]
    assert said(rk.svg(puzzle)) == given
    row = next(iter(rk.solve(puzzle, up_to="none", workers=1)))
    assert len(said(rk.svg(puzzle, row))) == 81
    assert rk.svg(puzzle).count('"rk-ink rk-given"') == len(given)


def test_clues_stand_beside_their_lines() -> None:
    puzzle, file = example("nonogram")
    (lines,) = file["lines"]  # type: ignore[misc]
    painting = painting_of(puzzle)
    boxes = [bounds(spot) for spot in painting.spots]
    found = texts(rk.svg(puzzle))
    for row, clue in enumerate(lines["rows"]):
        left, top, _, bottom = boxes[15 * row]
        assert [t.text for t in found if t.place[0] <= left and top < t.place[1] < bottom] == [clue]
    for column, clue in enumerate(lines["columns"]):
        left, top, right, _ = boxes[column]
        above = [t for t in found if t.place[1] < top and left < t.place[0] < right]
        assert [t.text for t in sorted(above, key=lambda t: t.place[1])] == clue.split()


def test_clues_on_all_four_sides() -> None:
    puzzle, _ = example("skyscrapers")
    assert sorted(clues_of(puzzle).beside) == [
        ("bottom", 2, "2"), ("left", 0, "5"), ("right", 1, "3"), ("right", 2, "2"), ("right", 3, "4"), ("top", 1, "2"),
    ]  # fmt: skip
    painting = painting_of(puzzle)
    boxes = [bounds(spot) for spot in painting.spots]
    right, bottom = max(box[2] for box in boxes), max(box[3] for box in boxes)
    places = {(t.text, t.place[0] > right, t.place[1] > bottom) for t in texts(rk.svg(puzzle))}
    assert places == {("5", False, False), ("2", False, False), ("3", True, False), ("2", True, False), ("4", True, False), ("2", False, True)}  # fmt: skip
    assert painting.width > right
    assert painting.height > bottom


def test_lines_run_through_the_middles_of_their_cells() -> None:
    puzzle, file = example("lines-sudoku")
    boxes = [bounds(spot) for spot in painting_of(puzzle).spots]
    named = [file["cage"][0]["cells"], *file["compare"][0]["along"].strip().split("\n")]  # type: ignore[index]
    cells = [[6 * int(name[0]) + int(name[2]) for name in line.split()] for line in named]
    middles = [
        [((boxes[c][0] + boxes[c][2]) / 2, (boxes[c][1] + boxes[c][3]) / 2) for c in line] for line in cells
    ]
    assert clues_of(puzzle).lines == tuple(map(tuple, cells))
    assert [list(map(pytest.approx, line)) for line in middles] == [
        list(line) for line in of_kind(rk.svg(puzzle), "rk-line").loops
    ]


def test_pearls_are_circles() -> None:
    puzzle, file = example("masyu")
    marks = "".join(file["strokes"][0]["pearls"].split())  # type: ignore[index]
    assert clues_of(puzzle).circles == tuple((c, m == "*") for c, m in enumerate(marks) if m != ".")
    for kind, mark in (("rk-blocked", "*"), ("rk-line", "o")):
        (drawn,) = re.findall(rf'<path class="{kind}" d="([^"]*)"', rk.svg(puzzle))
        assert drawn.count("M") == marks.count(mark)


def test_filled_cells_are_those_of_the_row() -> None:
    puzzle, _ = example("nonogram")
    row = next(iter(rk.solve(puzzle, up_to="none", workers=1)))
    drawing, spots = rk.svg(puzzle, row), painting_of(puzzle).spots
    filled = {shape.loops for shape in shapes(drawing) if shape.kind == "rk-filled"}
    paths = "".join(
        f'<path class="rk-filled" d="{spots[place]}"/>' for place, value in enumerate(row) if value
    )
    assert filled == {
        shape.loops for shape in shapes(f'<svg xmlns="http://www.w3.org/2000/svg">{paths}</svg>')
    }


def test_squares_without_a_cell_are_blocked() -> None:
    puzzle, file = example("kakuro")
    blocked = of_kind(rk.svg(puzzle), "rk-blocked")
    assert len(blocked.loops) == str(file["board"]).count("#")
    assert ("left", 2, "4 13") in clues_of(puzzle).beside


def test_signs_point_at_the_smaller_number() -> None:
    """However the file writes the pair: `<` opens to the right, its turned form downwards."""
    board = 'kind = "grid"\nvalues = "1..9"\nboard = "...\\n..."\n[[compare]]\ncells = "{}"\n'
    expected = {
        "0,0 < 0,1": "<", "0,1 > 0,0": "<", "0,0 > 0,1": ">", "0,1 < 0,0": ">",
        "0,0 < 1,0": "∧", "1,0 > 0,0": "∧", "0,0 > 1,0": "∨", "0,0 <= 0,1": "≤", "0,0 != 0,1": "≠",
    }  # fmt: skip
    for line, sign in expected.items():
        (text,) = texts(rk.svg(read_toml(board.format(line), "signs.toml")))
        assert text.text == sign, line
        x, y = text.place
        if "1,0" in line:
            assert (x, y) == pytest.approx((CELL / 2, CELL), abs=0.02)
        else:
            assert (x, y) == pytest.approx((CELL, CELL / 2), abs=0.02)
    assert texts(rk.svg(read_toml(board.format("0,0 < 0,2"), "far.toml"))) == []


def test_arrows_lead_from_the_sum_through_its_cells() -> None:
    puzzle, _ = example("arrow-sudoku")
    model = puzzle.model
    assert isinstance(model, Csp)
    for first, *others in clues_of(puzzle).threads:
        for row in list(rk.solve(puzzle, up_to="none", workers=1, limit=3)):
            assert model.values[row[first]] == sum(model.values[row[cell]] for cell in others)
    assert rk.svg(puzzle).count("<circle") == 2 * len(clues_of(puzzle).threads) == 8


@pytest.mark.parametrize(("name", "clause"), [("slitherlink", "loop"), ("nurikabe", "area")])
def test_clues_in_cells(name: str, clause: str) -> None:
    puzzle, file = example(name)
    (table,) = file[clause]  # type: ignore[misc]
    lines = table["clues"].split()
    clues = [(r, c, mark) for r, line in enumerate(lines) for c, mark in enumerate(line) if mark != "."]
    found = [(int(t.place[1] // CELL), int(t.place[0] // CELL), t.text) for t in texts(rk.svg(puzzle))]
    assert sorted(found) == clues


def test_a_picture_changes_no_count() -> None:
    """A file with cages and without a picture are the same model, and the search looks at the model alone."""
    puzzle, _ = example("kenken")
    assert rk.count(puzzle).total == rk.count(rk.Puzzle("bare", puzzle.model, "bare")).total
