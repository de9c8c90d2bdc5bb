"""Symmetry that nobody declared: found in the model, for every family."""

from __future__ import annotations

import random
from collections import Counter
from dataclasses import replace
from math import factorial
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

import rekkyo as rk
from rekkyo.catalog.own_symmetry import own_symmetry, with_own_symmetry
from rekkyo.errors import BadInput
from rekkyo.model.coloring import Coloring
from rekkyo.model.exact_cover import ExactCover
from rekkyo.model.lower import lower
from rekkyo.model.puzzle import Puzzle
from rekkyo.model.queens import Queens
from rekkyo.model.row import AtomPermutation
from rekkyo.model.sum_figure import Line, SumFigure
from rekkyo.symmetry.automorphisms import ColoredGraph
from rekkyo.symmetry.group import close
from rekkyo.symmetry.orbits import OrbitSurvey
from tests import naive_cover


def order(puzzle: Puzzle, generators: tuple[AtomPermutation, ...]) -> int:
    return close(puzzle.model.row_shape, generators).order


def of_constraints(found: rk.OwnSymmetry) -> tuple[AtomPermutation, ...]:
    """Generators of all symmetry of the constraints; of a board, `symmetry` is what its motions keep."""
    return next((kind.generators for kind in found.further if kind.word == "constraints"), found.generators)


AS_DECLARED = [
    "queens 1",
    "queens 2",
    "queens 8",
    "queens 16",
    "queens 8 --given 0,0",
    "queens 8 --given 0,0 --blocked 7,3",
    "pentominoes 6 10",
    "pentominoes 3 20",
    "pentominoes 8 8 --without-centre",
    "pentominoes-3d 2 5 6",
    "soma",
    "bedlam",
    "hexiamonds 6 6",
    "tetrasticks",
    "tetrasticks --crossing",
    "dominoes 8 8",
    "polyominoes 3 6 6 --any-number",
    "digits --exchange-equal",
    "langford 3",
    "langford 12",
    "magic-square 3",
    "magic-star 7",
    "magic-star 8",
    "magic-hexagon 3",
    "magic-cube 3",
    "hip 4",
    "hip 6",
    "hip 4 5",
    "hip 5 --colors 3",
    "rectangle-free 4 4 2",
    "van-der-waerden 3 3 8",
    "van-der-waerden 3 5 21",
    "schur 3 13",
    "sum-free 30",
    "ramsey 3 3 5",
    "ramsey 3 4 8",
]

LARGER = [
    ("queens 5 --toroidal", 400, "rows and columns times 2, modulo 5, as well"),
    ("queens 7 --toroidal", 1176, "rows and columns times 2 or 4, modulo 7, as well"),
    ("queens 8 --toroidal", 64 * 8 * 2, "rows and columns times 3, modulo 8, as well"),
    ("queens 9 --toroidal", 81 * 8 * 3, "rows and columns times 2 or 4, modulo 9, as well"),
    ("queens 12 --toroidal", 144 * 8 * 2, "rows and columns times 5, modulo 12, as well"),
    ("digits", 16, "the equal shapes 2 and 5, and 6 and 9, exchanged"),
    ("digits --offset block", 16, "the same"),
    ("magic-square 4", 32, "exchanges of rows with columns that keep the diagonals"),
    ("magic-square 5", 32, "the same"),
    ("magic-square 6", 192, "the same"),
    ("semimagic-square 4", 2 * factorial(4) ** 2, "any rows, any columns"),
    ("pandiagonal-square 4", 128, "the shifts of the torus"),
    ("pandiagonal-square 5", 800, "the shifts, and affine maps that keep the four directions"),
    ("associative-square 4", 32, "exchanges of rows with columns"),
    ("magic-star 5", 120, "five lines, each two crossing once: any lines exchanged"),
    ("magic-star 6", 48, "both triangles apart"),
    ("magic-cube 4", 192, "exchanges of layers in all three directions that keep the diagonals"),
]
"""True symmetries of the model beyond those of the board, which the catalog offers on demand or not at all."""


@pytest.mark.parametrize("words", AS_DECLARED)
def test_it_is_the_declared_one(words: str) -> None:
    puzzle = rk.puzzle(words)
    found = own_symmetry(lower(puzzle.model))
    assert found.trouble == ""
    generators = of_constraints(found)
    assert order(puzzle, puzzle.generators) == order(puzzle, generators)
    joined = order(puzzle, puzzle.generators + generators)
    assert joined == order(puzzle, generators), "the same group, not only one of the same order"
    assert generators != found.generators or found.order == joined


