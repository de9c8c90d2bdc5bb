"""Packings of the catalog: counts against published ones, symmetry, names, refusals."""

from __future__ import annotations

from math import cos, isclose, pi, prod

import pytest

import rekkyo as rk
from rekkyo.catalog import index, packings
from rekkyo.catalog.entry import published, table
from rekkyo.errors import BadInput
from rekkyo.model.exact_cover import ExactCover
from rekkyo.model.packing import Packing
from rekkyo.model.puzzle import Puzzle
from rekkyo.render.board import board
from rekkyo.symmetry.group import close
from tests.catalog.searched import counts, group_order, rows


def puzzle(words: str) -> Puzzle:
    return index.puzzle(words.split())


@pytest.mark.parametrize(
    ("words", "expected"),
    [
        ("pentominoes 3 20", (8, 2)),
        ("pentominoes 6 10", (9356, 2339)),
        ("pentominoes 12 5", (4040, 1010)),
        ("pentominoes 15 4", (1472, 368)),
        ("pentominoes 8 8 --without-centre", (520, 65)),
        ("soma", (11520, 240)),
        ("hexiamonds 6 6", (624, 156)),
        ("hexiamonds 9 4", (148, 74)),
        ("hexiamonds 3 12", (0, 0)),
        ("pentominoes-3d 10 3 2", (96, 12)),
        ("pentominoes-3d 2 5 6", (2112, 264)),
    ],
)
def test_counts_are_the_published_ones(words: str, expected: tuple[int, int]) -> None:
    found = puzzle(words)
    assert counts(found) == expected
    assert found.published is not None
    assert found.published.agrees_with(*expected)


@pytest.mark.long
@pytest.mark.parametrize(
    ("words", "expected"),
    [
        ("pentominoes-3d 3 4 5", (31520, 3940)),
        ("bedlam", (460464, 19186)),
        ("tetrasticks --without H", (576, 72)),
        ("tetrasticks --without J", (3056, 382)),
        ("tetrasticks --without L", (4856, 607)),
        ("tetrasticks --without N", (4240, 530)),
        ("tetrasticks --without Y", (1632, 204)),
        ("tetrasticks", (14360, 1795)),
    ],
)
def test_counts_are_the_published_ones_at_length(words: str, expected: tuple[int, int]) -> None:
    test_counts_are_the_published_ones(words, expected)


def kasteleyn(width: int, height: int) -> float:
    """The number of domino tilings of a rectangle, by the product formula (for an even number of cells)."""
    angles = [
        (pi * (j + 1) / (width + 1), pi * (k + 1) / (height + 1)) for j in range(width) for k in range(height)
    ]
    return float(prod((4 * cos(a) ** 2 + 4 * cos(b) ** 2) ** 0.25 for a, b in angles))


@pytest.mark.parametrize(("width", "height"), [(1, 2), (2, 3), (3, 4), (4, 5), (6, 6), (2, 9)])
def test_dominoes_are_as_many_as_kasteleyn_says(width: int, height: int) -> None:
    assert len(rows(rk.puzzle(["dominoes", str(width), str(height)]))) == round(kasteleyn(width, height))


def test_published_dominoes_are_as_many_as_kasteleyn_says() -> None:
    for n in (2, 4, 6, 8):
        known = published("packings", "dominoes", f"{n} {n}")
        assert known is not None
        assert known.total is not None
        assert isclose(known.total, kasteleyn(n, n), rel_tol=1e-9)


@pytest.mark.parametrize(
    ("words", "total"),
    [
        ("polyominoes 3 2 9 --any-number --only L", 2**3),  # three 2x3 blocks, each in two ways
        ("polyominoes 3 5 9 --any-number --only L", 384),  # recomputed
        ("polyominoes 5 5 10 --any-number --only Y", 10),  # recomputed
        ("polyominoes 2 4 4 --any-number", 36),  # dominoes
        ("polyominoes 1 1 1", 1),
    ],
)
def test_polyominoes_any_number_of_times(words: str, total: int) -> None:
    assert len(rows(puzzle(words))) == total


