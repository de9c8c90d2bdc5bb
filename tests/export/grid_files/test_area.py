"""`[[area]]`: areas of cells side by side, and how many cells they have."""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Iterable
from itertools import combinations, product

import pytest

import rekkyo as rk
from rekkyo.export.puzzle_toml.reader import read_toml
from tests import naive_puzzles
from tests.export.grid_files.asking import (
    HEAD,
    THREE,
    TWO,
    Case,
    Holds,
    Row,
    check_complaint,
    check_meaning,
    fillings,
    text_of,
)

Square = tuple[int, int]
FOUR_BY_THREE = "...\n...\n...\n..."


def areas(
    row: Row, n_columns: int, values: tuple[int, ...], *, apart: bool = True
) -> list[tuple[int, set[Square]]]:
    """Areas of cells with one of the values, each with its value. apart: different values make different areas."""
    value_at = {divmod(cell, n_columns): value for cell, value in enumerate(row) if value in values}
    found = []
    while value_at:
        start, value = next(iter(value_at.items()))
        area, new = set(), {start}
        while new:
            area |= new
            near = {square for here in new for square in naive_puzzles.beside(here)} - area
            new = {s for s in near if s in value_at and (not apart or value_at[s] == value)}
        for square in area:
            del value_at[square]
        found.append((value, area))
    return found


def fit_clues(
    row: Row,
    n_columns: int,
    values: tuple[int, ...],
    clues: dict[Square, int | None],
    times: Collection[int] = (1,),
    *,
    apart: bool = False,
) -> bool:
    """Each area has so many clues, and each clue an area. apart: different values make different areas."""
    found = [area for _, area in areas(row, n_columns, values, apart=apart)]
    sizes_fit = all(
        len(area & clues.keys()) in times
        and all(clues[square] in (None, len(area)) for square in area & clues.keys())
        for area in found
    )
    return sizes_fit and clues.keys() <= set[Square]().union(*found)


def beside_clues(row: Row, n_columns: int, values: tuple[int, ...], clues: dict[Square, int]) -> bool:
    """A clue is in no area, and the areas beside it have so many cells."""
    found = [area for _, area in areas(row, n_columns, values, apart=False)]
    return all(
        not any(clue in area for area in found)
        and sum(len(area) for area in found if not area.isdisjoint(naive_puzzles.beside(clue))) == size
        for clue, size in clues.items()
    )


def form(area: Iterable[Square]) -> tuple[Square, ...]:
    """The same for an area however it is turned and turned over."""
    turns = [list(area)]
    for _ in range(3):
        turns.append([(column, -row) for row, column in turns[-1]])
    turns += [[(row, -column) for row, column in turned] for turned in turns]
    corners = [tuple(map(min, zip(*turned, strict=True))) for turned in turns]
    return min(
        tuple(sorted((row - top, column - left) for row, column in turned))
        for turned, (top, left) in zip(turns, corners, strict=True)
    )


def forms(row: Row, n_columns: int, values: tuple[int, ...]) -> Counter[str]:
    """How many areas are a domino (D), a straight (I) or bent (V) tromino, or something else (?)."""
    return Counter(NAMES.get(form(area), "?") for _, area in areas(row, n_columns, values))


NAMES = {
    form([(0, 0), (0, 1)]): "D",
    form([(0, 0), (0, 1), (0, 2)]): "I",
    form([(0, 0), (0, 1), (1, 0)]): "V",
}

