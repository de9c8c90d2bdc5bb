"""`[[strokes]]`: the values are lines in their squares."""

from __future__ import annotations

from collections.abc import Iterator
from functools import cache
from itertools import product

import networkx
import pytest

import rekkyo as rk
from rekkyo.export.puzzle_toml.reader import read_toml
from rekkyo.model.csp.csp import Csp
from rekkyo.model.picture import Clues
from tests.export.grid_files.asking import check_complaint

ENDS = {
    "/": "nesw",
    "\\": "nwse",
    "\u2500": "we",
    "\u2502": "ns",
    "\u250c": "es",
    "\u2510": "ws",
    "\u2514": "ne",
    "\u2518": "nw",
    "\u251c": "nes",
    "\u252c": "wes",
    "\u253c": "nwes",
    "\u2574": "w",
    "\u2576": "e",
    "\u2577": "s",
}
"""Where the lines of a character end: at sides, or at two corners."""

Square = tuple[int, int]
BACK = {"s": "n", "e": "w"}
STEPS = {"n": (-1, 0), "s": (1, 0), "w": (0, -1), "e": (0, 1)}
PIPES = "\u2500\u2502\u250c\u2510\u2514\u2518-"
TWO_ROWS, RING, NOTCHED = "...\n...", "...\n.#.\n...", ".#.\n...\n..#"
IN_TWO_PARTS = "..#.\n..#."


class Lines:
    """The lines of a filling, by definition. n_at: how many end at a place; edges: between places."""

    def __init__(self, filling: dict[tuple[int, int], str]) -> None:
        self.n_at: dict[Square, int] = {}
        self.edges: list[tuple[tuple[int, int], tuple[int, int]]] = []
        for (row, column), symbol in filling.items():
            ends = ENDS.get(symbol, "")
            if symbol in ("/", "\\"):
                corners = [
                    tuple(
                        2 * at + sum(STEPS[way][axis] for way in corner)
                        for axis, at in enumerate((row, column))
                    )
                    for corner in (ends[:2], ends[2:])
                ]
                self._add(*corners)
                continue
            for way in ends:
                self._add((2 * row, 2 * column), (2 * row + STEPS[way][0], 2 * column + STEPS[way][1]))

    def _add(self, *ends: tuple[int, ...]) -> None:
        (a, b), (c, d) = ends
        self.edges.append(((a, b), (c, d)))
        for end in ((a, b), (c, d)):
            self.n_at[end] = self.n_at.get(end, 0) + 1

    def n_parts(self) -> int:
        parts = [{end} for end in self.n_at]
        for edge in self.edges:
            met = [part for part in parts if not part.isdisjoint(edge)]
            parts = [part for part in parts if part not in met] + [set().union(*met)]
        return len(parts)

    def has_loop(self) -> bool:
        return len(self.edges) > len(self.n_at) - self.n_parts()


def squares_of(board: str) -> list[Square]:
    return [(r, c) for r, line in enumerate(board.split("\n")) for c, mark in enumerate(line) if mark == "."]


def fillings_by_definition(board: str, values: str, wanted: str) -> list[Lines]:
    squares = squares_of(board)
    every = with_lines_to_sides(squares, values)
    if values[0] in "/\\":
        every = (dict(zip(squares, symbols, strict=True)) for symbols in product(values, repeat=len(squares)))
    return [
        lines
        for lines in map(Lines, every)
        if not ("loops = false" in wanted and lines.has_loop())
        and not ("connected = true" in wanted and lines.n_parts() > 1)
    ]


def with_lines_to_sides(squares: list[Square], values: str) -> Iterator[dict[Square, str]]:
    """All sets of sides between two squares that lines pass, if each square has a value for its sides."""
    symbol_of = {frozenset(ENDS.get(symbol, "")): symbol for symbol in values}
    pairs = [(s, (s[0] + d, s[1] + a), way) for s in squares for way, (d, a) in STEPS.items() if way in "se"]
    sides = [(one, other, way) for one, other, way in pairs if other in squares]
    for passed in product((False, True), repeat=len(sides)):
        ends: dict[Square, set[str]] = {square: set() for square in squares}
        for one, other, way in (side for side, is_passed in zip(sides, passed, strict=True) if is_passed):
            ends[one].add(way)
            ends[other].add(BACK[way])
        if all(frozenset(some) in symbol_of for some in ends.values()):
            yield {square: symbol_of[frozenset(some)] for square, some in ends.items()}


def text_of(board: str, values: str, lines: str) -> str:
    return f"kind = \"grid\"\nvalues = '{values}'\nboard = '''\n{board}\n'''\n[[strokes]]\n{lines}"


