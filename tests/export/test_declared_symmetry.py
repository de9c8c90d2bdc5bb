"""`symmetry` in files: counts up to what a file declares, against published numbers and by the definition."""

from __future__ import annotations

import random
from itertools import product
from pathlib import Path

import pytest

import rekkyo as rk
from rekkyo.catalog import csp_symmetry
from rekkyo.errors import BadFile
from tests import naive_orbits
from tests.export.grid_files.asking import check_complaint
from tests.programs import rekkyo

Row = tuple[int, ...]
NECKLACES = [2, 3, 4, 6, 8, 14, 20]
BRACELETS = [2, 3, 4, 6, 8, 13, 18]
OF_THREE = [3, 6, 11, 24, 51]
EXCHANGED = [1, 2, 2, 4, 4, 8, 10]
TURNED_AND_EXCHANGED = [1, 2, 2, 4, 4, 8, 9]
THREE_EXCHANGED = [1, 2, 3, 6, 9]


def coloring(board: str, symmetry: str, colors: object = 2, more: str = "") -> rk.Puzzle:
    text = f'kind = "coloring"\ncolors = {colors}\nboard = "{board}"\nsymmetry = {symmetry}\n{more}'
    return rk.puzzle_from_text(text, "mine.toml")


def grid(board: str, symmetry: str, colors: object = 2, more: str = "") -> rk.Puzzle:
    text = f'kind = "grid"\nvalues = "1..{colors}"\nboard = "{board}"\nsymmetry = {symmetry}\n{more}'
    return rk.puzzle_from_text(text, "mine.toml")


@pytest.mark.parametrize(
    ("symmetry", "colors", "counts", "words"),
    [
        ('"necklace"', 2, NECKLACES, "rotation"),  # OEIS A000031
        ('"bracelet"', 2, BRACELETS, "rotation and reflection"),  # A000029
        ('"necklace"', 3, OF_THREE, "rotation"),  # A001867
        ('["necklace", "colors"]', 2, EXCHANGED, None),  # A000013
        ('["bracelet", "colors"]', 2, TURNED_AND_EXCHANGED, None),  # A000011
        ('["necklace", "colors"]', 3, THREE_EXCHANGED, None),  # A002076
    ],
)
def test_rings(symmetry: str, colors: int, counts: list[int], words: str | None) -> None:
    for n, unique in enumerate(counts, 1):
        for kind in (coloring, grid):
            named = symmetry if kind is coloring else symmetry.replace("colors", "values")
            puzzle = kind(f"rectangle 1 {n}", named, colors)
            found = rk.count(puzzle)
            assert (found.total, found.unique) == (colors**n, unique), (n, kind)
            if n > 2:
                assert puzzle.symmetry_in_words() == words


@pytest.mark.parametrize(("n", "black", "unique"), [(6, 3, 4), (7, 3, 5), (8, 4, 10)])
def test_necklaces_of_fixed_content(n: int, black: int, unique: int) -> None:
    """OEIS A047996: necklaces of n beads, so many of them black."""
    counts = f"counts = {{ 1 = {black}, 2 = {n - black} }}"
    assert rk.count(coloring(f"rectangle {n} 1", '"necklace"', more=counts)).unique == unique
    clause = f'[[count]]\nvalue = 1\ntimes = {black}\nregions = "board"'
    assert rk.count(grid(f"rectangle {n} 1", '"necklace"', more=clause)).unique == unique


@pytest.mark.parametrize(
    ("symmetry", "counts", "words"),
    [
        ('"shifts"', [2, 7, 64, 4156], "shift"),  # A179043
        ('"board"', [2, 6, 102, 8548], "rotation and reflection"),  # A054247
        ('"rotations"', [2, 6, 140, 16456], "rotation"),  # A047937
        ('["shifts", "board"]', [2, 6, 26, 805], "shift, rotation and reflection"),  # A255016
    ],
)
def test_boards(symmetry: str, counts: list[int], words: str) -> None:
    for n, unique in enumerate(counts, 1):
        for kind in (coloring, grid):
            puzzle = kind(f"rectangle {n} {n}", symmetry)
            assert rk.count(puzzle).unique == unique, (n, kind)
            if n > 2:
                assert puzzle.symmetry_in_words() == words


