"""The board and the values of a grid, and how large they may be."""

from __future__ import annotations

from itertools import product
from math import prod

import pytest

import rekkyo as rk
from rekkyo.export.puzzle_toml.reader import read_toml
from rekkyo.model.csp.constraints import AllDifferent, GlobalCardinality
from rekkyo.model.csp.csp import Csp
from rekkyo.model.picture import Clues
from rekkyo.model.puzzle import SYMBOLS
from tests.export.grid_files.asking import (
    HEAD,
    TWO,
    Row,
    check_complaint,
    complaint_about,
    fillings,
    model_of,
    text_of,
)
from tests.export.second_ways import EXAMPLES

ROOMS = 'kind = "grid"\nvalues = "12"\nboard = "rectangle 2 2"\n'
"""A board; the regions of a clause and their names follow."""

COMPLAINTS = [
    (ROOMS + '[regions]\nrows = "AB\\nAB"', '5:1: "rows" means other regions; take another name'),
    (ROOMS + '[regions]\n"boxes 1x2" = "AB\\nAB"', '5:1: "boxes 1x2" means other regions; take another'),
    (ROOMS + '[regions]\nrooms = "AB"', "5:1: the drawing has 1 line, but the board has 2; draw all of them"),
    (ROOMS + 'regions = "AB\\nAB"', '4:11: "regions" is a text; write a table, [regions]'),
    (
        ROOMS + '[[connected]]\nregions = "room"\n[regions]\nrooms = "AB\\nAB"',
        '5:1: "room" names no regions; did you mean "rooms"?',
    ),
    (
        ROOMS + '[[cage]]\nregions = "row"\nA = "sum 3"',
        '5:1: "row" names no regions; did you mean "rows"?',
    ),
    (
        ROOMS + 'hidden = "rows"\n[regions]\nrooms = "AB\\nA."',
        "4:1: hidden cells are drawn: draw all rows of the board, or name a drawing in [regions]; did you mean",
    ),
    (
        ROOMS + 'hidden = "x."',
        "4:1: hidden cells are drawn: draw all rows of the board, or name a drawing in",
    ),
    (
        ROOMS + '[[cage]]\nregions = "AB"\nA = "sum 3"',
        '5:1: regions are "rows", "columns", "runs", "runs across"',
    ),
    *(
        (ROOMS + f'[[connected]]\nregions = "{regions}"', f"5:1: {complaint}")
        for regions, complaint in (
            ("rows, columns", 'several regions are a list; write ["rows", "columns"]'),
            ("rows columns", 'several regions are a list; write ["rows", "columns"]'),
            (" rows", '" rows" names no regions; did you mean "rows"?'),
            ("boxes 1 x 2", '"boxes 1 x 2" names no regions; write "boxes 1x2"'),
            ("Box 2\u00d71", '"Box 2\u00d71" names no regions; write "boxes 2x1"'),
        )
    ),
    (
        HEAD + '[[connected]]\ncells = "0,0, 0,1"',
        '5:10: there is no cell "0,0,"; write 0,0, with spaces between',
    ),
    ('kind = "grid"\nvalues = "1..99"\nboard = ".."\ngiven = "1 100"', '4:12: "100" is none of the values'),
    ('kind = "grid"\nvalues = "1..99"\nboard = ".."\ngiven = "1 2 3"', '4:14: "3" is not on the board'),
    (
        'kind = "grid"\nvalues = "1..9"\nboard = ".."\ngiven = "1 c"',
        '4:12: "c" is none of the values 123456789',
    ),
    (
        'kind = "grid"\nvalues = "1..12"\nboard = "1."\ngiven = "2 3"',
        "4:10: the board gives this cell another value; give it once",
    ),
    (
        'kind = "grid"\nvalues = ["W", "B"]\nboard = "."',
        '2:10: characters are one text; write values = "WB"',
    ),
    ('kind = "grid"\nboard = "."', '1:1: "values" is missing; give them as "1..9"'),
    ('kind = "grid"\nvalues = "1..9"', '1:1: "board" is missing'),
    ('kind = "grid"\nvalues = "aba"\nboard = "."', '2:10: "a" appears twice; name each value once'),
    ('kind = "grid"\nvalues = "a b"\nboard = "."', "2:10: values are 1 to 1024 different characters"),
    (
        'kind = "grid"\nvalues = "1-9"\nboard = "."',
        '2:10: "1-9" would be three characters; write "1..9" for all values between, or "-" as the first',
    ),
    ('kind = "grid"\nvalues = "A-F"\nboard = "."', '2:10: "A-F" would be three characters'),
    ('kind = "grid"\nvalues = ""\nboard = "."', "2:10: values are 1 to 1024 different characters"),
    (
        'kind = "grid"\nvalues = "\u2191\u2197\ufe0f"\nboard = ".."',
        "2:10: U+FE0F, variation selector-16, is drawn on the character before it; write both as one, or leave",
    ),
    (
        HEAD + 'hidden = "x\u0301.."',
        "4:12: U+0301, combining acute accent, is drawn on the character before it; write both as one, or leave",
    ),
    ('kind = "grid"\nvalues = "a\u200b"\nboard = "."', "2:10: \\u200b is not a mark that can be seen"),
    (
        'kind = "grid"\nvalues = "1..4"\nboard = "rectangle 3 4"\n[[different]]\nregions = "boxes 2x2"',
        '5:1: "boxes 2x2" do not fill a board of 3 rows and 4 columns; draw the regions, or change the board',
    ),
    (
        'kind = "grid"\nvalues = "1..4"\nboard = "rectangle 4 5"\n[[cage]]\neach = "even"\nregions = ["rows", "boxes 2x2"]',
        '6:1: "boxes 2x2" do not fill a board of 4 rows and 5 columns',
    ),
    (
        'kind = "grid"\nvalues = "1..4"\nboard = "rectangle 2 4"\n[[different]]\nregions = "row 2"',
        "5:1: there is no row 2 on the board; the first is row 0",
    ),
    (
        'kind = "grid"\nvalues = "1..4"\nboard = "rectangle 2 4"\n[[cage]]\nregions = "row 0"\neach = "increasing, sum 3"'
        '\n[[cage]]\nregions = ["column 4"]\neach = "odd"',
        "8:1: there is no column 4 on the board; the first is column 0",
    ),
    (
        'kind = "grid"\nvalues = "1..4"\nboard = "rectangle 2 5"\n[[cage]]\nregions = "row 1"\neach = "increasing"',
        "6:1: 5 cells cannot increase in 4 values; make the cage smaller",
    ),
    (
        'kind = "grid"\nvalues = "1..4"\nboard = "rectangle 2 4"\n[regions]\n"row 7" = "aabb\\naabb"',
        '5:1: "row 7" means other regions; take another name',
    ),
    (
        'kind = "grid"\nvalues = "z..a"\nboard = "."',
        '2:10: from "z" to "a" are no characters; write "a" first',
    ),
    ('kind = "grid"\nvalues = "a..\u0c00"\nboard = "."', '2:10: from "a" to "\u0c00" are not 1 to 1024'),
    (
        'kind = "grid"\nvalues = "4..1"\nboard = "."',
        "2:10: from 4 to 1 are no numbers; write the lesser first",
    ),
    (
        'kind = "grid"\nvalues = "12"\nboard = "rectangle 2 2"\ngiven = "1."',
        "4:1: the drawing has 1 line, but the board has 2",
    ),
    ('kind = "grid"\nvalues = "1..2000"\nboard = "."', "2:10: from 1 to 2000 are not 1 to 1024"),
    ('kind = "grid"\nvalues = []\nboard = "."', "2:10: 0 values; take 1 to 1024"),
    ('kind = "grid"\nvalues = [2, 2]\nboard = "."', "2:10: a value appears twice"),
    ('kind = "grid"\nvalues = [1, "a"]\nboard = "."', "2:14: this is not a whole number"),
    ('kind = "grid"\nvalues = 7\nboard = "."', '2:10: "values" is a whole number; write a text'),
    ('kind = "grid"\nvalues = "12"\nboard = """\n..\n.x"""', '5:2: "x" is not a cell; draw "." for a cell'),
    (
        'kind = "grid"\nvalues = "12"\nboard = """\n..\n.\t"""',
        '5:2: "\\t" is not a cell; draw "." for a cell',
    ),
    ('kind = "grid"\nvalues = "12"\nboard = "##"', "3:1: the board has no cells"),
    (HEAD + 'given = "...5"', '4:13: "5" is none of the values 1234'),
    (HEAD + 'given = "....5"', '4:14: "5" is not on the board; write "." where it has no cell'),
    (HEAD + 'given = """\n1...\n...."""', "4:1: the drawing has 2 lines, but the board has 1"),
    (HEAD + 'given = "..1"', '4:10: the line ends before cell 0,3; write "." for a cell without a mark'),
    (HEAD + 'given = ". 1 2"', "4:10: the line ends before cell 0,3"),
    (HEAD + '[[count]]\nvalue = 1\ntimes = 1\nregions = """\nAAA"""', "8:1: the line ends before cell 0,3"),
    (HEAD.replace('"....', '"1...') + 'given = "2..."', "4:10: the board gives this cell another value"),
    (
        HEAD + '[[diferent]]\nregions = "rows"',
        '4:1: there is no key "diferent"; did you mean "different"?',
    ),
    (
        HEAD + '[[sum]]\ncells = "0,0 0,1"',
        '4:1: there is no key "sum"; write [[cage]] with each = "sum 10", or [[compare]] with cells = "0,0 +',
    ),
    (
        HEAD + '[[unique]]\nregions = "rows"',
        '4:1: there is no key "unique"; write [[different]] with regions = "rows", or another region',
    ),
    (
        HEAD + "[[thermo]]",
        '4:1: there is no key "thermo"; write [[cage]] with cells = "0,0 0,1 0,2" and each = "increasing"',
    ),
    (
        HEAD + "[[arrow]]",
        '4:1: there is no key "arrow"; write [[compare]] with cells = "0,0 = 0,1 + 0,2"; arrows',
    ),
    (
        HEAD + "[[x-sums]]",
        '4:1: there is no key "x-sums"; write [[lines]] with clue = "x-sum"',
    ),
    (HEAD + "[[sandwich]]", '4:1: there is no key "sandwich"; write [[lines]] with clue = "between"'),
    (HEAD + "[[visible]]", '4:1: there is no key "visible"; write [[lines]] with clue = "visible"'),
    (HEAD + 'names = "a b c"', "4:1: 3 names for 4 cells; name each cell, in their order"),
    (HEAD + 'names = "a b c a"', '4:16: cell "a" is named twice; name it once'),
    (HEAD + 'names = "a b c 3"', '4:16: "3" means something else in clauses; take another name'),
    (HEAD + 'names = "a 0,0 c d"', '4:12: "0,0" means something else in clauses; take another name'),
    (HEAD + 'names = "a b sum d"', '4:14: "sum" means something else in clauses; take another name'),
    (HEAD + 'names = "a b\u200b c d"', '4:12: "b\\u200b" has a character that cannot be seen; leave it out'),
    (HEAD + 'names = "a b-c d e"', '4:12: "b-c" cannot name a cell; leave out < > = ! + - * ( )'),
    (
        HEAD + 'names = "a b c d"\n[[compare]]\ncells = "a < e"',
        '6:14: there is no cell "e"; cells are a, b, c, ...',
    ),
    (HEAD.replace("....", "rectangle 2"), '3:1: "rectangle 2" names no board of the square lattice'),
    (HEAD.replace("....", "rectangle 70 70"), "3:1: the board has 4900 cells, more than 4096"),
    (HEAD.replace("....", "rectangle 20000 20000"), "3:1: a board of 400000000 cells is more than the 65536"),
]