def test_blocked_squares_stay_where_they_are() -> None:
    """They are in no row, so it does not matter where a symmetry takes them; the declared one moves them."""
    puzzle = rk.puzzle("queens 6 --blocked 0,1 --blocked 5,4")
    (generator,) = own_symmetry(puzzle.model).generators
    (declared,) = puzzle.generators
    blocked = {1, 34}
    assert {atom: image for atom, image in enumerate(generator) if atom not in blocked} == {
        atom: image for atom, image in enumerate(declared) if atom not in blocked
    }
    assert all(generator[atom] == atom for atom in blocked)


def test_colours_of_other_numbers_of_cells_are_not_exchanged() -> None:
    model = Coloring(3, 3, bounds=((1, 1), (1, 1), (0, 3)))
    found = own_symmetry(model)
    (further,) = found.further
    puzzle = Puzzle("three", model, "three")
    assert (found.order, order(puzzle, found.generators + further.generators)) == (6, 12)


def test_a_sum_that_is_not_in_the_middle_has_no_complement() -> None:
    sums = [own_symmetry(SumFigure(tuple("abc"), (1, 2, 3), (Line((0, 1), total),))) for total in (3, 4)]
    assert [[kind.word for kind in found.further] for found in sums] == [[], ["complement"]]


def test_it_is_added_to_another_one_of_the_same_order() -> None:
    """That cells 2 and 3 can be exchanged follows from the first set, which makes the second superfluous. The
    graph tells the cells apart; its symmetry exchanges 0 and 1.
    """
    model = Coloring(4, 2, ((0, 1), (0, 1, 2)))
    exchange = tuple(2 * cell + color for cell in (0, 1, 3, 2) for color in (0, 1))
    puzzle, found = with_own_symmetry(Puzzle("sets", model, "sets", generators=(exchange,)))
    assert found.order == 2 == own_symmetry(model).order
    assert [rk.count(puzzle, up_to=words).unique for words in ("symmetry", "constraints")] == [6, 3]


def test_all_symmetry_is_offered_once_beside_a_declared_part() -> None:
    """A board of 4x4 cells without constraints is turned; any cells can be exchanged, too many ways to list."""
    turned = tuple(2 * (4 * (3 - c) + r) + color for r in range(4) for c in range(4) for color in (0, 1))
    model = Coloring(16, 2, grid=(4, 4))
    puzzle, found = with_own_symmetry(Puzzle("free", model, "free", generators=(turned,)))
    assert (found.order, puzzle.further) == (4, ())
    assert [relation.word for relation in puzzle.relations] == ["constraints"]


def test_motions_of_a_packing_are_not_offered_as_all_its_symmetry() -> None:
    puzzle = rk.puzzle("dominoes 4 4")
    declared = replace(puzzle, generators=puzzle.generators[:1], motions=None, further=(), relations=())
    own, found = with_own_symmetry(declared)
    assert (found.order, own.further, own.symmetry_was_searched) == (2, (), False)


def test_blocked_squares_add_nothing() -> None:
    puzzle, _ = with_own_symmetry(rk.puzzle("queens 6 --blocked 0,1 --blocked 5,4"))
    assert puzzle.further == ()


@pytest.mark.parametrize(("words", "larger"), [case[:2] for case in LARGER])
def test_it_is_larger_for_a_known_reason(words: str, larger: int) -> None:
    puzzle = rk.puzzle(words)
    found = own_symmetry(lower(puzzle.model))
    assert found.trouble == ""
    assert found.order == order(puzzle, found.generators)
    generators = of_constraints(found)
    assert order(puzzle, generators) == larger
    assert order(puzzle, generators + puzzle.generators) == larger, "it contains the declared one"


@pytest.mark.parametrize(
    ("words", "further"),
    [
        ("hip 4", 16),
        ("schur 3 13", 6),
        ("ramsey 3 3 5", 240),
        ("ramsey 3 4 8", None),
        ("magic-square 3", 16),
        ("magic-cube 3", 96),
        ("magic-hexagon 3", None),
    ],
)
def test_further_symmetry(words: str, further: int | None) -> None:
    """Colours exchanged and numbers complemented; not where that does not keep the model."""
    puzzle = rk.puzzle(words)
    found = own_symmetry(puzzle.model)
    declared = [kind.word for kind in puzzle.further if kind.word in ("exchange-colours", "complement")]
    assert [kind.word for kind in found.further] == declared
    if further is None:
        assert not found.further
    else:
        assert order(puzzle, found.generators + found.further[0].generators) == further