MEANINGS: list[Case] = [
    (
        "...\n...",
        '"1..4"',
        '[[area]]\nsize = "value"',
        lambda r: all(v == len(a) for v, a in areas(r, 3, (1, 2, 3, 4))),
    ),
    (
        THREE,
        '"01"',
        "[[area]]\nvalue = 1\nsize = [2, 3]",
        lambda r: all(2 <= len(a) <= 3 for _, a in areas(r, 3, (1,))),
    ),
    (
        THREE,
        '"01"',
        '[[area]]\nvalue = 1\nsize = "2..3"',
        lambda r: all(2 <= len(a) <= 3 for _, a in areas(r, 3, (1,))),
    ),
    (
        THREE,
        '"01"',
        '[[area]]\nvalue = 1\nsize = "at most 2"',
        lambda r: all(len(a) <= 2 for _, a in areas(r, 3, (1,))),
    ),
    (
        THREE,
        '"01"',
        '[[area]]\nsize = [3, "any"]',
        lambda r: all(len(a) >= 3 for _, a in areas(r, 3, (0, 1))),
    ),
    (
        TWO,
        '"abc"',
        '[[area]]\nvalue = "bc"\nsize = 2',
        lambda r: all(len(a) == 2 for _, a in areas(r, 2, (1, 2))),
    ),
    (
        TWO,
        '"-123"',
        '[[area]]\nvalue = "23"\nsize = 1',
        lambda r: all(len(a) == 1 for _, a in areas(r, 2, (2, 3))),
    ),
    (
        THREE,
        '"-#"',
        '[[area]]\nvalue = "#"\nclues = """\n3..\n...\n..2"""',
        lambda r: fit_clues(r, 3, (1,), {(0, 0): 3, (2, 2): 2}),
    ),
    (
        "...\n...",
        '"-12"',
        '[[area]]\nvalue = "12"\nclues = """\n?.1\n..."""',
        lambda r: fit_clues(r, 3, (1, 2), {(0, 0): None, (0, 2): 1}),
    ),
    (
        THREE,
        '"-#"',
        '[[area]]\nvalue = "#"\naround = "sides"\nclues = """\n2..\n.4.\n..."""',
        lambda r: beside_clues(r, 3, (1,), {(0, 0): 2, (1, 1): 4}),
    ),
    (
        THREE,
        '"-ab"',
        '[[area]]\nvalue = "ab"\naround = "sides"\nclues = """\n..0\n?..\n.3."""',
        lambda r: beside_clues(r, 3, (1, 2), {(0, 2): 0, (2, 1): 3}) and r[3] == 0,
    ),
    (
        FOUR_BY_THREE,
        '"-#"',
        '[[area]]\nvalue = "#"\npieces = "DD V.\\n.. VV"',
        lambda r: forms(r, 3, (1,)) == {"D": 1, "V": 1},
    ),
    (
        FOUR_BY_THREE,
        '"-#"',
        '[[area]]\nvalue = "#"\npieces = { D = "##", I = "###" }\ntimes = { D = "any", I = [0, 1] }',
        lambda r: forms(r, 3, (1,))["I"] <= 1 and forms(r, 3, (1,)).keys() <= set("DI"),
    ),
    (
        THREE,
        '"-ab"',
        '[[area]]\nvalue = "ab"\npolyforms = [2, 3]\ntimes = { "21" = 2, "*" = "at most once" }',
        lambda r: forms(r, 3, (1, 2)) in ({"D": 2}, {"D": 2, "I": 1}, {"D": 2, "V": 1}),
    ),
    (
        THREE,
        '"-a"',
        '[[area]]\nvalue = "a"\npolyforms = [1, 2]\ntimes = { "11" = 0, "21" = "at most 2" }',
        lambda r: forms(r, 3, (1,)) in ({}, {"D": 1}, {"D": 2}),
    ),
    (
        "..#\n...\n...",
        '"-x"',
        '[[area]]\nvalue = "x"\npieces = "III"\ntimes = "any"',
        lambda r: forms((*r[:2], 0, *r[2:]), 3, (1,)).keys() <= {"I"},
    ),
]