@pytest.mark.parametrize(
    ("words", "order"),
    [
        ("pentominoes 6 10", 4),
        ("pentominoes 8 8 --without-centre", 8),
        ("pentominoes 9 7 --hole 0,0 --hole 0,8 --hole 3,4", 2),
        ("pentominoes 61 1 --hole 0,5", 1),
        ("hexiamonds 6 6", 4),
        ("hexiamonds 4 9", 2),
        ("dominoes 4 4", 8),
        ("dominoes 3 4", 4),
        ("tetrasticks", 8),
        ("soma", 48),
        ("bedlam", 24),
        ("pentominoes-3d 3 4 5", 8),
    ],
)
def test_order_of_the_symmetry_group(words: str, order: int) -> None:
    assert group_order(puzzle(words)) == order


@pytest.mark.parametrize("words", ["pentominoes 3 20", "soma", "dominoes 4 4", "hexiamonds 4 9"])
def test_symmetries_take_solutions_to_solutions(words: str) -> None:
    found = puzzle(words)
    solutions = set(rows(found))
    filler = found.model.row_shape.n_values
    for generator in found.generators:
        images = {tuple(sorted(generator[v] if v < filler else filler for v in row)) for row in solutions}
        assert images == solutions


def test_no_generator_is_superfluous() -> None:
    for words in ("soma", "pentominoes 6 10", "dominoes 4 4"):
        found = puzzle(words)
        orders = [
            close(found.model.row_shape, found.generators[:n]).order for n in range(len(found.generators) + 1)
        ]
        assert orders == sorted(set(orders))


@pytest.mark.parametrize("words", ["pentominoes 3 20", "soma", "dominoes 4 4"])
def test_solutions_pass_the_check(words: str) -> None:
    found = puzzle(words)
    assert all(rk.verify(found, row) == [] for row in rows(found)[:50])


@pytest.mark.parametrize(
    ("words", "name"),
    [
        ("pentominoes 6 10", "pentominoes 6 10"),
        (
            "pentominoes --hole 1,1 7 9 --hole=0,5 --hole 8,6",
            "pentominoes 7 9 --hole 0,5 --hole 1,1 --hole 8,6",
        ),
        ("polyominoes 3 3 4 --only L --any-number", "polyominoes 3 3 4 --any-number --only L"),
        ("dominoes 2 3", "dominoes 2 3"),
        ("hexiamonds 6 6", "hexiamonds 6 6"),
        ("tetrasticks --crossing --without J", "tetrasticks --crossing --without J"),
        ("soma", "soma"),
        ("bedlam", "bedlam"),
        ("pentominoes-3d 3 4 5", "pentominoes-3d 3 4 5"),
    ],
)
def test_the_name_is_words_again(words: str, name: str) -> None:
    found = puzzle(words)
    assert found.name == name
    assert puzzle(name) == found


@pytest.mark.parametrize(
    ("words", "complaint"),
    [
        (
            "pentominoes 7 9",
            "packing: the pieces have 60 cells, but the board that they fill has 63;"
            " change the pieces or the board, or let cells stay empty",
        ),
        (
            "pentominoes 5 5",
            "packing: the pieces have 60 cells, more than the 25 of the board;"
            " take a larger board or fewer pieces",
        ),
        (
            "pentominoes 1000 1000",
            "packing: a board of 1000000 cells is more than the 65536 that rekkyo takes on",
        ),
        (
            "pentominoes 1000000000 1",
            'pentominoes: W must be a whole number from 1 to 1000, not "1000000000"',
        ),
        (
            "pentominoes-3d 1000 1000 1000",
            "packing: a board of 1000000000 cells is more than the 65536 that rekkyo takes on",
        ),
        ("pentominoes 8 8 --hole 8,0", "packing: hole 8,0 is not on the board"),
        ("pentominoes 8 8 --hole 8", 'a cell is written ROW,COLUMN, both from 0, such as 0,3; not "8"'),
        ("polyominoes 4 4 5 --only X", 'polyominoes: order 4 has no piece "X"; known: I, L, O, S, T'),
        ("polyominoes 9 1 1", 'polyominoes: ORDER must be a whole number from 1 to 8, not "9"'),
        (
            "polyominoes 5 7 9",
            "packing: the pieces have 60 cells, but the board that they fill has 63;"
            " change the pieces or the board, or let cells stay empty",
        ),
        ("tetrasticks --without X", 'tetrasticks: leave out one of H, J, L, N, Y, not "X"'),
        ("tetrasticks --without H --without J", "tetrasticks: --without is given twice; give it once"),
    ],
)
def test_bad_words_are_refused_in_one_line(words: str, complaint: str) -> None:
    with pytest.raises(BadInput) as refusal:
        puzzle(words)
    assert str(refusal.value) == complaint


