"""Puzzle files of figures, queens, covers and colourings are read as the models that they describe."""

from __future__ import annotations

import itertools

import pytest
from hypothesis import given
from hypothesis import strategies as st

import rekkyo as rk
from rekkyo.errors import BadFile
from rekkyo.export.puzzle_toml.reader import read_toml
from rekkyo.model.coloring import Coloring
from rekkyo.model.exact_cover import ExactCover
from rekkyo.model.queens import Queens
from rekkyo.model.sum_figure import Line, SumFigure


def model_of(text: str) -> object:
    return read_toml(text, "mine.toml").model


class TestFigure:
    def test_cells_lines_sums_orders_and_given_numbers(self) -> None:
        text = 'kind = "figure"\nlines = """\na b = 5; b c = 6\n a c\n a < c"""\nnumbers = [9, 1, 4]\n[given]\na = 1'
        assert model_of(text) == SumFigure(
            ("a", "b", "c"),
            (1, 4, 9),
            (Line((0, 1), 5), Line((1, 2), 6), Line((0, 2))),
            ((0, 2),),
            frozenset({(0, 1)}),
        )

    @pytest.mark.parametrize(
        "lines",
        ["a b == 5; c 0,1 = 6; a c", "a b = 5, c 0,1 = 6, a c", "a b = 5,c 0,1 = 6,a c"],
    )
    def test_commas_separate_lines_as_in_python(self, lines: str) -> None:
        """A comma was part of a name, so "a b c, c d e" was one line of six cells."""
        model = model_of(f'kind = "figure"\nlines = "{lines}"')
        assert isinstance(model, SumFigure)
        assert model.cells == ("a", "b", "c", "0,1")
        assert model.lines == (Line((0, 1), 5), Line((2, 3), 6), Line((0, 2)))

    def test_drawn_cells_may_be_named_like_formulas(self) -> None:
        model = model_of('kind = "figure"\ncells = "1a 1b c-d"\nlines = "1a 1b = 4; c-d = 2"')
        assert isinstance(model, SumFigure)
        assert model.cells == ("1a", "1b", "c-d")
        assert model.lines == (Line((0, 1), 4), Line((2,), 2))

    def test_one_sum_for_all_lines(self) -> None:
        model = model_of('kind = "figure"\ncells = "a b c"\nsum = 4\nlines = "c a"\nnumbers = "0..5"')
        assert model == SumFigure(("a", "b", "c"), tuple(range(6)), (Line((2, 0), 4),))


class TestQueens:
    def test_a_board_with_queens_and_blocked_squares(self) -> None:
        model = model_of('kind = "queens"\ntoroidal = true\nboard = """\n.x..\n....\n...Q\n....\n"""')
        assert model == Queens(4, frozenset({(0, 1)}), frozenset({(2, 3)}), True)

    def test_the_largest_board(self) -> None:
        assert model_of('kind = "queens"\nboard = """\n' + ("." * 64 + "\n") * 64 + '"""') == Queens(64)

    def test_just_a_size(self) -> None:
        assert rk.count(read_toml('kind = "queens"\nn = 8', "mine.toml"), up_to="none").total == 92


class TestCover:
    def test_items_options_colours_and_times(self) -> None:
        text = 'kind = "cover"\nitems = "a b"\nsecondary = "x"\noptions = """\na x:red\n\nb x:blue\na b"""\ntimes = { a = [0, 2] }'
        assert model_of(text) == ExactCover(
            ("a", "b"),
            ("x",),
            (((0, 0), (2, 1)), ((1, 0), (2, 2)), ((0, 0), (1, 0))),
            ((0, 2), (1, 1)),
        )