NO_EMPTY_LINES = '[[count]]\nvalue = 1\ntimes = "at least once"\nregions = ["rows", "columns"]'


@pytest.mark.parametrize(
    ("symmetry", "more", "counts"),
    [
        ('["rows", "columns"]', "", [2, 7, 36, 317]),  # A002724
        ('["columns", "rows"]', NO_EMPTY_LINES, [1, 3, 17, 179]),  # A054976
        ('"rows"', "", [2, 10, 120, 3876]),  # A060690: multisets of n of the 2^n rows
        ('"columns"', "", [2, 10, 120, 3876]),
        ('"elements"', "", [2, 10, 104, 3044]),  # A000595: relations
        ('["elements", "values"]', "", [1, 6, 52, 1540]),
    ],
)
def test_permutations_of_rows_columns_and_elements(symmetry: str, more: str, counts: list[int]) -> None:
    for n, unique in enumerate(counts, 1):
        assert rk.count(grid(f"rectangle {n} {n}", symmetry, more=more)).unique == unique, n


@pytest.mark.parametrize(("board", "symmetry"), [("rectangle 1 3", '"rows"'), ("rectangle 3 1", '"columns"')])
def test_the_permutations_of_a_single_line_are_a_symmetry_that_moves_nothing(
    board: str, symmetry: str
) -> None:
    for puzzle, of_constraints in ((grid(board, symmetry), 1), (coloring(board, symmetry), 4)):
        assert rk.count(puzzle).unique == 8
        assert rk.orbits(puzzle).group == 1
        assert rk.count(puzzle, up_to="constraints").unique == of_constraints
    assert rk.count(grid(board, f'[{symmetry}, "values"]')).unique == 4


def test_posets_up_to_isomorphism() -> None:
    """OEIS A000112. The symmetry of the constraints would exchange an order and its converse, too."""
    for n, unique in [(2, 2), (3, 5), (4, 16), (5, 63)]:
        order = "\n".join(
            [f"{a},{a} = 1" for a in range(n)]
            + [f"{a},{b} {b},{a} <= 1" for a in range(n) for b in range(a)]
            + [
                f"{a},{b}*{b},{c} <= {a},{c}"
                for a, b, c in product(range(n), repeat=3)
                if len({a, b, c}) == 3
            ]
        )
        text = f'kind = "grid"\nvalues = "01"\nboard = "rectangle {n} {n}"\nsymmetry = "elements"'
        posets = rk.puzzle_from_text(f'{text}\n[[compare]]\ncells = """\n{order}\n"""', "posets")
        assert rk.count(posets).unique == unique


def test_latin_squares_up_to_exchanges_of_values() -> None:
    """576 squares of order 4, of which 24 have the first row 1234."""
    more = '[[different]]\nregions = ["rows", "columns"]'
    assert rk.count(grid("rectangle 4 4", '"values"', 4, more)).unique == 24


def test_a_group_too_large_to_list() -> None:
    """Words of four letters out of ten, up to their exchange: partitions of a set of four, 15 (Bell)."""
    assert rk.count(grid("rectangle 1 4", '"values"', 10)).unique == 15


def images(row: Row, cells: list[int], values: list[int]) -> Row:
    moved = [0] * len(row)
    for cell, value in enumerate(row):
        moved[cells[cell]] = values[value]
    return tuple(moved)


def cycles(permutation: list[int], names: list[str]) -> str:
    left, text = set(range(len(permutation))), ""
    while left:
        first = min(left)
        cycle = [first]
        while permutation[cycle[-1]] != first:
            cycle.append(permutation[cycle[-1]])
        left -= set(cycle)
        text += f"({' '.join(names[k] for k in cycle)})" if len(cycle) > 1 else ""
    return text