def total(text: str, engine: str = "csp") -> int:
    return rk.count(read_toml(text, "mine.toml"), up_to="none", engine=engine, workers=1).total


@pytest.mark.parametrize("values", ["/\\", "/\\-"])
@pytest.mark.parametrize("board", [TWO_ROWS, RING, NOTCHED, IN_TWO_PARTS])
def test_lines_between_corners_without_loops(board: str, values: str) -> None:
    found = len(fillings_by_definition(board, values, "loops = false"))
    assert found == total(text_of(board, values, "loops = false"))
    assert found < total(text_of(board, values, "")) == len(values) ** board.count(".")


@pytest.mark.parametrize(
    "lines", ["", "loops = false", "connected = true", "loops = false\nconnected = true"]
)
@pytest.mark.parametrize(
    ("board", "values"),
    [
        (TWO_ROWS, PIPES),
        (RING, PIPES[:6]),
        (IN_TWO_PARTS, PIPES),
        (".#..", "-\u2574\u2500\u2576"),
        ("...\n...\n...", PIPES),
        (TWO_ROWS, "-" + "\u253c\u251c\u252c\u2574\u2577\u250c\u2518"),
    ],
)
def test_lines_from_side_to_side(board: str, values: str, lines: str) -> None:
    assert total(text_of(board, values, lines)) == len(fillings_by_definition(board, values, lines))


