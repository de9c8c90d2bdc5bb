"""`[[see]]`: what pieces see."""

from __future__ import annotations

from functools import cache
from itertools import combinations, product

import pytest

import rekkyo as rk
from rekkyo.export.puzzle_toml.reader import read_toml
from tests.export.grid_files.asking import (
    HEAD,
    Case,
    Holds,
    Row,
    check_complaint,
    check_meaning,
    text_of,
)

SEEN_BOARD = ((0, 0), (0, 1), (0, 2), (0, 3), (1, 0), (1, 2), (1, 3), (2, 0), (2, 1), (2, 2))


def seen_from(row: Row, cell: int, piece: str) -> Row:
    """The values of the cells that a piece on a cell of SEEN_BOARD can move to."""
    return tuple(row[seen] for seen in seen_cells(cell, piece))


@cache
def seen_cells(cell: int, piece: str) -> list[int]:
    a, b = SEEN_BOARD[cell]
    found = []
    for seen, (c, d) in enumerate(SEEN_BOARD):
        down, across = abs(a - c), abs(b - d)
        n = max(down, across)
        between = [(a + (c - a) * k // max(n, 1), b + (d - b) * k // max(n, 1)) for k in range(1, n)]
        straight, diagonal = 0 in (down, across), down == across
        is_open = all(square in SEEN_BOARD for square in between)
        reaches = {
            "queen": (straight or diagonal) and is_open,
            "rook": straight and is_open,
            "bishop": diagonal and is_open,
            "king": n == 1,
            "knight": {down, across} == {1, 2},
            "sides": n == 1 and straight,
            "corners": n == 1 and diagonal,
        }
        if n and reaches[piece]:
            found.append(seen)
    return found


def beside(row: Row, cell: int) -> list[int]:
    """What a cell of a board of three lines of two sees at its sides."""
    return [row[k] for k in range(6) if abs(k // 2 - cell // 2) + abs(k % 2 - cell % 2) == 1]


TEE = ((0, 0), (0, 1), (0, 2), (0, 3), (1, 1), (1, 3), (2, 1))
TEE_DRAWN = "....\n#.#.\n#.##"
STRAIGHT = ((-1, 0), (1, 0), (0, -1), (0, 1))


def seen_until(row: Row, cell: int, stop: str, steps: tuple[tuple[int, int], ...] = STRAIGHT) -> list[int]:
    """The values in the lines from a cell of TEE, each up to the first of the values of `stop`."""
    found = []
    for down, across in steps:
        a, b = TEE[cell]
        while (a + down, b + across) in TEE:
            a, b = a + down, b + across
            found.append(row[TEE.index((a, b))])
            if str(found[-1]) in stop:
                break
    return found


STOPPED: list[Case] = [
    (
        TEE_DRAWN,
        '"012"',
        '[[see]]\nvalue = 1\nmoves = "rook"\nitself = false\nstop = 2\ntimes = [1, 2]',
        lambda r: all(1 <= seen_until(r, cell, "2").count(1) <= 2 for cell in range(7)),
    ),
    (
        TEE_DRAWN,
        '"012"',
        '[[see]]\nvalue = "12"\nfrom = "02"\nmoves = "rook"\nitself = false\nstop = "12"',
        lambda r: all(r[cell] == 1 or set(seen_until(r, cell, "12")) & {1, 2} for cell in range(7)),
    ),
    (
        TEE_DRAWN,
        '"012"',
        '[[see]]\nvalue = "02"\nfrom = 1\nmoves = "rook"\nitself = false\nstop = 1',
        lambda r: all(r[cell] != 1 or set(seen_until(r, cell, "1")) & {0, 2} for cell in range(7)),
    ),
    (
        "...",
        '"012"',
        '[[see]]\nvalue = "12"\nmoves = "rook"\nitself = false\nstop = 2\ncells = "0,0"\ntimes = 2',
        lambda r: r[1] == 1 and r[2] != 0,
    ),
    (
        TEE_DRAWN,
        '"012"',
        '[[see]]\nvalue = 2\nfrom = 2\nmoves = "queen"\nitself = false\nstop = "12"\ntimes = 0',
        lambda r: all(
            r[cell] != 2 or 2 not in seen_until(r, cell, "12", (*STRAIGHT, *product((-1, 1), repeat=2)))
            for cell in range(7)
        ),
    ),
    (
        TEE_DRAWN,
        '"012"',
        '[[see]]\nvalue = 0\nmoves = "rook"\nstop = 1\ntimes = 0\ncells = "1,1 0,3"',
        lambda r: all(r[c] == 1 or (r[c] == 2 and 0 not in seen_until(r, c, "1")) for c in (3, 4)),
    ),
    (
        TEE_DRAWN,
        '"012"',
        '[[see]]\nvalue = "02"\nmoves = "rook"\nstop = 1\nclues = """\n2..2\n#.#.\n#3##"""',
        lambda r: all(
            r[cell] != 1 and 1 + sum(v != 1 for v in seen_until(r, cell, "1")) == clue
            for cell, clue in ((0, 2), (3, 2), (6, 3))
        ),
    ),
    (
        TEE_DRAWN,
        '"012"',
        '[[see]]\nvalue = "12"\nmoves = "rook"\nstop = "12"\ntimes = "odd"',
        lambda r: all(
            r[cell] > 0 or sum(v > 0 for v in seen_until(r, cell, "12")) % 2 == 1 for cell in range(7)
        ),
    ),
    (
        TEE_DRAWN,
        '"012"',
        '[[see]]\nplus = 1\nmoves = "bishop"\nitself = false\nstop = 0\ntimes = [0, 1]',
        lambda r: all(
            r[cell] == 2
            or seen_until(r, cell, "0", tuple(product((-1, 1), repeat=2))).count(r[cell] + 1) <= 1
            for cell in range(7)
        ),
    ),
]

AS_VALUE: list[Case] = [
    (
        "....\n.#..\n...#",
        '"01"',
        '[[see]]\nvalue = 1\nfrom = 1\nmoves = "corners"\nitself = false\ntimes = 0',
        lambda r: all(not r[cell] or 1 not in seen_from(r, cell, "corners") for cell in range(10)),
    ),
    (
        "....\n.#..\n...#",
        '"01"',
        '[[see]]\nvalue = 1\nfrom = 0\nmoves = "queen"\ntimes = "0..1 4"',
        lambda r: all(r[cell] or seen_from(r, cell, "queen").count(1) in (0, 1, 4) for cell in range(10)),
    ),
    (
        "....\n.#..\n...#",
        '"01"',
        '[[see]]\nvalue = 1\nmoves = "king"\nitself = false\ntimes = "1 3"\ncells = "0,0 0,1 2,2"',
        lambda r: all(seen_from(r, cell, "king").count(1) in (1, 3) for cell in (0, 1, 9)),
    ),
    (
        "....\n.#..\n...#",
        '"01"',
        '[[see]]\nvalue = 0\nmoves = "rook"\nitself = false\ntimes = "value"\ncells = "0,1 0,0 2,1"',
        lambda r: all(seen_from(r, cell, "rook").count(0) == r[cell] for cell in (0, 1, 8)),
    ),
    (
        "..\n..\n..",
        '"0..3"',
        '[[see]]\nplus = 0\nmoves = "sides"\nitself = false\ntimes = "value"',
        lambda r: all(beside(r, cell).count(r[cell]) == r[cell] for cell in range(6)),
    ),
    (
        "..\n..\n..",
        "[-1, 0, 1, 2, 5]",
        '[[see]]\nvalue = [1, 2]\nmoves = "sides"\nitself = false\ntimes = "value"',
        lambda r: all(sum(v in (1, 2) for v in beside(r, cell)) == r[cell] for cell in range(6)),
    ),
    (
        "..\n..\n..",
        '"0..3"',
        '[[see]]\nvalue = 3\nfrom = [1, 2]\nmoves = "sides"\nitself = false\ntimes = "value"',
        lambda r: all(r[cell] in (0, 3) or beside(r, cell).count(3) == r[cell] for cell in range(6)),
    ),
]

MEANINGS: list[Case] = [
    *STOPPED,
    *AS_VALUE,
    (
        "....\n.#..\n...#",
        '"01"',
        '[[see]]\nvalue = 1\nmoves = "sides"\ntimes = "odd"',
        lambda r: all((r[cell], *seen_from(r, cell, "sides")).count(1) % 2 for cell in range(10)),
    ),
    (
        "....\n.#..\n...#",
        '"01"',
        '[[see]]\nvalue = 1\nfrom = 1\nmoves = "king"\nitself = false\ntimes = "even"',
        lambda r: all(not seen_from(r, cell, "king").count(1) % 2 for cell in range(10) if r[cell] == 1),
    ),
    (
        "....\n.#..\n...#",
        '"01"',
        '[[see]]\nvalue = 1\nmoves = "rook"\ncells = "0,0 0,1\\n2,2 0,0"',
        lambda r: all(1 in (r[cell], *seen_from(r, cell, "rook")) for cell in (0, 1, 9)),
    ),
    (
        "..\n..\n..",
        '"1..4"',
        '[[see]]\nplus = 2\nmoves = "sides"\nitself = false',
        lambda r: all(r[cell] + 2 in beside(r, cell) for cell in range(6) if r[cell] < 3),
    ),
    (
        "..\n..\n..",
        "[1, 3, 4]",
        '[[see]]\nplus = -1\nfrom = [3, 4]\nmoves = "sides"',
        lambda r: all(3 in beside(r, cell) for cell in range(6) if r[cell] == 4),
    ),
    (
        "..\n..\n..",
        '"abc"',
        '[[see]]\nplus = 0\nmoves = "sides"\nitself = false\ntimes = [1, 2]',
        lambda r: all(1 <= beside(r, cell).count(r[cell]) <= 2 for cell in range(6)),
    ),
    (
        "....\n.#..\n...#",
        '"01"',
        '[[see]]\nvalue = 1\nmoves = "queen"',
        lambda r: all(1 in (r[cell], *seen_from(r, cell, "queen")) for cell in range(10)),
    ),
    (
        "....\n.#..\n...#",
        '"01"',
        '[[see]]\nvalue = 1\nmoves = "rook"',
        lambda r: all(1 in (r[cell], *seen_from(r, cell, "rook")) for cell in range(10)),
    ),
    (
        "....\n.#..\n...#",
        '"01"',
        '[[see]]\nvalue = 1\nmoves = "bishop"',
        lambda r: all(1 in (r[cell], *seen_from(r, cell, "bishop")) for cell in range(10)),
    ),
    (
        "....\n.#..\n...#",
        '"01"',
        '[[see]]\nvalue = 1\nmoves = "king"\nitself = false',
        lambda r: all(1 in seen_from(r, cell, "king") for cell in range(10)),
    ),
    (
        "....\n.#..\n...#",
        '"01"',
        '[[see]]\nvalue = 1\nmoves = "knight"\ntimes = [0, 1]',
        lambda r: all((r[cell], *seen_from(r, cell, "knight")).count(1) <= 1 for cell in range(10)),
    ),
    (
        "....\n.#..\n...#",
        '"01"',
        '[[see]]\nvalue = 1\nmoves = "sides"\nitself = false\ntimes = "at least once"',
        lambda r: all(1 in seen_from(r, cell, "sides") for cell in range(10)),
    ),
    (
        "....\n.#..\n...#",
        '"01"',
        '[[see]]\nvalue = 1\nfrom = 1\nmoves = "sides"\nitself = false\ntimes = 2',
        lambda r: all(seen_from(r, cell, "sides").count(1) == 2 for cell in range(10) if r[cell] == 1),
    ),
    (
        "....\n.#..\n...#",
        '"01"',
        '[[see]]\nvalue = 1\nfrom = 0\nmoves = "rook"',
        lambda r: all(1 in seen_from(r, cell, "rook") for cell in range(10) if r[cell] == 0),
    ),
    (
        "..\n..\n..",
        '"012"',
        '[[see]]\nvalue = "02"\nfrom = "12"\nmoves = "king"\ntimes = [2, 4]',
        lambda r: all(
            r[cell] == 0 or 2 <= sum(r[k] != 1 for k in range(6) if abs(k // 2 - cell // 2) < 2) <= 4
            for cell in range(6)
        ),
    ),
    (
        "..\n..",
        '"012"',
        '[[see]]\nvalue = 1\nfrom = 2\nmoves = "sides"\nitself = false\ntimes = 3',
        lambda r: 2 not in r,  # no cell has three neighbours
    ),
]

COMPLAINTS = [
    (HEAD + '[[see]]\nmoves = "queen"', '4:1: "value" is missing'),
    (HEAD + "[[see]]\nvalue = 1", '4:1: "moves" is missing; write moves = "queen"'),
    (HEAD + '[[see]]\nvalue = 1\nmoves = "pawn"', '6:9: "moves" is "pawn", which is not known'),
    (HEAD + '[[see]]\nvalue = 1\nmoves = "king"\ntimes = 3', "7:1: 3 cells or more, but cell 0,0 sees"),
    (HEAD + '[[see]]\nvalue = 1\nmoves = "king"\nfrom = 7', '7:8: "from" names values, which are'),
    (HEAD + '[[see]]\nvalue = 1\nplus = 1\nmoves = "king"', '6:1: "value" and "plus" both say which'),
    (HEAD + '[[see]]\nplus = 4\nmoves = "king"', "5:1: no value plus 4 is a value; the values are 1234"),
    (
        HEAD + '[[see]]\nplus = 1\nmoves = "king"\nfrom = 4',
        '5:1: no value of "from" plus 1 is a value; the values are 1234',
    ),
    (HEAD + '[[see]]\nplus = "1"\nmoves = "king"', '5:8: "plus" is a text; write a whole number'),
    (HEAD + '[[see]]\nvalue = 1\nmoves = "king"\nstop = 2', '7:1: "stop" ends the lines of a queen, rook or'),
    (HEAD + '[[see]]\nvalue = 1\nmoves = "rook"\nstop = 7', '7:8: "stop" names values, which are 1234'),
    (
        HEAD + '[[see]]\nvalue = 1\nmoves = "rook"\nstop = 2\ntimes = 5',
        "8:1: 5 cells or more, but cell 0,0 sees",
    ),
    (HEAD + '[[see]]\nvalue = 1\nmoves = "rook"\ntimes = "all"', '7:9: "times" is 2, [1, 3], [1, "any"]'),
    (HEAD + '[[see]]\nvalue = 1\nmoves = "rook"\nclues = ".5.."', "7:11: 5 cells, but this one sees only 4"),
    (HEAD + '[[see]]\nvalue = 1\nmoves = "rook"\nclues = "?..."', '7:10: "?" is not a clue; write 0 to 9'),
    (
        HEAD + '[[see]]\nvalue = 1\nmoves = "rook"\nclues = ".3.."\ntimes = 2',
        '8:1: "clues" say which cells see how many; leave "times" out',
    ),
    (
        'kind = "grid"\nvalues = "01"\nboard = ". ."\n[[see]]\nvalue = 1\nmoves = "sides"\nitself = false',
        "4:1: 1 cell or more, but cell 0,0 sees only 0",
    ),
    (HEAD + '[[see]]\nvalue = 1\nmoves = "king"\ncells = "0,7"', '7:10: there is no cell "0,7"'),
]


@pytest.mark.parametrize(("board", "values", "clauses", "holds"), MEANINGS)
def test_what_it_means(board: str, values: str, clauses: str, holds: Holds) -> None:
    check_meaning(board, values, clauses, holds)


@pytest.mark.parametrize(("text", "complaint"), COMPLAINTS)
def test_complaints_say_where_and_what(text: str, complaint: str) -> None:
    check_complaint(text, complaint)


@pytest.mark.parametrize(("n", "total"), [(2, 9), (3, 161), (4, 11236)])
def test_total_dominating_sets(n: int, total: int) -> None:
    """Those of the page on puzzle files; all sets of cells are tried here, as bits."""
    cells = [(row, column) for row in range(n) for column in range(n)]
    beside = [sum((abs(a - c) + abs(b - d) == 1) << k for k, (c, d) in enumerate(cells)) for a, b in cells]
    assert sum(all(chosen & near for near in beside) for chosen in range(1 << n * n)) == total
    clause = '[[see]]\nvalue = "#"\nmoves = "sides"\nitself = false'
    puzzle = read_toml(text_of(f"rectangle {n} {n}", '"-#"', clause), "mine.toml")
    assert rk.count(puzzle, up_to="none").total == total


def points_and_edges(n: int) -> str:
    """n x n points, and an edge between two neighbours; the squares between them are no cells."""
    lines = [". " * (n - 1) + "." if row % 2 else "." * (2 * n - 1) for row in range(2 * n - 1)]
    return "\n".join(lines)


ONE_LOOP = """
[[connected]]
value = "#"
[[see]]
value = "#"
from = "#"
moves = "sides"
itself = false
times = 2
[[count]]
value = "#"
times = "at least once"
"""


@pytest.mark.parametrize(("n", "total"), [(2, 1), (3, 13), (4, 213), (5, 9349)])
def test_a_loop_along_edges_is_connected_and_each_cell_sees_two(n: int, total: int) -> None:
    puzzle = read_toml(text_of(points_and_edges(n), '"-#"', ONE_LOOP), "mine.toml")
    assert rk.count(puzzle, up_to="none").total == total  # OEIS A140517


@pytest.mark.parametrize(("n", "total"), [(3, 5), (4, 25), (5, 370)])
def test_loops_that_leave_out_no_two_neighbours(n: int, total: int) -> None:
    """The loops of Yajilin without clues: no two points beside each other are left out."""
    points = [(2 * row, 2 * column) for row in range(n) for column in range(n)]
    pairs = [(a, b) for a, b in combinations(points, 2) if abs(a[0] - b[0]) + abs(a[1] - b[1]) == 2]
    cells = "\n".join(f"{a},{b} {c},{d}" for (a, b), (c, d) in pairs)
    clause = f'{ONE_LOOP}[[count]]\nvalue = "-"\ntimes = [0, 1]\ncells = """\n{cells}\n"""'
    edges = rk.graph(named=f"grid {n} {n}").cycles(hamiltonian=False)
    neighbours = [tuple(f"{row // 2},{column // 2}" for row, column in pair) for pair in pairs]
    loops = [set(rk.board(edges, row).removeprefix("#:").split()) for row in rk.solve(edges)]
    on_loops = [{point for edge in loop for point in edge.split("-")} for loop in loops]
    assert sum(all(on & {*pair} for pair in neighbours) for on in on_loops) == total
    puzzle = read_toml(text_of(points_and_edges(n), '"-#"', clause), "mine.toml")
    assert rk.count(puzzle, up_to="none").total == total


@pytest.mark.parametrize(
    ("seen", "totals"),
    [((4, 1, 2, 0, 3), [1, 6, 101, 5465]), ((3, 3, 0, 1, 2), [1, 7, 51, 1165])],  # OEIS A196967, A198013
)
def test_each_value_is_the_number_of_neighbours_with_another(
    seen: tuple[int, ...], totals: list[int]
) -> None:
    """R. H. Hardin's arrays: a cell with the value v has v neighbours at its sides with the value seen[v]."""
    rule = '[[see]]\nfrom = {}\nvalue = {}\nmoves = "sides"\nitself = false\ntimes = "value"\n'
    clauses = "".join(rule.format(*pair) for pair in enumerate(seen))
    texts = [text_of(f"rectangle {n} {n}", '"0..4"', clauses) for n in (1, 2, 3, 4)]
    assert [rk.count(read_toml(text, "mine.toml"), up_to="none").total for text in texts] == totals


def white_seen(lines: list[str], row: int, column: int) -> int:
    """The white cells that a cell sees in its row and column, up to the black ones."""
    across, down = lines[row], "".join(line[column] for line in lines)
    parts = [across[:column][::-1], across[column + 1 :], down[:row][::-1], down[row + 1 :]]
    return sum(len(part.partition("B")[0]) for part in parts)


def test_stopped_lines_keep_the_symmetry_of_the_board() -> None:
    """White cells of 4x4 see two others each; all fillings are tried, and turned and reflected."""
    total, classes = 0, set()
    for letters in map("".join, product("WB", repeat=16)):
        lines = [letters[start : start + 4] for start in range(0, 16, 4)]
        if all(white_seen(lines, a, b) == 2 for a in range(4) for b in range(4) if lines[a][b] == "W"):
            total += 1
            images = []
            for _ in range(4):
                lines = ["".join(column)[::-1] for column in zip(*lines, strict=True)]
                images += [lines, lines[::-1]]
            classes.add("".join(min(images)))
    clauses = '[[see]]\nvalue = "W"\nfrom = "W"\nmoves = "rook"\nstop = "B"\nitself = false\ntimes = 2'
    found = rk.count(rk.puzzle_from_text(text_of("rectangle 4 4", '"WB"', clauses)))
    assert (found.total, found.unique) == (total, len(classes)) == (84, 16)


@pytest.mark.parametrize("engine", ["csp", "csp-frontier", "csp-plain"])
def test_numbers_that_cells_see_are_searched_and_merged(engine: str) -> None:
    """The black cells of 4x4, no two of them side by side, between which a white cell sees four, itself included."""
    rows = map("".join, product("WB", repeat=16))
    boards = [[row[start : start + 4] for start in range(0, 16, 4)] for row in rows]
    total = sum(
        lines[1][1] == "W"
        and white_seen(lines, 1, 1) == 3
        and not any("BB" in line for line in [*lines, *map("".join, zip(*lines, strict=True))])
        for lines in boards
    )
    clauses = """[[see]]
value = "W"
moves = "rook"
stop = "B"
cells = "1,1"
times = 4
[[avoid]]
pattern = "BB"
orientations = "all"
"""
    puzzle = rk.puzzle_from_text(text_of("rectangle 4 4", '"WB"', clauses))
    assert rk.count(puzzle, up_to="none", engine=engine).total == total
