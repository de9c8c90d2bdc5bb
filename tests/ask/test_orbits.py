"""The table of orbits: published numbers, names, and agreement with `count` in every family."""

from __future__ import annotations

import sys

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import rekkyo as rk
from rekkyo.ask.orbits import OrbitClass
from rekkyo.errors import BadInput, CountsDisagree
from rekkyo.model.row import Layout, RowShape
from rekkyo.symmetry import stabilizers as stabilizing
from rekkyo.symmetry.group import Group, close
from rekkyo.symmetry.orbits import OrbitSurvey
from rekkyo.symmetry.stabilizers import Conjugacy, stabilizers
from tests import naive


def classes(words: str, up_to: str = "symmetry") -> dict[str, tuple[int, int]]:
    """(stabilizer, orbits) by name."""
    table = rk.orbits(rk.puzzle(words), up_to=up_to, workers=1)
    assert table.total == sum(c.solutions for c in table.classes)
    assert all(c.solutions * c.stabilizer == c.orbits * table.group for c in table.classes)
    return {c.symmetry: (c.stabilizer, c.orbits) for c in table.classes}


@pytest.mark.parametrize(
    ("n", "ordinary", "half", "quarter"),
    [
        (4, 0, 0, 1),
        (5, 1, 0, 1),
        (6, 0, 1, 0),
        (7, 4, 2, 0),
        (8, 11, 1, 0),
        (9, 42, 4, 0),
        (10, 89, 3, 0),
        (11, 329, 12, 0),
        (12, 1765, 18, 4),
    ],
)
def test_queens(n: int, ordinary: int, half: int, quarter: int) -> None:
    """Kraitchik, Mathematical Recreations (1942), chapter 10: ordinary, symmetric and doubly symmetric."""
    expected = {"no symmetry": (1, ordinary), "half turn": (2, half), "quarter turn": (4, quarter)}
    assert classes(f"queens {n}") == {name: pair for name, pair in expected.items() if pair[1]}


@pytest.mark.parametrize(
    ("words", "expected"),
    [
        (
            "dominoes 4 4",
            {"no symmetry": (1, 2), "mirror": (2, 3), "both mirrors": (4, 3), "quarter turn": (4, 1)},
        ),
        ("hip 4", {"no symmetry": (1, 258), "half turn": (2, 2), "both diagonal mirrors": (4, 1)}),
        ("magic-square 3", {"no symmetry": (1, 1)}),
        ("soma", {"no symmetry": (1, 240)}),
    ],
)
def test_names_of_the_symmetries_of_boards(words: str, expected: dict[str, tuple[int, int]]) -> None:
    assert expected.items() <= classes(words).items()


def test_the_only_full_board_has_all_of_the_square() -> None:
    assert classes("polyominoes 1 3 3 --any-number") == {"all of the square": (8, 1)}


def test_mirrors_that_are_not_conjugate_are_told_apart() -> None:
    names = classes("dominoes 2 4")
    assert {"mirror (1)", "mirror (2)"} & set(names) or {"mirror"} & set(names)
    assert sum(orbits for _, orbits in names.values()) == rk.count(rk.puzzle("dominoes 2 4")).unique


def test_further_symmetry_is_named_after_its_word() -> None:
    names = classes("hip 4", "exchange-colours")
    assert names["half turn with exchange-colours"] == (2, 11)


def test_without_names_an_example_is_shown() -> None:
    (name,) = (name for name in classes("van-der-waerden 3 3 6") if name != "no symmetry")
    assert name == "order 2, such as (0 5)(1 4)(2 3)"


def test_an_example_that_changes_values_has_values() -> None:
    ring = """
    kind = "coloring"
    colors = 2
    cells = "a b c d"
    symmetry = "(a b c d) colors (1 2)"
    """
    orbits = rk.orbits(rk.puzzle_from_text(ring, "ring"))
    names = [kind.symmetry for kind in orbits.classes]
    assert "order 4, such as 0 at 0 to 1 at 1, 1 at 0 to 0 at 1, 0 at 1 to 1 at 2, …" in names


def test_an_example_has_the_names_of_the_file() -> None:
    cube = """
    kind = "coloring"
    colors = 2
    cells = "a b c d e f g h"
    symmetry = ["(a b c d)(e f g h)", "(a b f e)(d c g h)"]
    """
    orbits = rk.orbits(rk.puzzle_from_text(cube, "corners of a cube"))
    names = [kind.symmetry for kind in orbits.classes]
    assert (orbits.total, orbits.unique) == (256, 23)  # Pólya 1937
    assert "order 4, such as (a b c d)(e f g h)" in names