@pytest.mark.parametrize("side", [0, -1, 2.0, "3", None, True])
def test_python_callers_get_the_same_refusals(side: object) -> None:
    with pytest.raises(BadInput, match="a side of the board is a whole number from 1, not"):
        packings.dominoes(side, 3)  # type: ignore[arg-type]
    with pytest.raises(BadInput, match="a side of the board is a whole number from 1, not"):
        packings.solid_pentominoes(3, 4, side)  # type: ignore[arg-type]


def test_every_line_of_the_data_has_a_source_and_a_puzzle() -> None:
    for (name, parameter), known in table("packings").items():
        assert known.source
        words = name.replace(" without centre", " {} --without-centre") if "centre" in name else name + " {}"
        words = words.format(parameter if parameter != "-" else "").strip()
        if name == "tetrasticks" and parameter != "-":
            words = f"tetrasticks --without {parameter}"
        assert puzzle(words).published == known


class TestDrawings:
    def draw_first(self, words: str) -> list[str]:
        found = puzzle(words)
        return board(found, rows(found)[0]).splitlines()

    def test_pieces_by_their_letters(self) -> None:
        lines = self.draw_first("pentominoes 20 3")
        assert [len(line) for line in lines] == [20, 20, 20]
        assert sorted("".join(lines)) == sorted("FILNPTUVWXYZ" * 5)

    def test_layers_side_by_side(self) -> None:
        lines = self.draw_first("soma")
        assert [len(line) for line in lines] == [11, 11, 11]
        assert sorted("".join(lines).replace(" ", "")) == sorted("ABLPTZ" * 4 + "VVV")

    def test_copies_that_touch_get_different_letters(self) -> None:
        found = puzzle("dominoes 4 4")
        assert isinstance(found.model, Packing)
        for row in rows(found):
            lines = board(found, row).splitlines()
            for placement in row:
                (r1, c1), (r2, c2) = found.model.placements()[placement].cells
                letter = lines[r1][c1]
                assert lines[r2][c2] == letter
                around = found.model.lattice.neighbours((r1, c1)) + found.model.lattice.neighbours((r2, c2))
                inside = [(r, c) for r, c in around if 0 <= r < 4 and 0 <= c < 4]
                assert [lines[r][c] for r, c in inside].count(letter) == 2

    def test_empty_cells_are_points(self) -> None:
        found = puzzle("digits")
        nothing = [found.model.row_shape.n_values] * 10
        assert board(found, nothing).splitlines()[0] == " . " * 8 + " ."

    def test_edges_between_points(self) -> None:
        found = puzzle("tetrasticks --without H")
        nothing = [found.model.row_shape.n_values] * found.model.row_shape.length
        assert board(found, nothing).splitlines()[:2] == ["+.+.+.+.+.+", ". . . . . ."]

    def test_an_exact_cover_is_a_line_for_each_option(self) -> None:
        model = ExactCover(("pair1", "place2", "place4"), (), (((1, 0),), ((0, 0), (2, 0))))
        found = Puzzle("mine", model, "options")
        assert board(found, rows(found)[0]).splitlines() == ["place2", "pair1 place4"]

    def test_langford_pairs_stand_in_a_row(self) -> None:
        assert self.draw_first("langford 3") == ["3 1 2 1 3 2"]