@pytest.mark.parametrize(("text", "complaint"), COMPLAINTS)
def test_complaints_say_where_and_what(text: str, complaint: str) -> None:
    check_complaint(text, complaint)


class TestBoard:
    def test_boxes_count_columns_without_a_cell(self) -> None:
        """Boxes that a family's member cuts off at its edge ask for what is left of them."""
        clauses = '[[different]]\nregions = "boxes 2x2"'
        model_of(text_of("..##\n...#", '"1..4"', clauses))
        family = f'kind = "grid"\nvalues = "12"\nboard = "rectangle 1 {{n}}"\n{clauses}\n[family]\nn = "2..3"'
        assert [rk.count(rk.puzzle_from_text(family, "mine", n)).total for n in (2, 3)] == [2, 4]

    def test_cells_are_named_by_line_and_column(self) -> None:
        model = model_of(text_of("#.\n ..", '"1..2"', ""))
        assert (model.names, model.grid) == (("0,1", "1,1", "1,2"), None)

    def test_a_full_rectangle_is_a_grid(self) -> None:
        assert model_of(text_of("...\n...", '"1..2"', "")).grid == (2, 3)
        assert model_of(text_of("#..\n#..", '"1..2"', "")).grid == (2, 2)

    def test_given_values_in_the_board_and_in_a_drawing_of_their_own(self) -> None:
        once = model_of(text_of("1.\n.3", '"1..4"', ""))
        apart = model_of(text_of(TWO, '"1..4"', "given = '''\n1.\n.3'''"))
        assert once == apart
        assert once.domains == ((1,), (1, 2, 3, 4), (1, 2, 3, 4), (3,))

    def test_given_numbers_that_have_no_characters(self) -> None:
        model = model_of(text_of("..#\n..", '"1..99"', 'given = "77 . #\\n. 8"'))
        assert [domain for domain in model.domains if len(domain) == 1] == [(77,), (8,)]
        assert model.domains[3] == (8,)

    def test_given_values_with_spaces_between(self) -> None:
        drawn = model_of(text_of("..#\n..", '"1..12"', 'given = "c.#\\n.8"'))
        assert model_of(text_of("..#\n..", '"1..12"', 'given = "12 . #\\n. 8"')) == drawn
        letters = model_of(text_of("...", '"RGB"', 'given = "R . B"'))
        assert letters.domains == ((0,), (0, 1, 2), (2,))

    def test_given_characters_on_a_board_with_a_gap(self) -> None:
        assert model_of(text_of(". .", '"1..4"', 'given = "3 4"')).domains == ((3,), (4,))

    def test_hidden_variables_are_no_part_of_a_solution(self) -> None:
        model = model_of(text_of("...", '"1..3"', '[[different]]\nregions = "rows"\nof = "differences"'))
        assert model.solution == (0, 1, 2)
        assert len(model.names) == 3 + 2

    def test_a_mark_for_no_cell_that_is_a_value_is_a_given_value(self) -> None:
        assert model_of(text_of("#.", '".#"'.replace(".", "-"), "")).domains == ((1,), (0, 1))


