"""The rotations and reflections of figures, tiles and queens that are drawn in files."""

from __future__ import annotations

import random
from collections.abc import Iterable, Sequence
from functools import partial
from itertools import permutations
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import rekkyo as rk
from rekkyo.catalog.own_symmetry import with_own_symmetry
from rekkyo.export.puzzle_toml.reader import read_toml
from rekkyo.model.puzzle import Puzzle
from rekkyo.model.row import AtomPermutation, Layout
from rekkyo.symmetry.group import close
from rekkyo.symmetry.orbits import OrbitSurvey
from tests import naive_orbits

EXAMPLES = Path(__file__).parents[2] / "examples"
Row = tuple[int, ...]


def read(text: str) -> Puzzle:
    return with_own_symmetry(read_toml(text, "mine.toml"))[0]


def order(puzzle: Puzzle, up_to: str = "symmetry") -> int:
    generators = puzzle.generators_up_to(up_to)
    assert generators is not None
    return close(puzzle.model.row_shape, generators).order


def figure(cells: str, lines: str, more: str = "") -> str:
    return f"kind = \"figure\"\ncells = '''\n{cells}\n'''\nlines = '''\n{lines}\n'''\n{more}"


def all_generators(puzzle: Puzzle) -> Iterable[AtomPermutation]:
    yield from puzzle.generators
    for motion in puzzle.motions or ():
        yield motion.permutation
    for kind in puzzle.further:
        yield from kind.generators


def check_solutions_go_to_solutions(puzzle: Puzzle) -> None:
    rows, shape = set(rk.solve(puzzle, up_to="none", workers=1)), puzzle.model.row_shape
    image = partial(naive_orbits.image, n_values=shape.n_values, by_option=shape.layout is Layout.BY_OPTION)
    for generator in all_generators(puzzle):
        assert {image(row, generator) for row in rows} == rows


MAGIC_4 = figure(
    "a b c d\ne f g h\ni j k l\nm n o p",
    "a b c d; e f g h; i j k l; m n o p; a e i m; b f j n; c g k o; d h l p; a f k p; d g j m",
    "sum = 34",
)
NAMED_3 = figure(
    "c8 c9 c10\nc11 c12 c13\nc14 c15 c16",
    "c8 c9 c10; c11 c12 c13; c14 c15 c16; c8 c11 c14; c9 c12 c15; c10 c13 c16; c8 c12 c16; c10 c12 c14",
    "sum = 15",
)
PENTAGRAM = figure(
    "     a\nb  c   d  e\n   f   g\n     h\n  i     j",
    "b c d e; a c f i; a d g j; b f h j; e g h i",
    'numbers = "1..10"',
)


@pytest.mark.parametrize(
    ("puzzle", "up_to", "total", "unique"),
    [
        # M. Gardner, Mathematical Carnival (1975), as the catalog's `magic-star 6`; the triangles apart 20
        ("magic-hexagram", "symmetry", 960, 80),
        ("magic-hexagram", "board", 960, 80),
        ("magic-hexagram", "rotations", 960, 160),
        ("magic-hexagram", "constraints", 960, 20),
        ("magic-hexagram", "complement", 960, 40),
        # K. Ollerenshaw and D. S. Bree (1998); all symmetry of the constraints has order 128
        ("most-perfect-square", "symmetry", 384, 48),
        ("most-perfect-square", "constraints", 384, 3),
        ("magic-hexagon", "symmetry", 12, 1),
        ("magic-hexagon", "constraints", 12, 1),
        # Frénicle de Bessy (1693): 880; the catalog's `magic-square 4` with complements
        (MAGIC_4, "symmetry", 7040, 880),
        (MAGIC_4, "complement", 7040, 616),
        (MAGIC_4, "constraints", 7040, 220),
        (NAMED_3, "symmetry", 8, 1),
        (NAMED_3, "rotations", 8, 2),
    ],
)
def test_published_counts_of_figures(puzzle: str, up_to: str, total: int, unique: int) -> None:
    is_file = "\n" not in puzzle
    own = rk.puzzle_from_file(EXAMPLES / f"{puzzle}.toml") if is_file else read(puzzle)
    assert own.symmetry_in_words() == "rotation and reflection"
    found = rk.count(own, up_to=up_to, workers=1)
    assert (found.total, found.unique) == (total, unique)