def test_a_group_too_large_to_list_is_not_used_and_that_is_said() -> None:
    found = own_symmetry(rk.puzzle("sudoku").model)
    assert found.order == 3359232 * factorial(9)
    assert found.generators == ()
    assert found.trouble == (
        f"the symmetry group has order {found.order}, too large to list, so none is used; count with --up-to"
        ' constraints (in Python up_to="constraints")'
    )
    [relation] = found.relations
    assert (relation.word, relation.order) == ("constraints", found.order)
    assert relation == replace(relation, order=0), "hashes of puzzles have the generators only"


def test_a_search_that_takes_too_long_is_given_up_and_that_is_said(monkeypatch: pytest.MonkeyPatch) -> None:
    find = ColoredGraph.automorphisms
    monkeypatch.setattr(ColoredGraph, "automorphisms", lambda graph, _: find(graph, 1000))
    for words in ("soma", "schur 3 13", "magic-square 4"):
        found = own_symmetry(lower(rk.puzzle(words).model))
        assert (found.generators, found.further, found.order) == ((), (), None)
        assert "took too long, so none is used" in found.trouble


def test_given_numbers_may_be_complemented_into_each_other() -> None:
    model = SumFigure(("a", "b", "c"), (1, 2, 3), (Line((0, 1, 2)),), given=frozenset({(0, 1), (2, 3)}))
    found = own_symmetry(model)
    assert found.order == 1
    (complement,) = found.further
    assert complement.generators == ((8, 7, 6, 5, 4, 3, 2, 1, 0),), "a and c exchanged, 1 and 3 as well"


def test_orders_between_cells_have_a_direction() -> None:
    lines = (Line((0, 1)),)
    assert own_symmetry(SumFigure(("a", "b"), (1, 2), lines)).order == 2
    ordered = own_symmetry(SumFigure(("a", "b"), (1, 2), lines, orders=((0, 1),)))
    assert ordered.order == 1
    assert ordered.further[0].generators == ((3, 2, 1, 0),), "turned round together with the numbers"


def relabelled_cover(model: ExactCover, rng: random.Random) -> ExactCover:
    primary = rng.sample(range(len(model.primary)), len(model.primary))
    secondary = rng.sample(range(len(model.secondary)), len(model.secondary))
    new = {old: index for index, old in enumerate(primary)}
    new |= {len(primary) + old: len(primary) + index for index, old in enumerate(secondary)}
    options = [tuple((new[item], color) for item, color in option) for option in model.options]
    rng.shuffle(options)
    names = [f"i{rng.randrange(10**9)}-{index}" for index in range(len(new))]
    bounds = tuple(model.bounds[old] for old in primary) if model.bounds else ()
    return ExactCover(tuple(names[: len(primary)]), tuple(names[len(primary) :]), tuple(options), bounds)


def relabelled_coloring(model: Coloring, rng: random.Random) -> Coloring:
    cells = rng.sample(range(model.n_cells), model.n_cells)
    colors = rng.sample(range(model.n_colors), model.n_colors)
    sets = [tuple(rng.sample([cells[c] for c in members], len(members))) for members in model.sets]
    rng.shuffle(sets)
    patterns = tuple(tuple((cells[c], colors[k]) for c, k in pattern) for pattern in model.patterns)
    bounds = tuple(model.bounds[colors.index(k)] for k in range(len(model.bounds)))
    return Coloring(model.n_cells, model.n_colors, tuple(sets), patterns, bounds)


def relabelled_figure(model: SumFigure, rng: random.Random) -> SumFigure:
    cells = rng.sample(range(len(model.cells)), len(model.cells))
    lines = [
        Line(tuple(rng.sample([cells[c] for c in line.cells], len(line.cells))), line.sum)
        for line in model.lines
    ]
    rng.shuffle(lines)
    orders = tuple((cells[a], cells[b]) for a, b in model.orders)
    return replace(model, lines=tuple(lines), orders=orders)