@pytest.mark.parametrize(
    "clause",
    [
        "given = {}",
        "[[different]]\nregions = {}",
        '[[cage]]\nregions = {}\n1 = "sum 2"',
        "[[count]]\nvalue = 1\ntimes = 1\nregions = {}",
        '[[count]]\nvalue = 1\naround = "sides"\nclues = {}',
        "[[loop]]\nvalue = 1\nclues = {}",
        "[[area]]\nvalue = 1\nclues = {}",
    ],
)
def test_drawings_of_the_board_again_may_have_its_mark_for_no_cell(clause: str) -> None:
    once, again = (model_of(text_of("#..\n..#", "[1, 2]", clause.format(f'"{m}1.\\n..{m}"'))) for m in "#.")
    assert once == again


@pytest.mark.parametrize(
    "clause",
    [
        '[[compare]]\ncells = "2*{0} + {1} != {2}"',
        '[[different]]\ncells = "{1} {2}"',
        '[[cage]]\ncells = "{1} {2}"\neach = "sum 5"',
        'maximize = "sum {0} {3}"',
        'minimize = "{2}"',
        'symmetry = "({0} {3})({1} {2})"',
    ],
)
def test_a_clause_names_cells_by_name_or_place(clause: str) -> None:
    names = ("north", "east", "west", "south")
    named = f'names = "{" ".join(names)}"\n' + clause.format(*names)
    placed = clause.format("0,0", "0,1", "1,0", "1,1")
    one, other = (read_toml(text_of(TWO, '"1..4"', text), "mine.toml") for text in (named, placed))
    assert isinstance(one.model, Csp)
    assert isinstance(other.model, Csp)
    assert (one.model.constraints, one.model.domains) == (other.model.constraints, other.model.domains)
    assert (one.model.objective, one.generators) == (other.model.objective, other.generators)