@pytest.mark.parametrize("seed", range(24))
def test_random_permutations(seed: int) -> None:
    """A permutation is accepted if and only if it keeps the rules; orbits are those of the definition."""
    rng = random.Random(seed)
    n_values, has_rules = rng.choice((2, 3)), rng.random() < 0.6
    names = [f"{row},{column}" for row, column in product(range(2), range(3))]
    is_grid = rng.random() < 0.5
    pairs = [rng.sample(range(6), 2) for _ in range(rng.randint(1, 3))] if has_rules else []
    rule = "".join(f'[[different]]\ncells = "{names[a]} {names[b]}"\n' for a, b in pairs)
    moves = []
    for _ in range(rng.choice((1, 2))):
        cells, values = list(range(6)), list(range(n_values))
        kept = rng.sample(range(6), rng.randint(2, 6))
        for k, place in zip(kept, (*kept[1:], kept[0]), strict=True):
            cells[k] = place
        if rng.random() < 0.4:
            rng.shuffle(values)
        moves.append((cells, values))
    word, symbols = ("values", "123") if is_grid else ("colors", "RGB")
    written = [
        cycles(cells, names)
        + (f" {word} {cycles(values, list(symbols))}" if values != sorted(values) else "")
        for cells, values in moves
    ]
    make = grid if is_grid else coloring
    colors: object = n_values if is_grid else f'"{symbols[:n_values]}"'
    solutions = [row for row in product(range(n_values), repeat=6) if all(row[a] != row[b] for a, b in pairs)]
    differ = {frozenset(pair) for pair in pairs}
    are_kept = all({frozenset(cells[k] for k in pair) for pair in differ} == differ for cells, _ in moves)
    try:
        puzzle = make("rectangle 2 3", str(written), colors, rule)
    except BadFile as problem:
        assert not are_kept
        assert "does not keep the rules" in str(problem)
        return
    assert are_kept
    assert all({images(row, *move) for row in solutions} == set(solutions) for move in moves)
    atoms = [
        tuple(cells[k] * n_values + values[v] for k in range(6) for v in range(n_values))
        for cells, values in moves
    ]
    orbits = naive_orbits.orbits(solutions, atoms, n_values, by_option=False)
    found = rk.count(puzzle)
    assert (found.total, found.unique) == (len(solutions), len(orbits))
    assert sorted(rk.solve(puzzle, up_to="symmetry")) == sorted(map(min, orbits))
    assert rk.orbits(puzzle).unique == len(orbits)


HEAD = 'kind = "coloring"\ncolors = "RG"\ncells = "a b c d"\n'
BOARD = 'kind = "grid"\nvalues = "12"\n'


@pytest.mark.parametrize(
    ("text", "complaint"),
    [
        (HEAD + 'symmetry = "neklace"', '4:12: "neklace" is not a symmetry, nor cycles of cells such as (a b c); did you mean "necklace"?'),
        (HEAD + 'symmetry = "(a b"', '4:12: "(a b" is not a symmetry'),
        (HEAD + 'symmetry = ["values"]', '4:13: "values" is not a symmetry'),
        (HEAD + 'symmetry = ""', '4:12: "" is not a symmetry'),
        (HEAD + "symmetry = []", '4:12: "symmetry" names no symmetry'),
        (HEAD + "symmetry = 5", '4:12: "symmetry" is a whole number'),
        (HEAD + 'symmetry = ["necklace", 3]', '4:25: "symmetry" has an item that is not a text'),
        (HEAD + 'symmetry = "(a e)"', '4:12: "(a e)" names a cell "e", which does not exist'),
        (HEAD + 'symmetry = "(a b)(b c)"', '4:12: "(a b)(b c)" names the cell "b" twice; name it once'),
        (HEAD + 'symmetry = "(a)"', '4:12: "(a)" moves nothing; leave it out'),
        (HEAD + 'symmetry = "colors (R B)"', '4:12: "colors (R B)" names a color "B", which does not exist'),
        (HEAD + 'symmetry = "board"', '4:12: "board" needs a board'),
        (HEAD + 'symmetry = "shifts"', '4:12: "shifts" needs a board that is a whole rectangle'),
        (HEAD + 'given = "a:R"\nsymmetry = "necklace"', '5:12: "necklace" does not keep the rules of the puzzle'),
        (HEAD + 'counts = { R = 3, G = 1 }\nsymmetry = "colors"', '5:12: "colors" does not keep the rules'),
        (HEAD + 'symmetry = ["necklace", "(a b)"]\n[[avoid]]\ncells = """\na b\nb c\nc d\nd a"""', '4:25: "(a b)" does not'),
        (HEAD + 'symmetry = "rows"', '4:12: "rows" needs a board that is a whole rectangle'),
        (BOARD + 'board = "rectangle 2 3"\nsymmetry = "elements"', '4:12: "elements" needs a square board; a rectangle has rows and columns'),
        (
            'kind = "grid"\nvalues = "\u2192o"\nboard = ".."\nsymmetry = "board"\n[[arrows]]\nleave = true',
            '4:12: "board" turns lines or arrows into others that are no values; add these, or leave it out',
        ),
        (BOARD + 'board = "1.\\n.."\nsymmetry = "columns"', '4:12: "columns" does not keep the rules'),
        (BOARD + 'board = "rectangle 2 2"\nsymmetry = "bracelet"', '4:12: "bracelet" is a ring of cells in one line'),
        (BOARD + 'board = "1.\\n.."\nsymmetry = "board"', '4:12: "board" does not keep the rules'),
        (BOARD + 'board = ". .\\n..."\nsymmetry = "shifts"', '4:12: "shifts" needs a board'),
        (BOARD + 'board = "rectangle 1 3"\nsymmetry = "values"\n[[compare]]\ncells = "0,0 < 0,1"', '4:12: "values" does not'),
        (BOARD + 'board = "rectangle 1 3"\nsymmetry = "values"\nmaximize = "sum"', '4:12: "values" does not'),
    ],
)  # fmt: skip
def test_complaints_say_where_and_what(text: str, complaint: str) -> None:
    check_complaint(text, complaint)