def relabelled(model: Any, rng: random.Random) -> Any:
    if isinstance(model, ExactCover):
        return relabelled_cover(model, rng)
    return (relabelled_coloring if isinstance(model, Coloring) else relabelled_figure)(model, rng)


def orbit_table(model: Any) -> tuple[int, int, int, Counter[tuple[int, int, int]]]:
    puzzle, found = with_own_symmetry(Puzzle("own", model, "own"))
    assert not found.trouble
    table = rk.orbits(puzzle, workers=1)
    result = rk.count(puzzle, workers=1)
    assert (table.total, table.unique) == (result.total, result.unique)
    classes = Counter((c.stabilizer, c.orbits, c.solutions) for c in table.classes)
    return table.total, table.unique, table.group, classes


@pytest.mark.parametrize(
    "words",
    [
        "dominoes 4 4",
        "polyominoes 3 4 3 --any-number",
        "polyominoes 4 4 5 --any-number",
        "langford 7",
        "pentominoes 3 20",
        pytest.param("tetrasticks --without H", marks=pytest.mark.second),
        "hip 4",
        "schur 2 4",
        "van-der-waerden 3 3 8",
        "ramsey 3 3 5",
        "magic-square 3",
        "magic-star 5",
    ],
)
def test_names_decide_nothing(words: str) -> None:
    """Cells, items, options, colours and lines in another order: the same total, unique and orbit table."""
    model = lower(rk.puzzle(words).model)
    expected = orbit_table(model)
    for seed in range(2):
        assert orbit_table(relabelled(model, random.Random(seed))) == expected


@given(naive_cover.models(max_options=6), st.randoms(use_true_random=False))
def test_names_decide_nothing_in_any_cover(model: ExactCover, rng: random.Random) -> None:
    assert orbit_table(relabelled(model, rng)) == orbit_table(model)


@pytest.mark.parametrize("words", ["dominoes 4 4", "langford 7", "soma", "hip 4", "queens 6", "magic-star 5"])
def test_representatives_stand_for_all_solutions_each_once(words: str) -> None:
    puzzle, _ = with_own_symmetry(rk.puzzle(words))
    survey = OrbitSurvey(close(puzzle.model.row_shape, puzzle.generators))
    orbits = [survey.orbit(row) for row in rk.solve(puzzle, up_to="symmetry", workers=1)]
    assert sorted(row for orbit in orbits for row in orbit) == sorted(rk.solve(puzzle, workers=1))


def test_the_board_of_a_file_is_turned_and_the_rest_is_asked_for(tmp_path: Path) -> None:
    """Maximum bishops on 6 x 6 (OEIS A002465): 64 ways, 10 of them up to the board; squares of each colour move apart."""
    path = tmp_path / "bishops.toml"
    path.write_text(
        "\n".join(
            [
                'kind = "coloring"',
                'colors = "oB"',
                "board = '''",
                *["######"] * 6,
                "'''",
                "[counts]",
                "B = 10",
                "[[avoid]]",
                "pattern = '''",
                "B",
                " B",
                "'''",
                'stretch = "evenly"',
                'orientations = "all"',
            ]
        ),
        encoding="utf-8",
    )
    puzzle = rk.puzzle_from_file(path)
    assert puzzle.symmetry_in_words() == "rotation and reflection"
    found = rk.count(puzzle)
    rows = {tuple(row) for row in rk.solve(puzzle)}
    classes = {min(images_on_board(row, 6)) for row in rows}
    assert (found.total, found.unique) == (64, len(classes)) == (64, 10)
    further = rk.count(puzzle, up_to="constraints").unique
    assert further is not None
    assert further < 10


def images_on_board(row: tuple[int, ...], n: int) -> set[tuple[int, ...]]:
    """A square board turned and mirrored in eight ways."""
    images = set()
    for flipped in (row, tuple(row[r * n + n - 1 - c] for r in range(n) for c in range(n))):
        image = flipped
        for _ in range(4):
            image = tuple(image[(n - 1 - c) * n + r] for r in range(n) for c in range(n))
            images.add(image)
    return images


@pytest.mark.parametrize("what", [rk.queens(4), "queens 4", 5, None, Queens, [10**5000]])
def test_the_symmetry_of_no_model_is_refused(what: Any) -> None:
    """It was said to have none, with nothing missing."""
    with pytest.raises(BadInput, match=r"not of .*; give puzzle\.model"):
        rk.own_symmetry(what)