COMPLAINTS = [
    (HEAD + '[[area]]\nsize = 2\naround = "sides"', '6:1: "around" goes with "clues", the board again'),
    (
        HEAD + '[[area]]\nvalue = 1\naround = "king"\nclues = "1..."',
        '6:10: "around" is "king", which is not known; known: sides',
    ),
    (
        HEAD.replace("....", "1...") + '[[area]]\nvalue = 1\naround = "sides"\nclues = "1..."',
        "7:9: cell 0,0 has a clue, so it is not in an area; give it another value",
    ),
    (HEAD + '[[area]]\nvalue = 1\naround = "sides"\nclues = "-..."', '7:10: "-" is not a clue; write 0 to 9'),
    (HEAD + "[[area]]", '4:1: an area has "size", "clues" or "pieces"; write one of them'),
    (
        HEAD + '[[area]]\nsize = 1\nclues = "1..."',
        '4:1: an area has "size", "clues" or "pieces"; write one of them',
    ),
    (
        HEAD + "[[area]]\nsize = 1\npolyforms = 1",
        '4:1: an area has "size", "clues" or "pieces"; write one of them',
    ),
    (HEAD + "[[area]]\nsize = 1\ntimes = 1", '6:1: "times" counts areas that are "pieces", or their "clues"'),
    (
        HEAD + '[[area]]\nvalue = 1\naround = "sides"\nclues = "1..."\ntimes = 1',
        '8:1: "times" counts areas that are "pieces", or their "clues"; leave it out',
    ),
    (
        HEAD + '[[area]]\nclues = "1..."\ntimes = 2',
        '6:9: an area has its clue "once", "at most once", "at least once", "any"; write one of these',
    ),
    (
        HEAD.replace("....", "2...") + '[[area]]\nvalue = 1\nclues = "1..."\ntimes = "any"',
        "6:9: cell 0,0 has a clue, so it is in an area; give it another value",
    ),
    (HEAD + '[[area]]\npieces = "A.A"', '5:1: piece "A" is in several parts, but an area is connected'),
    (
        HEAD + '[[area]]\npieces = "A. BB\\nA. .."',
        '5:1: pieces "A" and "B" are the same when turned; draw one of them, and give "times"',
    ),
    (HEAD + '[[area]]\npieces = "AA"\ntimes = { B = 2 }', '6:11: there is no piece "B"; pieces are A'),
    (
        HEAD + '[[area]]\nvalue = 1\npieces = "AA"\ntimes = 4',
        '7:1: piece "A" has 3 places, but 4 or more are asked for; say its times, or draw a larger board',
    ),
    (HEAD + "[[area]]\npolyforms = 8", '5:13: "polyforms" says how many cells the pieces have, from 1 to 7'),
    (HEAD + '[[area]]\nsize = "many"', '5:8: "size" is 2, [1, 3], [1, "any"] or "any"'),
    (HEAD + '[[area]]\nsize = "1 3"', '5:8: "size" leaves out numbers from 1 to 3; write one range'),
    (HEAD + '[[area]]\nsize = "odd"', '5:8: "size" leaves out numbers from 1 to'),
    (HEAD + "[[area]]\nsize = [3, 2]", "5:8: 3 to 2 is an empty range; write the lesser first"),
    (HEAD + "[[area]]\nsize = 2\nvalue = 7", '6:9: "value" names values, which are 1234'),
    (
        HEAD + '[[area]]\nvalue = 1\nclues = "..0."',
        '6:12: "0" is not a clue; write 1 to 9, a for 10, "?", or "."',
    ),
    (HEAD + '[[area]]\nvalue = 1\nclues = "..5."', "6:12: 5 cells, but the board has only 4"),
    (HEAD + '[[area]]\nvalue = 1\nclues = "....1"', '6:14: "1" is not on the board'),
    (HEAD + '[[area]]\nvalue = 1\nclues = "..1.\\n.."', "6:1: the drawing has 2 lines, but the board has 1"),
    (HEAD + "[[area]]\nsizes = 1", '5:1: there is no key "sizes" in [area]'),
]


@pytest.mark.parametrize(("board", "values", "clauses", "holds"), MEANINGS)
def test_what_it_means(board: str, values: str, clauses: str, holds: Holds) -> None:
    check_meaning(board, values, clauses, holds)


@pytest.mark.parametrize(("text", "complaint"), COMPLAINTS)
def test_complaints_say_where_and_what(text: str, complaint: str) -> None:
    check_complaint(text, complaint)


@pytest.mark.parametrize(
    ("written", "times"),
    [
        ("", {1}),
        ('times = "once"', {1}),
        ('times = "at most once"', {0, 1}),
        ('times = "at least once"', range(1, 10)),
        ('times = "any"', range(10)),
    ],
)
@pytest.mark.parametrize(
    ("values", "value", "clues"),
    [
        ("-#", "#", "2..\n...\n.3."),
        ("-#", "#", "..2\n.?.\n?.."),
        ("-#", "#", "2..\n...\n..."),
        ("ab", "", "3..\n...\n6.6"),
        ("ab", "", "?..\n.4.\n..?"),
        ("-ab", "ab", "3..\n...\n3.."),
        ("abc", "", "3..\n..?\n..6"),
    ],
)
def test_numbers_of_clues_of_an_area(
    values: str, value: str, clues: str, written: str, times: Collection[int]
) -> None:
    """By all fillings. Without `value`, areas of different values are different areas."""
    marks = {(r, c): mark for r, line in enumerate(clues.split()) for c, mark in enumerate(line)}
    sizes = {square: None if mark == "?" else int(mark) for square, mark in marks.items() if mark != "."}
    numbers = tuple(map(values.index, value or values))
    clause = f'[[area]]\n{written}\nclues = """\n{clues}"""\n' + f'value = "{value}"' * bool(value)
    wanted = {
        row
        for row in product(range(len(values)), repeat=9)
        if fit_clues(row, 3, numbers, sizes, times, apart=not value)
    }
    puzzle = read_toml(text_of(THREE, f'"{values}"', clause), "mine.toml")
    assert set(rk.solve(puzzle, up_to="none")) == wanted