def test_an_example_names_what_moves_and_no_more() -> None:
    row = 'kind = "coloring"\ncolors = 2\ncells = "a b c d"\nsymmetry = "(a c)"\n'
    names = [kind.symmetry for kind in rk.orbits(rk.puzzle_from_text(row, "row")).classes]
    assert names == ["no symmetry", "order 2, such as (a c)"]


@pytest.mark.parametrize(
    ("options", "example"),
    [
        ("a b\nc d", "0 {a b} to 1 {c d}, 1 {c d} to 0 {a b}"),
        ("a x:red\nb x:red", "0 {a x:red} to 1 {b x:red}, 1 {b x:red} to 0 {a x:red}"),
        ("by-day by-night\nfrom-Amsterdam to-Berlin", "0 {by-day by-night} to 1 {from-Amsterdam to..."),
        ("1-2 1-3 2-3\n4-5 4-6 5-6", "0 {1 2 3} to 1 {4 5 6}, 1 {4 5 6} to 0 {1 2 3}"),
    ],
)
def test_an_example_says_what_options_cover(options: str, example: str) -> None:
    """Items that are all pairs of some points are a block of a design, which is named by its points."""
    items = {word for word in options.split() if ":" not in word}
    text = (
        f'kind = "cover"\nitems = "{" ".join(sorted(items))}"\nsecondary = "x"\noptions = """\n{options}\n"""'
    )
    puzzle, _ = rk.with_own_symmetry(rk.puzzle_from_text(text, "mine"))
    (only,) = rk.orbits(puzzle).classes
    assert only.symmetry.startswith(f"order 2, such as option {example}")


@pytest.mark.parametrize("up_to", ["symmetry", "rotations", "none"])
@pytest.mark.parametrize("n", range(1, 8))
def test_queens_against_the_definition(n: int, up_to: str) -> None:
    table = rk.orbits(rk.queens(n), up_to=up_to, workers=1)
    result = rk.count(rk.queens(n), up_to=up_to, engine="queens-bitmap", workers=1)
    assert table.total == result.total == len(naive.queens_solutions(n))
    if up_to == "symmetry":
        orbits = naive.orbits(naive.queens_solutions(n), naive.square_symmetries(n))
        assert table.unique == result.unique == len(orbits)
        assert sorted(len(orbit) for orbit in orbits) == sorted(
            table.group // c.stabilizer for c in table.classes for _ in range(c.orbits)
        )
    if up_to == "none":
        assert table.unique == table.total


@pytest.mark.parametrize(
    "words",
    [
        "queens 8",
        "queens 7 --toroidal",
        "dominoes 4 6",
        "soma",
        "pentominoes 3 20",
        "pentominoes 8 8 --without-centre",
        "hexiamonds 6 6",
        pytest.param("tetrasticks --without H", marks=pytest.mark.second),
        "polyominoes 4 4 5 --any-number",
        "digits",
        "langford 8",
        "magic-square 4",
        "magic-star 6",
        "hip 4",
        "hip 5 --any-balance",
        "schur 3 13",
        "van-der-waerden 3 4 17",
        "ramsey 3 4 7",
        "rectangle-free 4 4 2",
    ],
)
def test_every_family_finds_the_same_from_representatives_alone(words: str) -> None:
    """`count` may search for representatives alone; `orbits` sees every solution."""
    puzzle = rk.puzzle(words)
    kinds = ["symmetry"] + ([] if puzzle.motions is None else ["rotations"])
    kinds += [kind.word for kind in puzzle.further]
    for up_to in kinds:
        result = rk.count(puzzle, up_to=up_to)
        if result.unique is None:
            assert not puzzle.knows_symmetry
            continue
        table = rk.orbits(puzzle, up_to=up_to)
        assert (table.total, table.unique) == (result.total, result.unique)