@pytest.mark.parametrize("engine", ["csp", "csp-plain", "csp-frontier"])
@pytest.mark.parametrize(
    ("board", "values", "regions", "written", "times"),
    [
        ("...\n...\n...", PIPES, "AAB\nCAB\nCCB", "2", {2}),
        ("...\n...\n...", PIPES, "AA.\nBA.\nBBB", '"0 4"', {0, 4}),
        (
            "...\n...",
            "-" + "\u253c\u251c\u252c\u2574\u2577\u250c\u2518",
            "AAB\nABB",
            '"at most 2"',
            {0, 1, 2},
        ),
        (RING, PIPES, "AAB\nA#B\nABB", "2", {2}),
    ],
)
def test_how_often_lines_pass_the_borders_of_regions(
    board: str, values: str, regions: str, written: str, times: set[int], engine: str
) -> None:
    region_of = {
        (r, c): mark
        for r, line in enumerate(regions.split())
        for c, mark in enumerate(line)
        if mark not in ".#"
    }
    found = 0
    for lines in fillings_by_definition(board, values, "connected = true"):
        passed = dict.fromkeys(region_of.values(), 0)
        for r, c in {end for edge in lines.edges for end in edge if (end[0] + end[1]) % 2}:
            sides = [(r // 2, c // 2), ((r + 1) // 2, (c + 1) // 2)]
            for one, other in (sides, sides[::-1]):
                if one in region_of and region_of[one] != region_of.get(other):
                    passed[region_of[one]] += 1
        found += times.issuperset(passed.values())
    clauses = f'connected = true\ntimes = {written}\nregions = """\n{regions}"""'
    assert 0 < found == total(text_of(board, values, clauses), engine)


def test_lines_around_a_torus_pass_the_borders_of_its_columns() -> None:
    """On 2x3 squares, both rows are passed all around, or one of them and no line is in the other."""
    text = text_of("...\n...", "\u2500-", "times = \"1..4\"\nregions = 'columns'")
    assert total(text.replace("[[", "toroidal = true\n[[")) == 3


def test_clues_are_numbers_of_lines_at_corners() -> None:
    clues = "1..\n.2.\n..."
    found = [
        lines
        for lines in fillings_by_definition("..\n..", "/\\-", "")
        if lines.n_at.get((-1, -1), 0) == 1 and lines.n_at.get((1, 1), 0) == 2
    ]
    text = text_of("..\n..", "/\\-", f"clues = '''\n{clues}\n'''")
    assert 0 < len(found) == total(text)
    one = read_toml(text_of(".", "/\\", "clues = '''\n1.\n..\n'''"), "mine.toml")
    assert [rk.board(one, row) for row in rk.solve(one)] == ["\\"]
    picture = read_toml(text, "mine.toml").picture
    assert isinstance(picture, Clues)
    assert picture.corners == (((0, 0), "1"), ((1, 1), "2"))


@pytest.mark.parametrize("engine", ["csp", "csp-frontier"])
def test_closed_ways_through_squares(engine: str) -> None:
    """Cycles in the grid graph of 5x5 points, and one without lines: OEIS A140517 counts 2x2 to 5x5 as 1, 13, 213, 9349."""
    for n, cycles in ((2, 1), (3, 13), (4, 213), (5, 9349))[: 4 if engine == "csp-frontier" else 3]:
        board = "\n".join(["." * n] * n)
        assert total(text_of(board, PIPES, "connected = true"), engine) == cycles + 1


def test_pearls_of_masyu_are_comparisons() -> None:
    """Of all loops along the edges of 4x4 points, those that turn at 0,0 and are straight at 2,1, as Masyu says."""
    graph = rk.graph(named="grid 4 4")
    found = 0
    for row in rk.solve(graph.cycles(hamiltonian=False), up_to="none"):
        near: dict[Square, list[Square]] = {}
        for (one, other), is_passed in zip(graph.edges, row, strict=True):
            if is_passed:
                near.setdefault(divmod(one, 4), []).append(divmod(other, 4))
                near.setdefault(divmod(other, 4), []).append(divmod(one, 4))
        is_straight = {s: any(a[axis] == b[axis] for axis in (0, 1)) for s, (a, b) in near.items()}
        black, white = near.get((0, 0)), near.get((2, 1))
        found += bool(
            black
            and white
            and all(is_straight[s] for s in black)
            and is_straight[2, 1]
            and not all(is_straight[s] for s in white)
        )
    lines = """connected = true
[[compare]]
cells = '''
0,0 = \u250c and 0,1 = \u2500 and 1,0 = \u2502
2,1 = \u2500 and not (2,0 = \u2500 and 2,2 = \u2500) or 2,1 = \u2502 and not (1,1 = \u2502 and 3,1 = \u2502)
'''"""
    assert total(text_of("....\n....\n....\n....", PIPES, lines)) == found == 10


def test_a_square_is_inside_a_loop_if_an_odd_number_of_lines_left_of_it_go_up() -> None:
    """The point 2,2 off all loops of 5x5 points, against the loops that networkx lists."""
    text = f"""kind = "grid"
values = "{PIPES}"
board = "rectangle 5 5"
[[strokes]]
connected = true
[[compare]]
cells = "2,2 = -"
[[count]]
cells = "2,0 2,1"
value = "\u2502\u2514\u2518"
times = "odd"
"""
    around = [
        loop
        for loop in networkx.simple_cycles(networkx.grid_2d_graph(5, 5))
        if (2, 2) not in loop
        and sum(
            {(1, column), (2, column)} in map(set, zip(loop, [*loop[1:], loop[0]], strict=True))
            for column in (0, 1)
        )
        % 2
    ]
    assert rk.count(read_toml(text, "mine.toml"), up_to="none").total == len(around) > 1000


def test_on_a_torus_lines_go_around_the_edges() -> None:
    text = text_of("..\n..\n..", PIPES[:2] + "-", "").replace("[[", "toroidal = true\n[[")
    assert total(text) == 2**3 + 2**2 - 1


def test_on_a_ring_lines_go_along_it_only() -> None:
    """A line up and down has no next square, though opposite edges are joined."""
    text = text_of("...", PIPES[:2] + "-", "").replace("[[", "toroidal = true\n[[")
    assert total(text) == 2


def test_rotations_and_reflections_turn_lines() -> None:
    """By Burnside's lemma, (15 + 1 + 1 + 3 + 3 + 3 + 7 + 7) / 8 and (15 + 1 + 1 + 3) / 4 of 2x2 are 5."""
    counts = [
        rk.count(read_toml(text_of(b, v, w), "mine.toml"))
        for b, v, w in (
            ("..\n..", "/\\", "loops = false"),
            ("..\n..", PIPES, ""),
            ("..", "\u2500\u2574\u2576", ""),
        )
    ]
    assert [(found.total, found.unique) for found in counts] == [(15, 5), (2, 2), (1, 1)]
    declared = text_of("..\n..", "/\\", "loops = false").replace("[[", 'symmetry = "rotations"\n[[')
    assert rk.count(read_toml(declared, "mine.toml")).unique == 5


def test_solutions_are_drawn_as_lines() -> None:
    puzzle = read_toml(text_of("..\n..", PIPES, "[[count]]\nvalue = '-'\ntimes = 0"), "mine.toml")
    row = next(rk.solve(puzzle))
    assert isinstance(puzzle.model, Csp)
    assert rk.board(puzzle, row) == "\u250c\u2510\n\u2514\u2518"
    assert "\u250c" not in rk.svg(puzzle, row)


HEAD = "kind = \"grid\"\nvalues = '/\\'\nboard = '..'\n"


@pytest.mark.parametrize(
    ("text", "complaint"),
    [
        (
            HEAD.replace("/", "a").replace("\\", "b") + "[[strokes]]",
            "4:1: the values have no lines of one kind; take",
        ),
        (HEAD.replace("/", "\u2500") + "[[strokes]]", "4:1: the values have no lines of one kind; take"),
        (
            HEAD + "[[strokes]]\nconnected = true",
            "5:1: lines between even corners never meet those between odd",
        ),
        (HEAD + "[[strokes]]\nclues = '...'", "5:1: the board has 2 lines of 3 corners; draw each of them"),
        (HEAD + "[[strokes]]\nclues = '''\n...\n..x\n'''", '7:3: "x" is not a clue; write 0 to 4, or "."'),
        (
            HEAD + "[[strokes]]\nclues = '''\n2..\n...\n'''",
            "6:1: 2 lines cannot end at a corner of 1 cell; write at most 1",
        ),
        (
            HEAD + "[[strokes]]\nloop = false",
            '5:1: there is no key "loop" in [strokes]; did you mean "loops"?',
        ),
        (
            HEAD + "toroidal = true\n[[strokes]]",
            "5:1: where opposite edges are joined, loops and lines to corners",
        ),
        (HEAD + "[[strokes]]\ntimes = 2\nregions = 'rows'", '5:1: "times": lines to corners pass no border'),
        (
            text_of("..", PIPES, "regions = 'rows'"),
            '7:1: "regions" have borders that lines pass; say how often',
        ),
        (text_of("..", PIPES, "times = 2"), '6:1: "regions" is missing'),
        (
            text_of("..", PIPES, "times = 2\nregions = 'columns'"),
            "7:1: 2 sides or more, but the border of a region has only 1",
        ),
        (text_of("..", PIPES, "clues = '...'"), '7:1: "clues" are for lines that end at corners'),
        (
            text_of("..", "\u2502\u2500", ""),
            "6:1: each line that cell 0,0 may have leads off the board; allow it another value",
        ),
    ],
)
def test_complaints_say_where_and_what(text: str, complaint: str) -> None:
    check_complaint(text, complaint)


@cache
def connected_pipes(board: str) -> list[dict[Square, str]]:
    """All fillings whose lines hang together, or that have none."""
    return [
        filling for filling in with_lines_to_sides(squares_of(board), PIPES) if Lines(filling).n_parts() <= 1
    ]


def fits(filling: dict[Square, str], square: Square, pearl: str) -> bool:
    """The rule of a pearl of Masyu, by definition."""
    is_straight = {at: ENDS.get(symbol, "") in ("we", "ns") for at, symbol in filling.items()}
    beside = [
        is_straight[square[0] + STEPS[way][0], square[1] + STEPS[way][1]]
        for way in ENDS.get(filling[square], "")
    ]
    if len(beside) != 2:
        return False
    return (
        not is_straight[square] and all(beside) if pearl == "*" else is_straight[square] and not all(beside)
    )


@pytest.mark.parametrize("engine", ["csp", "csp-plain", "csp-frontier"])
@pytest.mark.parametrize(
    ("board", "pearls"),
    [
        ("....\n....\n....", "*...\n....\n...."),
        ("....\n....\n....", "....\no...\n...."),
        ("....\n....\n....", "..o.\n....\n*..."),
        ("....\n....\n....", ".oo.\n....\n...."),
        ("...\n.#.\n...", ".o.\n.#.\n..*"),
        ("....\n.#..\n....", "*...\n.#..\n...."),
    ],
)
def test_pearls_say_where_a_loop_turns(board: str, pearls: str, engine: str) -> None:
    drawn = {
        (r, c): mark for r, line in enumerate(pearls.split()) for c, mark in enumerate(line) if mark in "*o"
    }
    wanted = sum(all(fits(filling, *pearl) for pearl in drawn.items()) for filling in connected_pipes(board))
    assert total(text_of(board, PIPES, f"connected = true\npearls = '''\n{pearls}'''"), engine) == wanted


def test_a_pearl_that_no_value_fits() -> None:
    text = text_of("...", PIPES[:1] + "-", "pearls = '.*.'")
    check_complaint(text, "7:1: no line turns at pearl 0,1; look at the values")


def test_a_mark_that_is_no_pearl() -> None:
    text = text_of("..", PIPES, "pearls = '.b'")
    check_complaint(text, '7:12: "b" is no pearl; draw "*", "o", or "." for none')


def test_pearls_are_for_lines_from_side_to_side() -> None:
    check_complaint(text_of("..", "/\\", "pearls = '*.'"), '7:1: "pearls" are for lines from side to side')