def test_a_clue_has_one_area() -> None:
    """There is room for an area of four cells without the clue, at most three steps from it."""
    text = text_of(
        "....\n" * 3 + "....", '"-#"', '[[area]]\nvalue = "#"\nclues = """\n....\n.4..\n....\n...."""'
    )
    fours = [tuple(int(cell in four) for cell in range(16)) for four in combinations(range(16), 4)]
    wanted = {row for row in fours if fit_clues(row, 4, (1,), {(1, 1): 4})}
    assert set(rk.solve(read_toml(text, "mine.toml"), up_to="none")) == wanted


@pytest.mark.parametrize(
    ("rows", "columns", "engine"),
    [
        *product((1, 2), (2,), ("csp", "csp-plain")),
        *product((2, 3), (3,), ("csp", "csp-plain")),
        (2, 4, "csp-plain"),
        (2, 5, "csp"),
    ],
)
def test_all_fillominoes_of_a_board(rows: int, columns: int, engine: str) -> None:
    text = f'kind = "grid"\nvalues = "1..{rows * columns}"\nboard = "rectangle {rows} {columns}"\n[[area]]\nsize = "value"'
    wanted = naive_puzzles.fillominoes(rows, columns, range(1, rows * columns + 1), {})
    assert rk.count(read_toml(text, "mine.toml"), engine=engine).total == wanted


WIKIPEDIA = """
2........2
......2...
.2..7.....
..........
......3.3.
..2....3..
2..4......
..........
.1....2.4.
"""


def test_a_published_nurikabe() -> None:
    """The example of the article "Nurikabe (puzzle)" of Wikipedia, whose solution is the only one."""
    text = f"""kind = "grid"
values = "-#"
board = "rectangle 9 10"
connected = [{{ value = "#" }}]
avoid = [{{ pattern = "##\\n##" }}]
[[area]]
value = "-"
clues = '''{WIKIPEDIA}'''"""
    puzzle = read_toml(text, "mine.toml")
    [row] = rk.solve(puzzle)
    assert row.count(0) == sum(int(mark) for mark in WIKIPEDIA if mark.isdigit())
    assert rk.verify(puzzle, row) == []


def test_the_corner_of_a_piece_may_be_a_hole_of_the_board() -> None:
    """Three cells in a corner lie in four ways on 2x2, and in one if a cell is missing, whichever that is."""
    for holes in ("..\\n.#", "..\\n#.", ".#\\n..", "#.\\n.."):
        text = f'kind = "grid"\nvalues = "-x"\nboard = "{holes}"\n[[area]]\nvalue = "x"\npieces = "LL\\nL."\n'
        assert rk.count(rk.puzzle_from_text(text)).total == 1


def test_pieces_go_around_a_torus() -> None:
    clause = '[[area]]\nvalue = "#"\npieces = "III"\n'
    ring = f'kind = "grid"\nvalues = "-#"\nboard = "....."\ntoroidal = true\n{clause}'
    assert fillings(ring) == {tuple(int((cell - start) % 5 < 3) for cell in range(5)) for start in range(5)}


def test_a_member_of_a_family_without_room_for_a_piece_counts_nothing() -> None:
    row = 'kind = "grid"\nvalues = "-#"\nboard = "rectangle 1 {n}"\n[family]\nn = "1..3"\n'
    text = row + '[[area]]\nvalue = "#"\npieces = "II"\n'
    assert [rk.count(read_toml(text, "mine.toml", values=(n,))).total for n in "123"] == [0, 1, 2]


@pytest.mark.parametrize("value", "123")
@pytest.mark.parametrize("board", ["1.\n.1", ".1\n1."])
def test_cells_that_may_not_have_the_value_of_areas_are_moved_too(board: str, value: str) -> None:
    """No area of two cells is possible. The reflection that exchanges the two other cells joins two of four fillings."""
    text = text_of(board, '"123"', f'[[area]]\nvalue = "{value}"\nsize = 2')
    counted = rk.count(rk.puzzle_from_text(text))
    assert (counted.total, counted.unique) == ((0, 0) if value == "1" else (4, 3))
