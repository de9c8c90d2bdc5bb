"""Every piece keeps its colours and its name in all solutions, and copies that touch have different colours."""

from __future__ import annotations

from itertools import pairwise

import pytest
from hypothesis import given
from hypothesis import strategies as st

import rekkyo as rk
from rekkyo.export.puzzle_toml.reader import read_toml
from rekkyo.model.packing import Packing
from rekkyo.model.puzzle import Puzzle
from rekkyo.render.svg.pieces import PiecesOnBoard, colors_of_pieces
from rekkyo.render.svg.style import COLORS, shades
from rekkyo.render.touching import copies_apart, few_colors
from tests.render.pictures import shapes
from tests.render.test_palette import EYES, least_distance

TWICE = 'kind = "packing"\nboard = "######\\n######\\n"\npieces = "AA BB\\n   B\\n"\n[times]\nA = 3\nB = 2\n'


def packing(puzzle: Puzzle) -> Packing:
    assert isinstance(puzzle.model, Packing)
    return puzzle.model


def touching(model: Packing, row: tuple[int, ...]) -> list[tuple[int, int]]:
    """Pairs of places in a row whose placements share a side, by the definition."""
    placed = [set(model.placements()[number].cells) for number in row]
    near = [{beside for cell in cells for beside in model.lattice.neighbours(cell)} for cells in placed]
    return [(i, j) for i in range(len(row)) for j in range(i) if near[i] & placed[j]]


@pytest.mark.parametrize(
    "words", ["dominoes 4 4", "pentominoes 6 10", "tetrasticks", "soma", "aztec-diamond 3", TWICE]
)
def test_drawn_areas_and_colours_are_those_of_the_row(words: str) -> None:
    puzzle = read_toml(words, "twice.toml") if "\n" in words else rk.puzzle(words)
    model = packing(puzzle)
    colors: dict[str, set[str]] = {}
    for number, full in enumerate(rk.solve(puzzle, up_to="none", workers=1)):
        if number == 5:
            break
        row = tuple(value for value in full if value < len(model.placements()))
        on_board = PiecesOnBoard(model).colors_together(row)
        drawn = [shape for shape in shapes(rk.svg(puzzle, row)) if shape.kind in ("rk-piece", "rk-stick")]
        if words in ("dominoes 4 4", "pentominoes 6 10", "aztec-diamond 3", TWICE):
            assert [shape.fill for shape in drawn] == on_board
            areas = [len(model.placements()[number].cells) * 24.0 * 24.0 for number in row]
            assert [shape.area for shape in drawn] == pytest.approx(areas)
        for option, fill in zip(row, on_board, strict=True):
            colors.setdefault(model.placements()[option].piece, set()).add(fill)
        for i, j in touching(model, row):
            assert on_board[i] != on_board[j]
    for one, other in ((a, b) for a in colors for b in colors if a < b):
        assert not colors[one] & colors[other], "a piece keeps its colours from solution to solution"


def test_different_pieces_have_one_colour_each_whatever_else_repeats() -> None:
    model = packing(
        read_toml(TWICE.replace("B = 2", "B = 1").replace("######\\n######", "#########"), "x.toml")
    )
    colors = colors_of_pieces([piece.high != 1 for piece in model.pieces])
    assert len(colors[1]) == 1
    assert not set(colors[0]) & set(colors[1])


@pytest.mark.parametrize("n_pieces", [1, 2, 5, 7, 13, 24])
def test_no_two_pieces_share_a_colour_as_long_as_there_are_enough(n_pieces: int) -> None:
    found = colors_of_pieces([True] * n_pieces)
    everything = [color for colors in found for color in colors]
    assert len(set(everything)) == len(everything)
    assert all(len(colors) >= 4 for colors in found)
    assert len(colors_of_pieces([False] * 30)) == 30


@pytest.mark.parametrize("eye", EYES)
def test_shades_of_a_colour_stay_apart(eye: str) -> None:
    assert all(least_distance((color, *shades(color)), eye) >= 11 for color in COLORS)


@given(st.integers(1, 8), st.data())
def test_few_colours_are_the_fewest(n: int, data: st.DataObject) -> None:
    pairs = [(i, j) for i in range(n) for j in range(i)]
    edges = data.draw(st.sets(st.sampled_from(pairs))) if pairs else set()
    near: list[set[int]] = [set() for _ in range(n)]
    for i, j in edges:
        near[i].add(j)
        near[j].add(i)
    colors = few_colors(near)
    assert all(colors[i] != colors[j] for i, j in edges)
    k = max(colors) + 1
    assert not _can_be_colored(n, edges, k - 1)


def _can_be_colored(n: int, edges: set[tuple[int, int]], k: int) -> bool:
    """Try every colouring in which new colours come in order: at most 4,140 for 8 vertices."""
    colorings: list[tuple[int, ...]] = [()]
    for _ in range(n):
        colorings = [(*c, new) for c in colorings for new in range(min(k, max(c, default=-1) + 2))]
    return any(all(c[i] != c[j] for i, j in edges) for c in colorings)


def test_a_large_board_takes_the_first_free_colours() -> None:
    n = 1000
    near = [{other for other in (k - 1, k + 1) if 0 <= other < n} for k in range(n)]
    colors = few_colors(near)
    assert all(a != b for a, b in pairwise(colors))


def test_other_pieces_do_not_count_as_copies() -> None:
    model = packing(rk.puzzle("pentominoes 6 10"))
    row = next(iter(rk.solve(rk.puzzle("pentominoes 6 10"), up_to="none", workers=1)))
    assert copies_apart(model, row) == [0] * 12


class TestText:
    def test_names_with_numbers_where_copies_touch(self) -> None:
        puzzle = read_toml(TWICE, "twice.toml")
        model = packing(puzzle)
        for row in rk.solve(puzzle, up_to="none", workers=1):
            cells = [line.split() for line in rk.board(puzzle, row).split("\n")]
            texts = []
            for number in row:
                piece, covered = model.placements()[number]
                (text,) = {cells[r][c] for r, c in covered}
                assert text.rstrip("123") == piece
                texts.append(text)
            for i, j in touching(model, row):
                assert texts[i] != texts[j]

    def test_long_names_are_listed(self) -> None:
        text = 'kind = "packing"\nboard = "####\\n"\n[pieces]\nA = "##\\n"\nsnake = "##\\n"\n'
        puzzle = read_toml(text, "x.toml")
        found = {rk.board(puzzle, row) for row in rk.solve(puzzle, up_to="none", workers=1)}
        assert found == {"A   A   sn… sn…\n\nsn… = snake", "sn… sn… A   A\n\nsn… = snake"}
