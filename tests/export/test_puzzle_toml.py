"""Puzzle files are read, and messages say what is wrong with those that cannot be read."""

from __future__ import annotations

import itertools
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

import rekkyo as rk
from rekkyo.errors import BadFile, BadInput
from rekkyo.export.puzzle_toml import positions, reader
from rekkyo.export.puzzle_toml.positions import places_in
from rekkyo.export.puzzle_toml.reader import read_toml
from rekkyo.model.coloring import Coloring
from rekkyo.model.exact_cover import ExactCover
from rekkyo.model.queens import Queens
from rekkyo.model.sum_figure import Line, SumFigure
from tests.export.grid_files.asking import check_complaint, complaint_about


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


@pytest.mark.parametrize(
    ("text", "complaint"),
    [
        (
            "",
            '1:1: "kind" is missing; write kind = "packing", or another of packing, coloring, figure, cover',
        ),
        ('kind = "pakcing"', '1:8: "kind" is "pakcing", which is not known; did you mean "packing"?'),
        ('kind = "river"', '1:8: "kind" is "river", which is not known; known: packing, coloring, figure,'),
        (
            'kind = "hamiltonian-cycles"',
            '1:8: "kind" is "hamiltonian-cycles", which is not known; write kind = "graph" and'
            ' find = "cycles" and hamiltonian = true',
        ),
        (
            'kind = "spanning-trees"',
            '1:8: "kind" is "spanning-trees", which is not known; write kind = "graph" and find = "spanning-tr',
        ),
        (
            'kind = "sudoku"',
            '1:8: "kind" is "sudoku", which is not known; write kind = "grid" and the rules as cl',
        ),
        ('kind = "word-search"', '1:8: "kind" is "word-search", which is not known; write kind = "words"'),
        ('kind = "colorings"', '1:8: "kind" is "colorings", which is not known; did you mean "coloring"?'),
        ('kind = "path"', '1:8: "kind" is "path", which is not known; known: packing, coloring, figure,'),
        ("kind = 3", '1:8: "kind" is a whole number; write a text, in quotes'),
        (
            'kind = "packing"\nboard = "##"\n\npices = "A"',
            '4:1: there is no key "pices"; did you mean "pieces"?',
        ),
        ('kind = "packing"\nboard = "##"\npieces = "A\\tA"', "3:12: a tab; draw with spaces or points"),
        (
            'kind = "packing"\nboard = "##"\n[pieces]\nX = "#"\nY = "#"\n  X = "#"',
            '6:3: piece "X" appears twice: lines 4 and 6; leave one out',
        ),
        ('n = 1\nkind = "queens"\nn = 2', '3:1: "n" appears twice: lines 1 and 3; leave one out'),
        (
            'kind = "packing"\nboard = "###"\npieces = "AA"',
            "2:1: the pieces have 2 cells, but the board that they fill has 3; change the pieces or the board",
        ),
        ('kind = "packing"\nboard = ""\npieces = "A"', "2:1: the drawing is empty; draw each cell as a mark"),
        (
            "kind = 'packing'\nlattice = 'hexagon'\nboard = '''\n\n# # #\n##\n'''\npieces = 'A'",
            '6:1: "#" stands where the hexagon lattice has no cell',
        ),
        (
            'kind = "packing"\nboard = "##"\n[pieces]\nX = "#Y"',
            '4:1: piece "X" is drawn with two marks, "#" and "Y"; use one',
        ),
        (
            'kind = "packing"\nboard = "##"\npieces = "AA"\n[times]\nB = 2',
            '5:1: there is no piece "B"; pieces are A',
        ),
        (
            'kind = "packing"\nboard = "##"\npieces = "AA"\ntimes = { A = [2, 1] }',
            '4:15: "A" is used 2 to 1 times; write the lesser first',
        ),
        (
            'kind = "packing"\nboard = "####"\npieces = "AA.BB"\ngiven = ".....AA"',
            '4:1: given piece "A" has 0,5, which is not on the board',
        ),
        (
            'kind = "packing"\nboard = "##"\npieces = "AA"\ntimes = "often"',
            '4:9: each is used 2, [1, 3], [1, "any"] or "any" times, with numbers to 65536; or "once", "at most',
        ),
        (
            'kind = "packing"\nboard = "##"\npieces = "AA"\n[only_on]\nB = "##"',
            '5:1: there is no piece "B"; pieces are A',
        ),
        (
            'kind = "packing"\nboard = "##"\npieces = "AA"\n[only_on]\nA = "###"',
            '5:1: piece "A" may lie on 0,2, which is not on the board',
        ),
        (
            'kind = "packing"\nboard = "x?"\npieces = "AA"\n[only_on]\nA = ["x", "y"]',
            '5:11: no cell of the board is marked "y"; marks are ?, x',
        ),
        ('kind = "packing"\nboard = "##"\npieces = "AA"\n[only_on]\nA = 3', '5:5: "A" is a whole number'),
        (
            'kind = "packing"\nboard = "#####?"\npolyforms = 4',
            "2:1: the pieces have 20 cells, more than the 6 of the board",
        ),
        (
            'kind = "packing"\nboard = "##"\npolyforms = 8',
            '3:13: "polyforms" says how many cells the pieces have, from 1 to 7, or a list',
        ),
        (
            'kind = "packing"\nlattice = "cube"\nboard = "##"\npolyforms = [2, 6]',
            '4:13: "polyforms" says how many cells the pieces have, from 1 to 5, or a list',
        ),
        (
            'kind = "packing"\nboard = "##"\npolyforms = [2, 2]',
            "3:13: a number of cells appears twice; write it once",
        ),
        (
            'kind = "packing"\nboard = "##"\npolyforms = 4\npieces = "II"',
            '3:1: the polyform "I" has the name of a drawn piece; rename that',
        ),
        ('kind = "packing"\nboard = "##"', '1:1: "pieces" is missing; give a table of drawings, [pieces]'),
        ("[[[[[[[[[[", "1:3: this is not TOML: invalid initial character for a key part"),
        ("a = " + "[" * 50, "1:22: lists or tables nested more than 16 deep"),
        ("a.b.c.d.e.f.g.h.i = 1", "1:1: a key of more than 8 parts; leave out some dots"),
        ('kind = "queens', "1:15: this is not TOML: "),
        (
            'kind = "queens\nn = 3',
            "1:15: the line ends inside a text in quotes; close the quotes, or begin and",
        ),
        (
            "kind = 'queens\nn = '3'",
            "1:15: the line ends inside a text in quotes; close the quotes, or begin and",
        ),
        ("n = " + "1" * 5000, "1:1: a number or date in it cannot be read; shorten it"),
        ('kind = "queens"\nboard = """\nQ..\n..y\n..."""', '4:3: "y" is none of ".", "Q" and "x"'),
        ('kind = "queens"\nboard = """\nQ..\n...."""', "3:1: the row has 3 squares on a board of 2 rows"),
        ('kind = "queens"\nn = 65', '2:5: "n" is a whole number from 1 to 64'),
        ('kind = "queens"\nn = true', '2:5: "n" is true or false; write a whole number'),
        ('kind = "figure"\nlines = """\na b\n c d = x"""', '4:2: "c d = x" does not end with a whole number'),
        (
            'kind = "figure"\nlines = """\na b\n c d = 1%s"""' % ("0" * 25),
            "4:2: a sum is a whole number from",
        ),
        (
            'kind = "figure"\nlines = """\na b\n c + d = 9"""',
            '4:4: "+" cannot name a cell; a line is the sum of',
        ),
        ('kind = "figure"\nlines = "a b; a b^2 = 5"', '2:17: "b^2" cannot name a cell; a line is the sum of'),
        ('kind = "figure"\nlines = "2a b = 7"', '2:10: "2a" looks like 2 times a, but a line has no factors'),
        ('kind = "figure"\nlines = "a < 2b"', '2:14: "2b" looks like 2 times b, but a line has no factors'),
        ('kind = "figure"\ncells = "a +"\nlines = "a"', '2:12: "+" cannot name a cell'),
        (
            'kind = "figure"\ncells = """\n. a\nb c"""\nlines = "a b, a c"',
            '3:1: "." names no cell; leave spaces where there is none',
        ),
        ('kind = "figure"\nlines = "a b; b c"\n[given]\nz = 1', '4:1: there is no cell "z"'),
        (
            'kind = "cover"\nitems = "a"\noptions = "a"\n[times]\na = 1000000000',
            '5:5: "a" is used 2, [1, 3], [1, "any"] or "any" times, with numbers to 65536',
        ),
        ('kind = "cover"\nitems = "a"\noptions = "a"\ntimes = 0', "4:9: each is used 0 to 0 times"),
        (
            'kind = "cover"\nitems = "a"\noptions = "a"\n[times]\na = [-1, 2]',
            '5:5: "a" is used 2, [1, 3], [1, "any"] or "any" times, with numbers to 65536',
        ),
        ('kind = "figure"\nlines = "a a"', '2:10: "a a" names a cell twice'),
        ('kind = "figure"\nlines = "a b"\nnumbers = [1, 1]', "3:1: number 1 appears twice"),
        ('kind = "figure"\nlines = "a b"\nnumbers = "1..9999"', "3:11: from 1 to 9999 are not 1 to 1024"),
        ('kind = "coloring"\ncolors = 9\nboard = "#"', '2:10: "colors" is a whole number from 2 to 8'),
        (
            'kind = "coloring"\ncolors = 2\nboard = "##"\n[[avoid]]\npattern = "=X"',
            '5:13: "X" is not a colour; use "=" or one of 12',
        ),
        *(
            (
                f'kind = "coloring"\ncolors = 3\ncells = "a b"\n[[avoid]]\ncells = "a b:{color}"',
                f'5:12: "{color}" is not a colour; colours are 1, 2, 3',
            )
            for color in ("4", "12")
        ),
        (
            'kind = "coloring"\ncolors = 2\nboard = "##"\n[[avoid]]\npattern = "=."',
            '5:1: one cell alone is always in one colour; mark two or more with "="',
        ),
        (
            'kind = "coloring"\ncolors = 2\nboard = "##"\n[[avoid]]\npatern = "=="',
            '5:1: there is no key "patern" in [avoid]; did you mean "pattern"?',
        ),
        (
            'kind = "coloring"\ncolors = 2\nboard = "rectangle 2 2"\ngiven = "1."',
            "4:1: the drawing has 1 line, but the board has 2; draw all of them",
        ),
        ('kind = "cover"\nitems = ""\noptions = "a"', "2:1: there are no items; name at least one"),
        (
            'kind = "coloring"\ncolors = 2\ncells = "a . b"\n[[avoid]]\ncells = "a b"',
            '3:12: "." names no cell; leave it out',
        ),
        (
            'kind = "coloring"\ncolors = 2\ncells = "a b"\n[[avoid]]\ncells = "a b a"',
            "5:10: the line names a cell twice; name it once",
        ),
        ('kind = "coloring"\ncolors = 2\nboard = "###"\ngiven = "...1"', '4:13: "1" is not on the board'),
        (
            'kind = "coloring"\ncolors = 2\nboard = "###"\n[[different]]\nregions = "AAA"',
            "5:1: 3 cells cannot all differ in 2 colours",
        ),
        (
            'kind = "cover"\nitems = "a b a"\noptions = "a"',
            '2:14: item "a" is named twice; name it once',
        ),
        ('kind = "cover"\nitems = "a"\noptions = """\na\n b"""', '5:2: there is no item "b"'),
        (
            'kind = "cover"\nitems = "a"\nsecondary = "x"\noptions = "x"',
            "4:12: the option has none of the items",
        ),
        ('kind = "tiles"\nboard = "##"\n[tiles]\nA = "abc"', '4:5: tile "A" is "abc"; write 4 characters'),
        (
            'kind = "tiles"\nboard = "##"\n[tiles]\nA = "abcd"\nB = "bcda"',
            '5:1: tile "B" is the same as "A"; write it once',
        ),
        (
            'kind = "tiles"\nboard = "##"\n[tiles]\nA = "abcd"',
            "2:1: the board has 2 cells, but there is 1 tile",
        ),
        ('kind = "words"\nboard = "##"\nwords = "A A"', '3:1: word "A" appears twice; write it once'),
        ('kind = "queens"\nn = 4\n[published]\ntotal = -1', '4:9: "total" is a whole number from 0'),
        (
            'kind = "queens"\nn = 4\n[published]\nsource = "x"',
            "3:1: [published] has neither total nor unique",
        ),
        ('kind = "queens"\nn = 4\ntitle = ""', '3:9: "title" has 1 to 200 printable characters'),
    ],
)
@pytest.mark.usefixtures("few_digits")
def test_complaints_say_where_and_what(text: str, complaint: str) -> None:
    check_complaint(text, complaint)