class TestValues:
    @pytest.mark.parametrize(
        ("values", "numbers", "symbols"),
        [
            ('"1..9"', tuple(range(1, 10)), "123456789"),
            ('"0..12"', tuple(range(13)), "0123456789abc"),
            ("[8, 1, 4]", (1, 4, 8), "148"),
            ('"60..61"', (60, 61), "YZ"),
            ('"61..62"', (61, 62), SYMBOLS),
            ('"A..D"', (0, 1, 2, 3), "ABCD"),
            ('"-*"', (0, 1), "-*"),
            ('"10"', (0, 1), "01"),
            ('"zyx"', (0, 1, 2), "zyx"),
            ('"b-a"', (0, 1, 2), "b-a"),
            ('"123#"', (0, 1, 2, 3), "#123"),
            ('"3x1y-"', (0, 1, 2, 3, 4), "x1y3-"),
            ('"1abcdefghijk0"', tuple(range(13)), "01abcdefghijk"),
        ],
    )
    def test_numbers_and_their_characters(self, values: str, numbers: Row, symbols: str) -> None:
        puzzle = read_toml(text_of("..", values, ""), "mine.toml")
        assert isinstance(puzzle.model, Csp)
        assert (puzzle.model.values, puzzle.symbols) == (numbers, symbols)

    def test_values_that_no_cell_can_have_are_no_values_of_the_model(self) -> None:
        puzzle = read_toml(text_of("24", '"1..9"', ""), "mine.toml")
        assert puzzle.symbols == "24"

    def test_many_values(self) -> None:
        text = text_of(".....", '"1..200"', '[[compare]]\ncells = "0,0 0,1 >= 399"')
        assert len(model_of(text).values) == 200

    def test_numbers_below_zero_have_no_characters(self) -> None:
        assert fillings(text_of("..", '"-1..1"', '[[compare]]\ncells = "0,0 0,1 = -2"')) == {(-1, -1)}