def test_a_drawing_on_no_lattice_has_all_symmetry_of_the_constraints() -> None:
    """The lines of a pentagram may be exchanged in all ways."""
    puzzle = read(PENTAGRAM)
    assert (puzzle.motions, puzzle.symmetry_in_words()) == (None, None)
    assert order(puzzle) == order(puzzle, "constraints") == 120


def test_a_list_in_one_line_is_no_board() -> None:
    puzzle = read(figure("a b c", "a b c", "sum = 6"))
    assert (puzzle.motions, order(puzzle)) == (None, 6)


@pytest.mark.parametrize(
    ("cells", "n_motions"),
    [
        ("a b c\nd e f", 3),
        ("a b\nc d", 7),
        ("a   b   c\n\nd   e   f\n\ng   h   i", 7),
        (" a b\nc d e\n f g", 11),
        ("  a\n b c\nd e f", 5),
        ("    a\n  b   c\nd       e\n  f   g\n    h", 7),
        ("a b c\n d e f\n  g h i", 3),
        ("  a\nb   c\n  d", 7),
        ("a b c\nd", 0),
    ],
)
def test_the_motions_of_a_drawing(cells: str, n_motions: int) -> None:
    """All cells are in one line of the figure, so that every motion keeps it."""
    puzzle = read(figure(cells, " ".join(cells.split())))
    assert puzzle.motions is not None
    assert len(puzzle.motions) == n_motions
    assert len({motion.permutation for motion in puzzle.motions}) == n_motions


def isometries(points: Sequence[tuple[int, int]], stretch: int) -> set[Row]:
    """The permutations of some points that keep distances, with lines sqrt(stretch) columns apart."""

    def distances(order: Sequence[int]) -> list[int]:
        ends = [points[place] for place in order]
        return [stretch * (a[0] - b[0]) ** 2 + (a[1] - b[1]) ** 2 for a in ends for b in ends]

    identity = range(len(points))
    expected = distances(identity)
    return {order for order in permutations(identity) if distances(order) == expected}