class TestBounds:
    def test_a_large_file_is_refused_before_it_is_read(self, tmp_path: Path) -> None:
        path = tmp_path / "large.toml"
        with path.open("wb") as file:
            file.truncate(reader.MAX_BYTES + 1)
        with pytest.raises(BadInput, match=r"large\.toml has 10485761 bytes; at most 10485760 are read"):
            rk.puzzle_from_file(path)

    def test_binary_files(self, tmp_path: Path) -> None:
        path = tmp_path / "binary.toml"
        path.write_bytes(bytes(range(256)))
        with pytest.raises(BadInput, match=r"binary\.toml is not text: byte 128 is not UTF-8"):
            rk.puzzle_from_file(path)
        path.write_bytes(b"\0" * 100)
        with pytest.raises(BadInput, match=r"binary\.toml:1:1: this is not TOML"):
            rk.puzzle_from_file(path)

    def test_missing_files_folders_and_other_files(self, tmp_path: Path) -> None:
        for path, complaint in (
            (tmp_path / "none.toml", r"none\.toml cannot be read: No such file"),
            (
                tmp_path,
                "holds no run: .*; the name of a puzzle file ends in one of .toml, .xcc, .xmpuzzle",
            ),
            (
                tmp_path / "mine.json",
                r"mine\.json is not there; a run is a folder, and the name of a puzzle file",
            ),
            (Path(__file__), r"test_puzzle_toml\.py is not a puzzle file; .* ends in one of \.toml"),
        ):
            with pytest.raises(BadInput, match=complaint):
                rk.puzzle_from_file(path)

    def test_huge_boards(self) -> None:
        row = "#" * 1000
        board = "\n".join([row] * 70)
        said = complaint_about(f'kind = "packing"\nboard = """\n{board}"""\npieces = "A"')
        assert said == "mine.toml:68:1: the drawing has more than 65536 marks; draw fewer"

    def test_many_keys(self, monkeypatch: pytest.MonkeyPatch) -> None:
        monkeypatch.setattr(positions, "MAX_KEYS", 1000)
        assert "more than the 1000 keys and values that are read" in complaint_about(f"a = [{'1,' * 1010}]")

    def test_patterns_in_too_many_places(self) -> None:
        board = "\n".join(["#" * 60] * 60)
        text = f'kind = "coloring"\ncolors = 2\nboard = """\n{board}"""\n[[avoid]]\npattern = """\n==\n=="""\nstretch = "freely"'
        assert "the pattern would have 12531600 squares, more than 4194304" in complaint_about(text)

    @pytest.mark.parametrize(
        ("text", "complaint"),
        [
            (
                'kind = "words"\nboard = "#"\nwords = "{}"',
                "3:1: 300000 words are more than the 4096 that are read",
            ),
            ('kind = "cover"\nitems = "a"\noptions = """\n{}"""', "262148:1: more than the 262144 options"),
            ('kind = "figure"\nlines = """\n{}"""', "lines that are accepted"),
            ('kind = "packing"\npieces = "A"\nboard = """\n{}"""', "3:1: a drawing of"),
        ],
    )
    def test_long_lists_are_refused_soon(self, text: str, complaint: str) -> None:
        filler = "." * (2 << 20) if 'board = """' in text else "a\n" * 300_000
        filler = filler.replace("\n", " ") if "words" in text else filler
        assert complaint in complaint_about(text.format(filler))

    def test_nothing_is_evaluated(self) -> None:
        assert "does not end with a whole number" in complaint_about(
            'kind = "figure"\nlines = "a b = __import__(\'os\')"'
        )