class TestNamedBoards:
    def test_a_name_stands_for_a_drawing(self) -> None:
        assert model_of(text_of("rectangle 2 3", '"12"', "")) == model_of(text_of("...\n...", '"12"', ""))
        assert model_of(text_of("triangle 2", '"12"', "")).names == ("0,0", "1,0", "1,1")

    def test_drawings_lie_on_it(self) -> None:
        model = model_of(text_of("rectangle 2 2", '"12"', 'given = "1.\\n.2"'))
        assert model.domains == ((1,), (1, 2), (1, 2), (2,))

    def test_a_text_of_values_is_a_drawing(self) -> None:
        assert len(model_of(text_of("abba", '"ab"', "")).names) == 4


class TestSmallModels:
    """Clauses become few constraints of a kind that engines are good at."""

    def test_pairs_that_a_pattern_meets_twice_are_there_once(self) -> None:
        text = text_of(TWO, '"1..4"', '[[different]]\npattern = "##"\norientations = "all"')
        assert model_of(text).constraints == tuple(AllDifferent(p) for p in ((0, 1), (2, 3), (0, 2), (1, 3)))

    def test_counts_of_one_value(self) -> None:
        text = text_of(TWO, '"-*"', '[[count]]\nvalue = "*"\ntimes = 1\nregions = "rows"')
        assert model_of(text).constraints == tuple(
            GlobalCardinality(row, ((1, 1, 1),)) for row in ((0, 1), (2, 3))
        )