@settings(max_examples=60)
@given(random=st.randoms(use_true_random=False), is_staggered=st.booleans())
def test_figures_against_all_permutations_of_cells(random: random.Random, is_staggered: bool) -> None:
    """The figures have up to six cells of a rectangle or of shifted lines, some sums, orders and given
    numbers.
    """
    places = [(r, 2 * c + (r % 2 if is_staggered else 0)) for r in range(3) for c in range(2)]
    names = dict(zip(places, "abcdef", strict=True))
    cells = "\n".join("".join(names.get((r, c), " ") for c in range(4)) for r in range(3))
    lines = [" ".join(random.sample("abcdef", size)) for size in random.choices((2, 3, 4), k=3)]
    lines = [f"{line} = {random.choice((7, 8, 9))}" if random.random() < 0.4 else line for line in lines]
    lines += [f"{a} < {b}" for a, b in [random.sample("abcdef", 2)] if random.random() < 0.3]
    given_number = f"[given]\n{random.choice('abcdef')} = {random.randint(1, 6)}"
    puzzle = read(figure(cells, "\n".join(lines), given_number if random.random() < 0.3 else ""))
    check_solutions_go_to_solutions(puzzle)

    model: rk.SumFigure = puzzle.model  # type: ignore[assignment]

    def said(order: Sequence[int]) -> object:
        return (
            {(frozenset(order[cell] for cell in line.cells), line.sum) for line in model.lines},
            {(order[less], order[more]) for less, more in model.orders},
            {(order[cell], number) for cell, number in model.given},
        )

    points = sorted(places)
    # Columns are two apart: squares, squares that stand on a corner, and hexagons
    stretches = (1, 3) if is_staggered else (4,)
    groups = [
        {move for move in isometries(points, stretch) if said(move) == said(range(6))}
        for stretch in stretches
    ]
    n = len(model.numbers)
    assert puzzle.motions is not None
    found = {tuple(one.permutation[cell * n] // n for cell in range(6)) for one in puzzle.motions}
    assert {*found, tuple(range(6))} in groups
    assert len(found) + 1 == max(map(len, groups))


def tiles(lattice: str, board: str, words: str, more: str = "") -> str:
    return f'kind = "tiles"\nlattice = "{lattice}"\nboard = "{board}"\ntiles = "{words}"\n{more}'


@pytest.mark.parametrize(
    ("text", "of_board", "of_constraints"),
    [
        (tiles("triangle", "triangle 2", "aab abb aaa bbb"), 6, 96),
        (tiles("triangle", "triangle 2", "aab abb aaa bbb", 'border = "a"'), 6, 6),
        (tiles("triangle", "triangle 2", "abc", 'times = "any"'), 3, None),
        (tiles("triangle", "triangle 2", "abc acb", 'times = "any"'), 6, None),
        (tiles("square", "rectangle 2 2", "aabc", 'times = "any"'), 4, None),
        (tiles("square", "rectangle 2 2", "aabc aacb", 'times = "any"'), 8, None),
        (tiles("square", "rectangle 2 2", "aabc aacb", "[times]\naabc = [0, 4]\naacb = [0, 3]"), 4, None),
        (tiles("square", "rectangle 2 3", "aabc aacb", 'times = "any"'), 4, None),
        (tiles("square", "rectangle 2 2", "aabb abab baba", 'times = "any"\nturns = false'), 2, None),
        (tiles("cube", "box 1 1 2", "aaaaab", 'times = "any"'), 16, None),
    ],
)
def test_motions_of_tiles(text: str, of_board: int, of_constraints: int | None) -> None:
    puzzle = read(text)
    assert order(puzzle) == of_board
    check_solutions_go_to_solutions(puzzle)
    if of_constraints is not None:
        assert order(puzzle, "constraints") == of_constraints


def test_triangles_up_to_turns_and_mirrors() -> None:
    """There are 12 ways on a triangle of side 2, in two orbits of six."""
    puzzle = read(tiles("triangle", "triangle 2", "aab abb aaa bbb"))
    assert rk.count(puzzle).unique == 2
    assert rk.count(puzzle, up_to="constraints").unique == 1
    assert puzzle.symmetry_in_words() == "rotation and reflection"


@settings(max_examples=40)
@given(random=st.randoms(use_true_random=False))
def test_tiles_go_to_tiles(random: random.Random) -> None:
    """For random tiles, all generators keep the solutions, and the orbits are those of the images."""
    lattice, board, sides = random.choice(
        [("triangle", "triangle 2", 3), ("square", "rectangle 2 2", 4), ("hexagon", "hexagon 2", 6)]
    )
    words = {"".join(random.choices("ab", k=sides)) for _ in range(4)}
    turned = {min(word[k:] + word[:k] for k in range(sides)) for word in words}
    puzzle = read(tiles(lattice, board, " ".join(sorted(turned)), 'times = "any"'))
    rows = set(rk.solve(puzzle, up_to="none", workers=1, limit=3000))
    if len(rows) == 3000:
        return
    check_solutions_go_to_solutions(puzzle)
    survey = OrbitSurvey(close(puzzle.model.row_shape, puzzle.generators))
    assert rk.count(puzzle, workers=1).unique == len({frozenset(survey.orbit(row)) for row in rows})


def test_complements_that_are_too_many_to_list_with_all_symmetry() -> None:
    """4x6 numbers whose rows and columns can be exchanged in 4! x 6! ways; with complements in twice as many."""
    rows = [" ".join(f"{chr(97 + r)}{c}" for c in range(6)) for r in range(4)]
    columns = [" ".join(f"{chr(97 + r)}{c}" for r in range(4)) for c in range(6)]
    lines = "; ".join([*(f"{row} = 75" for row in rows), *(f"{column} = 50" for column in columns)])
    puzzle = read(figure("\n".join(rows), lines))
    assert [order(puzzle, words) for words in ("symmetry", "complement", "constraints")] == [4, 8, 24 * 720]


@pytest.mark.parametrize(
    ("text", "words", "of_board", "of_constraints"),
    [
        ("n = 6", "rotation and reflection", 8, 8),
        ("n = 5\ntoroidal = true", "shift, rotation and reflection", 200, 400),
        ('board = """\n....x\n.....\n.....\n.....\nx....\n"""', "rotation and reflection", 4, 4),
        ('board = """\nx...\n....\n....\n....\n"""', "reflection", 2, 2),
    ],
)
def test_queens_in_files(text: str, words: str, of_board: int, of_constraints: int) -> None:
    puzzle = read(f'kind = "queens"\n{text}')
    assert puzzle.symmetry_in_words() == words
    assert (order(puzzle), order(puzzle, "constraints")) == (of_board, of_constraints)
    check_solutions_go_to_solutions(puzzle)