class TestWords:
    @pytest.mark.parametrize(
        ("synonym", "word"),
        [("fixed", "none"), ("one-sided", "rotations"), ("free", "symmetry"), ("fundamental", "symmetry")],
    )
    def test_synonyms(self, synonym: str, word: str) -> None:
        puzzle = rk.queens(6)
        assert puzzle.generators_up_to(synonym) == puzzle.generators_up_to(word)
        assert rk.count(puzzle, up_to=synonym).up_to == word

    @pytest.mark.parametrize(
        ("words", "rotations"),
        [
            ("queens 8", 4),
            ("queens 6 --blocked 0,1 --blocked 1,0", 1),
            ("queens 5 --toroidal", 100),
            ("pentominoes 6 10", 2),
            ("soma", 24),
            ("bedlam", 24),
            ("hexiamonds 6 6", 2),
            ("hip 4", 4),
            ("magic-square 4", 4),
            ("magic-star 7", 7),
            ("magic-hexagon 3", 6),
            ("magic-cube 3", 24),
        ],
    )
    def test_rotations(self, words: str, rotations: int) -> None:
        puzzle = rk.puzzle(words)
        generators = puzzle.generators_up_to("rotations")
        assert generators is not None
        group = close(puzzle.model.row_shape, generators)
        assert group.order == rotations
        whole = close(puzzle.model.row_shape, puzzle.generators)
        assert {e.tobytes() for e in group.elements} <= {e.tobytes() for e in whole.elements}

    def test_rotations_of_eight_queens(self) -> None:
        """Twelve, of which eleven have a different mirror image; the twelfth is turned into its own by no turn."""
        assert rk.count(rk.queens(8), up_to="rotations").unique == 24

    @pytest.mark.parametrize(
        ("words", "up_to", "message"),
        [
            (
                "langford 4",
                "rotations",
                'up to "rotations" is not known for langford 4; use one of: symmetry, none',
            ),
            (
                "queens 6",
                "rotation",
                'up to "rotation" is not known for queens 6; use one of: symmetry, rotations',
            ),
            ("hip 4", "rotations,exchange-colours", 'up to "rotations" stands alone'),
            ("hip 4", "exchange-colours,none", 'up to "none" stands alone'),
        ],
    )
    def test_words_that_make_no_sense(self, words: str, up_to: str, message: str) -> None:
        with pytest.raises(BadInput, match=message):
            rk.count(rk.puzzle(words), up_to=up_to)


@pytest.mark.parametrize(("order", "total"), [(8, 89), (1, 96)])
def test_an_engine_that_loses_a_solution_is_caught(
    order: int, total: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Whether the solution itself is missing, or one of its images."""
    module = sys.modules["rekkyo.ask.orbits"]
    monkeypatch.setattr(module, "stabilizers", lambda group, rows: [frozenset(range(order))] * len(rows))
    with pytest.raises(CountsDisagree, match=f"the orbits hold {total} solutions, but 92 were found"):
        rk.orbits(rk.queens(8))


def test_classes_are_values() -> None:
    table = rk.orbits(rk.queens(6))
    assert table.classes == (OrbitClass("half turn", 2, 1, 4),)
    assert (table.group, table.total, table.unique) == (8, 4, 1)


@given(
    one=st.permutations(range(4)),
    other=st.permutations(range(4)),
    row=st.lists(st.integers(0, 3), min_size=2, max_size=2),
    most_atoms=st.sampled_from([1, 50, 1000]),
)
def test_stabilizers_and_conjugates_by_the_definition(
    one: list[int], other: list[int], row: list[int], most_atoms: int
) -> None:
    """Elements one by one, some at a time, and all at once."""
    shape = RowShape(2, 4, Layout.BY_OPTION)
    group: Group = close(shape, [tuple(one), tuple(other)])
    row = sorted(set(row)) + [4] * (2 - len(set(row)))
    elements = group.elements.tolist()
    fixing = [
        {
            number
            for number, e in enumerate(elements)
            if sorted([*e, 4][option] for option in image) == list(image)
        }
        for image in OrbitSurvey(group).orbit(row)
    ]
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(stabilizing, "MOST_ATOMS", most_atoms)
        found = stabilizers(group, np.array(list(OrbitSurvey(group).orbit(row)), dtype=np.uint8))
        assert stabilizers(group, np.empty((0, 2), dtype=np.uint8)) == []
    assert [set(subgroup) for subgroup in found] == fixing
    conjugacy = Conjugacy(group)
    assert len({conjugacy.name(subgroup) for subgroup in found}) == 1, "one orbit, one class"


def test_orbits_under_an_unknown_symmetry_are_refused() -> None:
    problem = rk.Problem()
    problem.variables("abc", range(3))
    unknown = rk.Puzzle("cells", problem.puzzle().model, "Three cells")
    with pytest.raises(BadInput, match="no symmetry of cells is known, so its orbits are unknown"):
        rk.orbits(unknown)
    assert rk.orbits(unknown, up_to="none").unique == 27


def test_orbits_of_many_equal_options() -> None:
    """None or one of seven, which may be exchanged: 5040 symmetries, and 720 that keep a solution."""
    model = rk.ExactCover(("a",), (), (((0, 0),),) * 7, ((0, 1),))
    table = rk.orbits(rk.with_own_symmetry(rk.Puzzle("equal", model, "Equal options"))[0])
    assert [(one.stabilizer, one.orbits, one.solutions) for one in table.classes] == [
        (720, 1, 7),
        (5040, 1, 1),
    ]