def test_the_symmetry_of_the_model_is_there_on_request() -> None:
    """Without rules the cells of a ring are a set; rotations are those of the ring."""
    puzzle = coloring("rectangle 1 6", '"bracelet"')
    expected = {"symmetry": 13, "rotations": 14, "constraints": 7}
    for word, unique in expected.items():
        assert rk.count(puzzle, up_to=word).unique == unique
    again, found = rk.with_own_symmetry(puzzle)
    assert again == puzzle
    assert found.order == 12


def test_a_board_that_only_a_mirror_keeps() -> None:
    """`rotations` of it are none, although its reflection is a symmetry."""
    board = ".#.\\n..."
    assert rk.count(grid(board, '"rotations"')).unique == 32
    assert rk.count(grid(board, '"board"')).unique == 20


@pytest.mark.parametrize(
    ("values", "drawn", "total", "unique"),
    [
        ("12", "1.\n..", 8, None),  # a diagonal mirror keeps what is given
        ("12", "12\n..", 4, 4),
        ("/\\", "/\\\n..", 4, None),  # a mirror turns these strokes into each other
        ("/\\", "//\n..", 4, 4),
    ],
)
def test_given_values_show_that_a_board_too_large_for_a_search_has_no_symmetry(
    values: str, drawn: str, total: int, unique: int | None, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A Hidato of 8x8 was said to have taken too long, and `unique` was left out."""
    monkeypatch.setattr(csp_symmetry, "MAX_SIZE", 0)
    strokes = "[[strokes]]" if "/" in values else ""
    text = f"kind = 'grid'\nvalues = '{values}'\nboard = '''\n{drawn}\n'''\n{strokes}"
    counts = rk.count(rk.puzzle_from_text(text, "mine.toml"))
    assert (counts.total, counts.unique) == (total, unique)


def test_all_commands_agree(tmp_path: Path) -> None:
    text = 'kind = "grid"\nvalues = "12"\nboard = "rectangle 1 8"\nsymmetry = ["bracelet", "values"]\n'
    file, run = tmp_path / "ring.toml", tmp_path / "run"
    file.write_text(text)

    def said(*words: str | Path) -> str:
        return rekkyo(*words, ok=True).stdout

    assert said("count", file).startswith("total 256, unique 18")
    assert said("orbits", file).rstrip().endswith("unique 18")
    assert len(said("solve", file, "--up-to", "symmetry").splitlines()) == 18
    assert said("run", file, "--up-to", "symmetry", "--out", run).startswith("total 256, unique 18")
    assert "18 stored solutions checked" in said("verify", run)