class TestColoring:
    def test_a_pattern_everywhere_as_it_is_drawn(self) -> None:
        model = model_of('kind = "coloring"\ncolors = 2\nboard = """\n###\n###"""\n[[avoid]]\npattern = "=="')
        assert model == Coloring(6, 2, ((0, 1), (1, 2), (3, 4), (4, 5)), grid=(2, 3))

    def test_a_pattern_in_all_orientations(self) -> None:
        text = 'kind = "coloring"\ncolors = "ab"\nboard = """\n##\n##"""\n[[avoid]]\npattern = "ab"\norientations = "all"'
        model = model_of(text)
        assert isinstance(model, Coloring)
        near = [(0, 1), (2, 3), (0, 2), (1, 3)]
        wanted = {tuple(sorted([(a, x), (b, 1 - x)])) for a, b in near for x in (0, 1)}
        assert set(model.patterns) == wanted

    def test_a_pattern_only_here(self) -> None:
        text = 'kind = "coloring"\ncolors = 2\nboard = "####"\n[[avoid]]\npattern = ".=="\nwhere = "here"'
        assert model_of(text) == Coloring(4, 2, ((1, 2),), grid=(1, 4))

    @pytest.mark.parametrize("n", [8, 9])
    def test_evenly_stretched_patterns_are_progressions(self, n: int) -> None:
        """The counts of van der Waerden colourings are OEIS A378195."""
        text = f'kind = "coloring"\ncolors = 2\nboard = "{"#" * n}"\n[[avoid]]\npattern = "==="\nstretch = "evenly"'
        assert rk.count(read_toml(text, "mine.toml"), up_to="none").total == {8: 6, 9: 0}[n]

    @given(st.integers(2, 4), st.integers(2, 4))
    def test_freely_stretched_corners_are_all_rectangles(self, rows: int, columns: int) -> None:
        board = "\n".join(["#" * columns] * rows)
        text = f'kind = "coloring"\ncolors = 2\nboard = """\n{board}"""\n[[avoid]]\npattern = """\n==\n=="""\nstretch = "freely"'
        model = model_of(text)
        assert isinstance(model, Coloring)
        assert set(model.sets) == {
            (top * columns + left, top * columns + right, bottom * columns + left, bottom * columns + right)
            for top, bottom in itertools.combinations(range(rows), 2)
            for left, right in itertools.combinations(range(columns), 2)
        }

    def test_cells_with_names(self) -> None:
        text = 'kind = "coloring"\ncolors = "rg"\ncells = "a b c"\ngiven = "c:g"\n[[avoid]]\ncells = """\na b\nb:r c:g"""'
        assert model_of(text) == Coloring(3, 2, ((0, 1),), (((1, 0), (2, 1)),), fixed=((2, 1),))

    @pytest.mark.parametrize("key", ["board", "pieces"])
    def test_a_line_break_in_single_quotes_is_refused(self, key: str) -> None:
        """It was two marks, so that pieces and boards had cells that nobody drew."""
        drawings = {"board": '"##\\n##"', "pieces": '"AA\\nA."'}
        drawings[key] = drawings[key].replace('"', "'")
        lines = [f"{name} = {drawing}" for name, drawing in drawings.items()]
        with pytest.raises(BadFile, match=r"\\n is not a line break in single quotes; use double quotes"):
            model_of("\n".join(['kind = "packing"', 'times = "any"', *lines]))

    def test_the_first_square_of_a_board_is_in_the_first_row_and_column(self) -> None:
        model = model_of('kind = "coloring"\ncolors = 2\nboard = """\n......\n..#.#.\n....#."""')
        assert isinstance(model, Coloring)
        assert model.squares == ((0, 0), (0, 2), (1, 2))

    def test_given_colours_are_drawn_on_the_board(self) -> None:
        text = 'kind = "coloring"\ncolors = "rg"\nboard = """\n#.#\n###"""\ngiven = """\n..g\nrg."""'
        model = model_of(text)
        assert isinstance(model, Coloring)
        assert (model.fixed, model.squares[1:4]) == (((1, 1), (2, 0), (3, 1)), ((0, 2), (1, 0), (1, 1)))

    @pytest.mark.parametrize("key", ["where", "orientations", "stretch", "equation"])
    def test_cells_are_no_pattern(self, key: str) -> None:
        text = f'kind = "coloring"\ncolors = 2\ncells = "a b"\n[[avoid]]\ncells = "a b"\n{key} = "x"'
        with pytest.raises(BadFile, match=f'6:1: "{key}" goes with "pattern"; leave it out'):
            model_of(text)

    def test_boards_with_holes_have_squares(self) -> None:
        model = model_of('kind = "coloring"\ncolors = 2\nboard = ".##.#"\n[[avoid]]\npattern = "=="')
        assert isinstance(model, Coloring)
        assert (model.sets, model.grid, model.squares) == (((0, 1),), None, ((0, 0), (0, 1), (0, 3)))

    @pytest.mark.parametrize(
        ("board", "total", "unique"),
        [("##\n##\n#.\n##", 3**7, 3**7), ("##\n##\n.#\n##", 3**7, 3**7), ("#.\n##", 27, (27 + 9) // 2)],
    )
    def test_the_symmetry_of_a_board_with_holes_is_that_of_the_board(
        self, board: str, total: int, unique: int
    ) -> None:
        text = f'kind = "coloring"\ncolors = "RGB"\nboard = """\n{board}"""'
        puzzle, _ = rk.with_own_symmetry(read_toml(text, "mine.toml"))
        for up_to in ("symmetry", "board"):
            found = rk.count(puzzle, up_to=up_to)
            assert (found.total, found.unique) == (total, unique)
        red = [0] * puzzle.model.row_shape.length
        assert rk.board(puzzle, red) == board.replace("#", "R").replace(".", " ").replace("R \n", "R\n")
        assert rk.svg(puzzle, red).count('fill="#0072B2"') == len(red)

    def test_counts(self) -> None:
        head = 'kind = "coloring"\ncolors = "xyz"\nboard = "#####"\n'
        assert model_of(head + 'counts = "equally"').bounds == ((1, 2),) * 3  # type: ignore[attr-defined]
        assert model_of(head + "counts = { x = 2, z = [0, 1] }").bounds == ((2, 2), (0, 5), (0, 1))  # type: ignore[attr-defined]