class TestPlaces:
    def test_keys_values_and_the_content_of_texts(self) -> None:
        text = 'a = 1\n[t]\n b.c = """\nxy\n"""\nd = { e = [1, "2"] }\n[[l]]\nk = \'v\'\n[[l]]\nk = 2\n'
        spans = places_in(text, "mine.toml").spans
        wanted = {
            ("a",): ("1:1", "1:5", "1:5"),
            ("t",): ("2:1", "2:1", "2:1"),
            ("t", "b", "c"): ("3:2", "3:8", "4:1"),
            ("t", "d", "e"): ("6:7", "6:11", "6:11"),
            ("t", "d", "e", 1): ("6:15", "6:15", "6:16"),
            ("l", 0): ("7:1", "7:1", "7:1"),
            ("l", 0, "k"): ("8:1", "8:5", "8:6"),
            ("l", 1, "k"): ("10:1", "10:5", "10:5"),
        }
        assert {
            path: tuple(map(str, (s.key, s.value, s.content))) for path, s in spans.items() if path in wanted
        } == wanted

    @pytest.mark.parametrize(
        "text",
        [
            'a = """x\\""" y"""\nb = 1',
            'a = """x"""""\nb = 1',
            "a = '''x'''''\nb = 1",
            'a = """"""\nb = 1',
            'a = "\\"#" # "\nb = 1',
            "a = 1979-05-27 07:32:00 # x\nb = 1",
            "a = [ # x\n 1, # ]\n 2,\n ]\nb = 1",
            "a = 1\r\nb = 1",
        ],
    )
    def test_what_comes_after_odd_values_is_found(self, text: str) -> None:
        assert ("b",) in places_in(text, "mine.toml").spans