class TestBounds:
    def test_huge_boards(self) -> None:
        board = "\n".join(["." * 100] * 50)
        assert "more than the 4096 cells" in complaint_about(text_of(board, '"01"', ""))

    def test_differences_of_values_far_apart(self) -> None:
        clause = '[[different]]\nregions = "rows"\nof = "differences"'
        assert "the values span 100000" in complaint_about(text_of("...", "[0, 100000]", clause))

    @pytest.mark.parametrize(
        ("side", "values", "clause", "complaint"),
        [
            (60, '"01"', '[[different]]\nregions = "rows"\nof = "words"', "more than the 65536 variables"),
            (30, '"1..1024"', '[[different]]\nregions = "rows"\napart = 2', "entries of tables"),
            (30, '"1..1024"', '[[different]]\nregions = "rows"\nof = "distances"', "entries of tables"),
            (9, '"1..1024"', f'[[lines]]\nclue = "visible"\nleft = "{"9," * 8}9"', "entries of tables"),
            (60, '"01"', '[[avoid]]\npattern = """\n==\n=="""\nstretch = "freely"', "the pattern would have"),
        ],
    )
    def test_what_would_take_too_much_memory(
        self, side: int, values: str, clause: str, complaint: str
    ) -> None:
        board = "\n".join(["." * side] * side)
        assert complaint in complaint_about(text_of(board, values, clause))

    def test_products_of_many_cells(self) -> None:
        text = text_of("....", '"1..9"', f'[[cage]]\nregions = "AAAA"\nA = "product {9**4}"')
        assert fillings(text) == {(9, 9, 9, 9)}
        assert prod((9, 9, 9, 9)) == 9**4


class TestHidden:
    """Of the sums a + b = c + d only a and c are shown, so that their clues and drawings are those of two cells."""

    TEXT = text_of(
        "..\n..",
        '"0..2"',
        'hidden = "others"\n[[compare]]\ncells = """\n0,0 + 0,1 = 1,0 + 1,1\n0,0 < 1,0\n0,0 < 0,1"""\n'
        '[[different]]\nregions = "rows"\n[[cage]]\nregions = "others"\nk = "even"\n'
        '[regions]\nothers = """\n.k\n.k"""',
    )

    def test_solutions_that_differ_only_there_are_one(self) -> None:
        rows = product(range(3), repeat=4)
        shown = {
            (a, c)
            for a, b, c, d in rows
            if a + b == c + d and a < c and a < b and a != b and c != d and b % 2 == d % 2 == 0
        }
        puzzle = read_toml(self.TEXT, "mine.toml")
        assert set(rk.solve(puzzle, up_to="none")) == shown
        for engine in ("csp", "csp-plain"):
            assert rk.count(puzzle, up_to="none", engine=engine).total == len(shown)
        assert rk.verify(puzzle, next(iter(shown))) == []

    def test_hidden_arrows_are_not_turned(self) -> None:
        """Of two arrows that may leave the board and point at each other only if loops are allowed, one is shown."""
        text = text_of("..", '"\u2190\u2192"', 'hidden = ".x"\n[[arrows]]\nleave = true\nloops = false')
        assert rk.count(read_toml(text, "mine.toml")).total == 2

    def test_a_solution_with_many_hidden_cells_is_verified(self) -> None:
        """Numbers of cells that nothing requires are not guessed before the cells that they count."""
        path = EXAMPLES / "tents.toml"
        puzzle = read_toml(path.read_text(encoding="utf-8"), "tents.toml")
        row = next(rk.solve(puzzle, up_to="none"))
        assert rk.verify(puzzle, row) == []
        assert rk.verify(puzzle, row[::-1]) != []

    def test_drawings_show_the_others(self) -> None:
        puzzle = read_toml(self.TEXT, "mine.toml")
        row = next(rk.solve(puzzle, up_to="none"))
        assert len(rk.board(puzzle, row).splitlines()) == 2
        assert isinstance(puzzle.picture, Clues)
        assert (puzzle.picture.signs, puzzle.picture.cages) == (((0, 1, "<"),), ())
        rk.svg(puzzle, row)

    @pytest.mark.parametrize(
        ("key", "complaint"),
        [
            ('hidden = "hh"', "5:10: all cells are hidden; draw"),
            ('hidden = ".xx"', '5:13: "x" is not on the board'),
            (
                'hidden = "h."\nsymmetry = "board"',
                "6:1: with hidden cells the symmetry is found in the rules",
            ),
        ],
    )
    def test_complaints_say_where_and_what(self, key: str, complaint: str) -> None:
        check_complaint(f'kind = "grid"\nvalues = "01"\nboard = ".."\n\n{key}', complaint)
