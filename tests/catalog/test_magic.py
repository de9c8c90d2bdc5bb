"""Magic squares and other figures in the catalog, figures of your own, and how they are written down."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable
from math import factorial
from typing import Any

import numpy as np
import pytest

import rekkyo as rk
from rekkyo.catalog.entry import table
from rekkyo.errors import BadInput
from rekkyo.export.read import read_row
from rekkyo.export.text import writer
from rekkyo.symmetry.group import close, order_of_generators
from tests import naive_sums
from tests.cli.test_commands import rekkyo

Row = tuple[int, ...]


def n_classes(rows: Iterable[Row], images: Callable[[Row], Iterable[Row]]) -> int:
    """Classes of rows under the maps, by flooding."""
    left, classes = set(rows), 0
    while left:
        classes += 1
        reached = [left.pop()]
        for row in reached:
            for image in images(row):
                if image in left:
                    left.remove(image)
                    reached.append(image)
    return classes


def moved(row: Row, n: int, rows: list[int], columns: list[int]) -> Row:
    return tuple(row[n * rows[r] + columns[c]] for r in range(n) for c in range(n))


def turned(row: Row, n: int) -> list[Row]:
    return [
        tuple(row[n * c + r] for r in range(n) for c in range(n)),
        tuple(row[n * (n - 1 - r) + c] for r in range(n) for c in range(n)),
    ]


def exchanged(row: Row, n: int) -> list[Row]:
    """Some row permutations that commute with reversal, applied to the columns too: generators for n = 4, 5."""
    swap_ends, swap_pairs = list(range(n)), list(range(n))
    swap_ends[0], swap_ends[-1] = n - 1, 0
    swap_pairs[0], swap_pairs[1], swap_pairs[-1], swap_pairs[-2] = 1, 0, n - 2, n - 1
    return [moved(row, n, swap_ends, swap_ends), moved(row, n, swap_pairs, swap_pairs)]


def complemented(row: Row) -> Row:
    return tuple(len(row) - 1 - value for value in row)


SQUARES_OF_4 = "magic-square 4"


@pytest.fixture(scope="module")
def order_4() -> list[Row]:
    return list(rk.solve(rk.puzzle(SQUARES_OF_4)))


@pytest.mark.parametrize(
    ("up_to", "more"),
    [
        ("symmetry", lambda row: []),
        ("exchanges", lambda row: exchanged(row, 4)),
        ("complement", lambda row: [complemented(row)]),
        ("exchanges,complement", lambda row: [*exchanged(row, 4), complemented(row)]),
    ],
)
def test_classes_of_order_4_by_flooding(
    order_4: list[Row], up_to: str, more: Callable[[Row], list[Row]]
) -> None:
    classes = n_classes(order_4, lambda row: [*turned(row, 4), *more(row)])
    assert rk.count(rk.puzzle(SQUARES_OF_4), up_to=up_to).unique == classes


def group_of_order_4() -> list[Callable[[Row], Row]]:
    """The 64 maps that turns, exchanges and the complement generate, as one map for each image of a row."""
    start = tuple(range(16))
    places = {start}
    reached = [start]
    for row in reached:
        for image in (*turned(row, 4), *exchanged(row, 4)):
            if image not in places:
                places.add(image)
                reached.append(image)
    plain: list[Callable[[Row], Row]] = [lambda row, at=at: tuple(row[p] for p in at) for at in places]
    return plain + [lambda row, move=move: complemented(move(row)) for move in plain]


@pytest.mark.parametrize(
    "given", ["4@0,0 13@1,2", "4@0,0 13@2,1", "4@0,3 13@1,1", "4@0,3 13@2,2", "1@0,0 16@3,3", "7@1,1"]
)
def test_joined_words_keep_given_numbers_that_neither_word_keeps(order_4: list[Row], given: str) -> None:
    pairs = [(int(number) - 1, 4 * int(r) + int(c)) for number, r, c in re.findall(r"(\d+)@(\d),(\d)", given)]
    rows = [row for row in order_4 if all(row[cell] == value for value, cell in pairs)]
    marked = tuple({cell: value for value, cell in pairs}.get(cell, 7.5) for cell in range(16))
    keeping = [move for move in group_of_order_4() if move(marked) == marked]  # type: ignore[arg-type]
    words = [SQUARES_OF_4, *(f"--given {pair}" for pair in given.split())]
    found = rk.count(rk.puzzle(" ".join(words)), up_to="exchanges,complement")
    assert found.total == len(rows) > 0
    assert found.unique == n_classes(rows, lambda row: [move(row) for move in keeping])


def test_220_classes_under_exchanges() -> None:
    """Each class holds 32 squares, so 880 / 4."""
    assert rk.count(rk.puzzle(SQUARES_OF_4), up_to="exchanges").unique == 220


def test_144_classes_of_pandiagonal_squares_under_shifts() -> None:
    """25 shifts: 3600 / 25."""
    assert rk.count(rk.puzzle("pandiagonal-square 5"), up_to="shifts").unique == 144


def test_semimagic_squares_of_order_4_in_477_classes() -> None:
    """All permutations of rows and columns, and transposition: 1152 in a class."""
    count = rk.count(rk.puzzle("semimagic-square 4"), up_to="exchanges")
    assert (count.total, count.unique) == (549504, 477)


def test_a_number_that_is_given_twice_is_named_once() -> None:
    puzzle = rk.puzzle("magic-square 3 --given 2@corner --given 2@0,0")
    assert puzzle == rk.puzzle("magic-square 3 --given 2@0,0")


def test_given_numbers_are_kept_by_some_of_28800_exchanges() -> None:
    """Of a square with three rows given only the other two rows can be exchanged."""
    square = next(rk.solve(rk.puzzle("semimagic-square 5")))
    words = [f"--given {number + 1}@{cell // 5},{cell % 5}" for cell, number in enumerate(square[:15])]
    p = rk.puzzle(" ".join(["semimagic-square 5", *words]))
    rows = list(rk.solve(p))
    count = rk.count(p, up_to="exchanges")
    assert count.total == len(rows) > 0
    assert count.unique == n_classes(rows, lambda row: [row[:15] + row[20:] + row[15:20]]) == len(rows) / 2


def test_given_numbers_are_kept_by_a_part_of_a_group_that_nobody_could_list() -> None:
    p = rk.puzzle("semimagic-square 8 --given 1@0,0 --given 64@7,7")
    orders = [order_of_generators(p.model.row_shape, kind.generators) for kind in p.further]
    # The transposition, and the half turn with the complement; exchanges of six rows and of six columns.
    assert orders == [4, 2 * factorial(6) ** 2, 4 * factorial(6) ** 2]


@pytest.mark.parametrize(("n", "order"), [(4, 4), (5, 4), (6, 24)])
def test_exchanges_multiply_the_eight_symmetries(n: int, order: int) -> None:
    """By 2^h h! / 2 with h half the order, because the reversal is a half turn."""
    p = rk.puzzle(f"magic-square {n}")
    assert close(p.model.row_shape, p.generators_up_to("exchanges") or ()).order == 8 * order


@pytest.mark.parametrize(
    ("words", "order"),
    [
        ("magic-square 1", 1),
        ("magic-square 3", 8),
        ("semimagic-square 4", 8),
        ("pandiagonal-square 5", 8),
        ("associative-square 4", 8),
        ("magic-star 5", 10),
        ("magic-star 8", 16),
        ("magic-hexagon 3", 12),
        ("magic-cube 3", 48),
        ("magic-square 5 --given 13@centre", 8),
        ("magic-square 5 --given 1@corner", 2),
        ("magic-square 5 --given 1@0,1", 1),
        ("magic-hexagon 3 --given 5@centre", 12),
        ("magic-star 6 --given 3@point,0", 2),
        ("magic-cube 3 --given 1@corner --given 14@centre", 6),
    ],
)
def test_symmetry_is_the_geometry_that_keeps_given_numbers(words: str, order: int) -> None:
    p = rk.puzzle(words)
    assert close(p.model.row_shape, p.generators).order == order
    assert rk.puzzle(p.name) == p


def test_a_half_turn_with_the_complement_may_keep_given_numbers_where_neither_does_alone() -> None:
    p = rk.puzzle("magic-square 4 --given 1@0,0 --given 16@3,3")
    assert close(p.model.row_shape, p.generators).order == 2
    assert close(p.model.row_shape, p.generators_up_to("complement") or ()).order == 4


def test_given_numbers_take_part_of_the_solutions(order_4: list[Row]) -> None:
    with_one = [row for row in order_4 if row[0] == 0 and row[6] == 6]
    assert len(with_one) > 0
    assert sorted(rk.solve(rk.puzzle("magic-square 4 --given 1@0,0 --given 7@1,2"))) == sorted(with_one)


@pytest.mark.parametrize(
    "words", ["magic-square", "semimagic-square", "pandiagonal-square", "associative-square"]
)
@pytest.mark.parametrize("n", [1, 2, 3])
def test_small_squares_agree_with_the_definition(words: str, n: int) -> None:
    lines: list[Any] = naive_sums.square_lines(n, diagonals=words != "semimagic-square")
    if words == "pandiagonal-square":
        lines += [([n * k + (k + s) % n for k in range(n)], None) for s in range(n)]
        lines += [([n * k + (s - k) % n for k in range(n)], None) for s in range(n)]
    rows = naive_sums.figure_solutions(n * n, range(1, n * n + 1), lines)
    if words == "associative-square":
        rows = [row for row in rows if all(row[c] + row[-1 - c] == n * n - 1 for c in range(n * n))]
    assert sorted(rk.solve(rk.puzzle(f"{words} {n}"))) == rows


def test_the_compact_form_is_that_of_the_published_lists() -> None:
    """Numbers 1 to 9, then a for 10: the first square of a public list of order 5, and the numbers it stands for."""
    p = rk.puzzle("magic-square 5")
    numbers = [13, 20, 7, 19, 6, 3, 16, 24, 5, 17, 14, 9, 11, 8, 23, 10, 18, 1, 21, 15, 25, 2, 22, 12, 4]
    row = read_row(p, "dk7j63go5he9b8nai1lfp2mc4")
    assert [value + 1 for value in row] == numbers
    assert rk.verify(p, row) == []
    assert writer("compact", p)(np.array([row], dtype=np.uint8)) == b"dk7j63go5he9b8nai1lfp2mc4\n"


BOARDS = {
    "magic-square 3": "2 7 6\n9 5 1\n4 3 8",
    "magic-hexagon 3": "    3 17 18\n 19  7  1 11\n16  2  5  6  9\n 12  4  8 14\n   10 13 15",
    "magic-cube 3": " 1 15 26   23  7 12   18 20  4\n17 19  6    3 14 25   22  9 11\n24  8 10 ",
    "magic-star 6": "point,0 inner,5 inner,0 point,2:  1 12 10  3\npoint,1 inner,0 inner,1 point,3:",
}


@pytest.mark.parametrize("words", BOARDS)
def test_boards(words: str) -> None:
    p = rk.puzzle(words)
    assert rk.board(p, min(rk.solve(p))).startswith(BOARDS[words])


def test_every_line_of_the_data_has_a_source_and_fits_the_catalog() -> None:
    for (puzzle, parameter), counts in table("magic").items():
        assert counts.source
        assert rk.puzzle(f"{puzzle} {parameter}").published == counts


@pytest.mark.parametrize(
    ("words", "complaint"),
    [
        ("magic-square 0", 'magic-square: N must be a whole number from 1 to 8, not "0"'),
        ("magic-square 1000", 'magic-square: N must be a whole number from 1 to 8, not "1000"'),
        ("magic-square -4", 'magic-square: N must be a whole number from 1 to 8, not "-4"'),
        ("magic-square", "magic-square: N is missing (the order: cells in a row); usage: magic-square N"),
        ("magic-star 4", 'magic-star: N must be a whole number from 5 to 32, not "4"'),
        ("magic-hexagon 6", 'magic-hexagon: N must be a whole number from 1 to 5, not "6"'),
        ("magic-cube 5", 'magic-cube: N must be a whole number from 1 to 4, not "5"'),
        ("magic-square 4 --given", "magic-square: --given needs a value: --given NUMBER@CELL"),
        ("magic-square 4 --given 7", 'a given number is written NUMBER@CELL, such as 7@0,3; not "7"'),
        ("magic-square 4 --given x@0,0", 'a given number is written NUMBER@CELL, such as 7@0,3; not "x@0,0"'),
        ("magic-square 4 --given 7@", 'a given number is written NUMBER@CELL, such as 7@0,3; not "7@"'),
        (
            "magic-square 4 --given 7@4,0",
            'magic-square 4: there is no cell "4,0"; cells are named such as 0,0, 0,1, corner',
        ),
        (
            "magic-square 4 --given 7@centre",
            'magic-square 4: there is no cell "centre"; cells are named such as 0,0, 0,1, corner',
        ),
        (
            "magic-square 4 --given 17@0,0",
            "sum figure: a given number in cell 0,0 is among 1 to 16, not 17",
        ),
        ("magic-square 4 --given 1@0,0 --given 2@0,0", "sum figure: cell 0,0 is given both 1 and 2"),
        (
            "magic-square 4 --given 1@0,0 --given 1@1,0",
            "sum figure: number 1 is given in two cells, 0,0 and 1,0",
        ),
    ],
)
def test_bad_words_are_refused_in_one_line(words: str, complaint: str) -> None:
    with pytest.raises(BadInput) as refusal:
        rk.puzzle(words)
    assert str(refusal.value) == complaint


class TestOwn:
    SIDES = "a b c, c d e, e f a"

    def test_lines_orders_and_sums_are_written_down(self) -> None:
        model = rk.sum_figure("a b c\nc d e = 9, a < d < b", range(7)).model
        assert model.cells == ("a", "b", "c", "d", "e")
        assert model.lines == (rk.Line((0, 1, 2)), rk.Line((2, 3, 4), 9))
        assert model.orders == ((0, 3), (3, 1))
        assert model.numbers == tuple(range(7))

    @pytest.mark.parametrize("end", ["\n", "\r\n", "\r"])
    def test_line_ends_separate_lines(self, end: str) -> None:
        assert rk.sum_figure(f"a b{end}c d").model.lines == (rk.Line((0, 1)), rk.Line((2, 3)))

    def test_counts_agree_with_brute_force(self) -> None:
        p = rk.sum_figure(self.SIDES, symmetry=["c d e f a b", "c b a f e d"])
        lines = [([0, 1, 2], None), ([2, 3, 4], None), ([4, 5, 0], None)]
        count = rk.count(p)
        assert count.total == len(naive_sums.figure_solutions(6, range(1, 7), lines)) == 24
        assert count.unique == 4
        assert rk.count(p, engine="sum-cells").unique == 4
        assert rk.count(p, up_to="complement").unique == 2

    def test_given_numbers_by_name(self) -> None:
        everything = sorted(rk.solve(rk.sum_figure(self.SIDES)))
        p = rk.sum_figure(self.SIDES, given={"a": 1, "d": 2})
        assert sorted(rk.solve(p)) == [row for row in everything if row[0] == 0 and row[3] == 1]

    def test_given_numbers_that_no_symmetry_keeps(self) -> None:
        p = rk.sum_figure(self.SIDES, symmetry=["c d e f a b", "c b a f e d"], given={"a": 1, "b": 6})
        count = rk.count(p)
        assert count.total == count.unique == 2
        assert rk.count(rk.sum_figure(self.SIDES, given={"a": 1, "b": 6})).unique is None

    def test_one_of_eight_exchanged_cells_is_given(self) -> None:
        moves = ["b a c d e f g h", "b c d e f g h a"]
        p = rk.sum_figure("a b c d e f g h", symmetry=moves, given={"a": 1})
        count = rk.count(p)
        assert (count.total, count.unique) == (5040, 1)

    def test_the_complement_is_offered_only_where_it_is_a_symmetry(self) -> None:
        def words(*arguments: Any) -> list[str]:
            return [kind.word for kind in rk.sum_figure(*arguments).further]

        assert words(self.SIDES) == ["complement"]
        assert words("a b = 5, c d", range(1, 5)) == ["complement"]
        assert words("a b = 4, c d", range(1, 5)) == []
        assert words("a b c, c d") == []
        assert words("a b, b c, a < c") == []
        assert words("a b, b c", (1, 2, 4)) == []

    @pytest.mark.parametrize(
        ("arguments", "complaint"),
        [
            (("",), "sum figure: 1 to 128 cells, not 0"),
            (("a < b",), "sum figure: there is no line; name the cells of at least one"),
            (("a b a",), "sum figure: line 1 names cell a twice"),
            (
                ("a b = x",),
                'sum figure: "a b = x" does not end with a whole number after "="; write a b = 10',
            ),
            (
                (f"a b = {'9' * 21}",),
                f"sum figure: a sum is a whole number from -128000000000 to 128000000000, not {'9' * 21}",
            ),
            (
                ("a b, a < b c",),
                'sum figure: "a < b c" is not an order; write it as a < b, one cell on each side',
            ),
            (("a b", [1, 1]), "sum figure: number 1 appears twice; all numbers must differ"),
            (("a b", [1]), "sum figure: 2 cells cannot be filled with 1 number"),
        ],
    )
    def test_bad_figures(self, arguments: tuple[Any, ...], complaint: str) -> None:
        with pytest.raises(BadInput) as refusal:
            rk.sum_figure(*arguments)
        assert str(refusal.value) == complaint

    def test_a_symmetry_is_not_one_text(self) -> None:
        with pytest.raises(
            BadInput, match=r"sum figure: symmetry is a list of texts, such as \['b a'\], not 'b a'"
        ):
            rk.sum_figure("a b", symmetry="b a")

    @pytest.mark.parametrize(
        ("line", "word"),
        [
            ("a + b = 9", "+"),
            ("a+b = 9", "a+b"),
            ("a * b = 12", "*"),
            ("c - d = 1", "-"),
            ("c-d = 1", "c-d"),
            ("2(a b) = 9", "2(a"),
            ("(a b) = 9", "(a"),
            ("a b) = 9", "b)"),
            ("c -d = 1", "-d"),
            ("a^2 b^2 = 5", "a^2"),
            ("a² b² = 5", "a²"),
            ("a / b = 5", "/"),
            ("a b != 5", "!"),
            ("a > b", ">"),
        ],
    )
    def test_arithmetic_is_no_cell(self, line: str, word: str) -> None:
        with pytest.raises(BadInput) as refusal:
            rk.sum_figure(f"x y, {line}")
        assert str(refusal.value) == (
            f'sum figure: "{word}" cannot name a cell; a line is the sum of its cells, written a b = 10,'
            " without other signs, powers or factors"
        )

    @pytest.mark.parametrize("line", ["2a b = 7", "b < 2a"])
    def test_a_factor_is_no_part_of_a_name(self, line: str) -> None:
        with pytest.raises(BadInput) as refusal:
            rk.sum_figure(f"a b, {line}")
        assert str(refusal.value) == (
            'sum figure: "2a" looks like 2 times a, but a line has no factors; name the cell a2'
        )

    @pytest.mark.parametrize(
        "name", ["a2", "1", "17", "top-left", "a'", "r1c2", "x_1", "β", "(1)", "1:2", "1-2"]
    )
    def test_other_words_name_cells(self, name: str) -> None:
        assert rk.sum_figure(f"{name} b = 3").model.cells == (name, "b")

    @pytest.mark.parametrize(
        ("move", "complaint"),
        [
            ("b a", 'the symmetry "b a" must name every cell once, in place of "a b c"'),
            ("b c a", 'the symmetry "b c a" does not keep its lines and orders'),
        ],
    )
    def test_what_is_no_symmetry(self, move: str, complaint: str) -> None:
        with pytest.raises(BadInput) as refusal:
            rk.sum_figure("a b = 4, b c", symmetry=[move])
        assert str(refusal.value) == f"sum figure: {complaint}"

    def test_unknown_cells_of_given_numbers(self) -> None:
        with pytest.raises(BadInput, match='sum-figure: there is no cell "z"; cells are named such as a, b'):
            rk.sum_figure("a b", given={"z": 1})


class TestCommandLine:
    def test_an_obstacle_is_said(self) -> None:
        done = rekkyo("count", "magic-hexagon", "2")
        assert done.stdout == "total 0, unique 0 up to rotation and reflection\n"
        assert "no solution, because the common sum would have to be 28/3, which is not whole" in done.stderr

    def test_compact_lines_go_round(self) -> None:
        squares = rekkyo("solve", "magic-square", "3", "--format", "compact").stdout
        assert min(squares.split()) == "276951438"
        done = rekkyo("verify", "magic-square", "3", given=squares)
        assert done.stdout == "8 solutions checked: all valid, all different\n"

    def test_information_names_what_counts_on_demand(self) -> None:
        text = rekkyo("info", "magic-square", "5").stdout
        assert "--up-to complement: also 26 - x in place of every number x" in text
        assert "published: total 2202441792, unique 275305224 (OEIS A006052)" in text
