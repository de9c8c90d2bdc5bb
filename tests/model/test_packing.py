"""Packings: the exact cover that they lower to, against brute force; their check; what is refused."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import replace
from itertools import combinations, product

import pytest
from hypothesis import given

from rekkyo.errors import BadModel
from rekkyo.model.exact_cover import ExactCover
from rekkyo.model.lattices import CUBE, EDGES, QUARTERED, SQUARE, Cell, Lattice
from rekkyo.model.lattices.drawing import cells_drawn
from rekkyo.model.lower import lower
from rekkyo.model.packing import MAX_CELLS, Packing, Piece, check_number_of_cells
from rekkyo.model.packing_cover import Placement
from rekkyo.model.queens import Queens
from rekkyo.verify import violations
from tests import made_once as st
from tests import naive_cover
from tests.model import naive_x

Found = frozenset[tuple[str, frozenset[Cell]]]


def shape(text: str) -> frozenset[Cell]:
    return frozenset(cells_drawn(SQUARE, text))


def rectangle(rows: int, columns: int) -> frozenset[Cell]:
    return frozenset(product(range(rows), range(columns)))


I1, I2, L3, I3 = shape("x"), shape("xx"), shape("xx\nx"), shape("xxx")


def images(cells: frozenset[Cell], board: frozenset[Cell], reflections: bool) -> set[frozenset[Cell]]:
    """Everywhere that a piece of squares can lie on a board, by the definition."""
    found = set()
    for mirrored, turns in product((False, True) if reflections else (False,), range(4)):
        turned = [(r, -c) if mirrored else (r, c) for r, c in cells]
        for _ in range(turns):
            turned = [(c, -r) for r, c in turned]
        for down, across in product(range(-9, 10), repeat=2):
            moved: frozenset[Cell] = frozenset((r + down, c + across) for r, c in turned)
            if moved <= board:
                found.add(moved)
    return found


def brute_force(model: Packing) -> set[Found]:
    """All sets of placements, checked against the definition."""
    ways = []
    for piece in model.pieces:
        allowed = model.board if piece.only_on is None else piece.only_on
        where = sorted(images(piece.cells, allowed, model.reflections), key=sorted)
        most = len(where) if piece.high is None else min(piece.high, len(where))
        ways.append(
            [
                [(piece.name, cells) for cells in subset]
                for times in range(piece.low, most + 1)
                for subset in combinations(where, times)
                if len(frozenset().union(*subset)) == times * len(piece.cells)
            ]
        )
    return {frozenset(found) for found in map(_joined, product(*ways)) if _is_packing(model, found)}


def _joined(parts: Iterable[list[tuple[str, frozenset[Cell]]]]) -> list[tuple[str, frozenset[Cell]]]:
    return [placement for part in parts for placement in part]


def _is_packing(model: Packing, found: list[tuple[str, frozenset[Cell]]]) -> bool:
    covered: frozenset[Cell] = frozenset().union(*(cells for _, cells in found))
    disjoint = len(covered) == sum(len(cells) for _, cells in found)
    bare = model.board - covered
    return disjoint and model.given <= set(found) and (bare <= model.optional or not model.filled)


def searched(model: Packing) -> set[Found]:
    return {
        frozenset((name, frozenset(cells)) for name, cells in packing) for packing in naive_x.packings(model)
    }


small_pieces = st.sampled_from([I1, I2, L3, I3, shape("xx\n.x\n.x"), shape("x.x"), shape("xx\n.xx")])


@st.composite
def small_packings(draw: st.DrawFn) -> Packing:
    board = draw(st.sets(st.sampled_from(sorted(rectangle(3, 3))), min_size=4, max_size=7))
    shapes = draw(st.lists(small_pieces, min_size=1, max_size=3, unique=True))
    pieces = []
    for name, cells in zip("ABC", shapes, strict=False):
        low = draw(st.integers(0, 2))
        high = draw(st.one_of(st.none(), st.integers(max(1, low), 3)))
        only_on = draw(st.one_of(st.none(), st.none(), st.frozensets(st.sampled_from(sorted(board)))))
        pieces.append(Piece(name, cells, low, high, only_on))
    optional = draw(st.one_of(st.just(frozenset()), st.frozensets(st.sampled_from(sorted(board)))))
    return _allowed(board, tuple(pieces), draw(st.booleans()), draw(st.booleans()), optional)


def _allowed(
    board: set[Cell],
    pieces: tuple[Piece, ...],
    reflections: bool,
    filled: bool,
    optional: frozenset[Cell],
) -> Packing:
    try:
        return Packing(SQUARE, frozenset(board), pieces, reflections, filled, optional=optional)
    except BadModel:  # wrong area
        domino = Piece("D", I2, 0, None)
        return Packing(SQUARE, rectangle(2, 3), (domino,), reflections, filled)


@given(model=small_packings())
def test_the_exact_cover_has_the_packings_that_brute_force_finds(model: Packing) -> None:
    assert searched(model) == brute_force(model)


@given(model=small_packings(), data=st.data())
def test_given_placements_are_in_every_solution_and_take_no_other_away(
    model: Packing, data: st.DataObject
) -> None:
    solutions = searched(model)
    if solutions:
        solution = data.draw(st.sampled_from(sorted(solutions, key=repr)))
        known = frozenset(data.draw(st.sets(st.sampled_from(sorted(solution, key=repr))))) if solution else ()
        restricted = replace(model, given=frozenset(known))
        assert searched(restricted) == {other for other in solutions if set(known) <= other}
        assert searched(restricted) == brute_force(restricted)


@given(model=small_packings(), down=st.integers(-50, 50), across=st.integers(-50, 50))
def test_moving_the_board_changes_no_row(model: Packing, down: int, across: int) -> None:
    def moved_by(cells: frozenset[Cell]) -> frozenset[Cell]:
        return frozenset((r + down, c + across) for r, c in cells)

    pieces = tuple(
        piece if piece.only_on is None else replace(piece, only_on=moved_by(piece.only_on))
        for piece in model.pieces
    )
    moved = replace(model, board=moved_by(model.board), optional=moved_by(model.optional), pieces=pieces)
    assert moved.cover().options == model.cover().options
    assert moved.row_shape == model.row_shape


@given(model=small_packings(), data=st.data())
def test_names_and_positions_of_pieces_change_no_row(model: Packing, data: st.DataObject) -> None:
    turned = data.draw(st.sampled_from(SQUARE.point_group if model.reflections else SQUARE.rotations))
    pieces = tuple(
        replace(
            piece,
            name=piece.name * 3,
            cells=frozenset((a * r + b * c + 7, d * r + e * c - 5) for r, c in piece.cells),
        )
        for piece in model.pieces
        for (a, b), (d, e) in [turned]
    )
    assert replace(model, pieces=pieces).cover().options == model.cover().options


@given(model=small_packings())
def test_the_check_accepts_solutions_and_nothing_that_differs_in_one_place(model: Packing) -> None:
    rows = set(naive_x.solutions(model))
    for row in sorted(rows)[:4]:
        assert violations(model, row) == []
        for position, value in product(range(len(row)), range(model.row_shape.n_symbols)):
            other = (*row[:position], value, *row[position + 1 :])
            assert (violations(model, other) == []) == (other in rows)


class TestTheExactCover:
    def test_items_and_options_of_a_filled_board(self) -> None:
        model = Packing(SQUARE, rectangle(2, 2), (Piece("L", L3), Piece("o", I1)))
        assert lower(model) == ExactCover(
            primary=("0,0", "0,1", "1,0", "1,1", "L", "o"),
            options=(
                ((0, 0), (1, 0), (2, 0), (4, 0)),
                ((0, 0), (1, 0), (3, 0), (4, 0)),
                ((0, 0), (2, 0), (3, 0), (4, 0)),
                ((1, 0), (2, 0), (3, 0), (4, 0)),
                *(((cell, 0), (5, 0)) for cell in range(4)),
            ),
        )
        assert model.placements()[3] == Placement("L", ((0, 1), (1, 0), (1, 1)))

    def test_copies_are_one_item_with_bounds(self) -> None:
        cover = Packing(SQUARE, rectangle(2, 3), (Piece("D", I2, 1, 2), Piece("o", I1, 0, 4))).cover()
        assert cover.primary[-2:] == ("D", "o")
        assert cover.bounds == ((1, 1),) * 6 + ((1, 2), (0, 4))

    def test_a_piece_for_any_number_of_times_has_no_item_unless_cells_may_stay_empty(self) -> None:
        domino = (Piece("D", I2, 0, None),)
        assert Packing(SQUARE, rectangle(2, 2), domino).cover().primary == ("0,0", "0,1", "1,0", "1,1")
        cover = Packing(SQUARE, rectangle(2, 3), domino, filled=False).cover()
        assert (cover.primary, cover.bounds) == (("D",), ((0, 3),))
        assert cover.secondary == ("0,0", "0,1", "0,2", "1,0", "1,1", "1,2")

    def test_at_least_so_many_times(self) -> None:
        model = Packing(SQUARE, rectangle(2, 3), (Piece("D", I2, 2, None), Piece("o", I1, 0, None)))
        assert model.cover().bounds[-1] == (2, 3)
        assert searched(model) == brute_force(model)

    def test_a_cell_that_may_stay_empty_is_a_secondary_item(self) -> None:
        board, corner = rectangle(2, 2), frozenset({(0, 1)})
        cover = Packing(SQUARE, board, (Piece("L", L3), Piece("o", I1, 0, None)), optional=corner).cover()
        assert cover.primary == ("0,0", "1,0", "1,1", "L", "o")
        assert cover.secondary == ("0,1",)
        assert cover.bounds[-2:] == ((1, 1), (0, 4))

    def test_a_given_piece_on_cells_that_may_stay_empty_is_in_every_solution(self) -> None:
        board, given = rectangle(1, 4), frozenset({("D", frozenset({(0, 0), (0, 1)}))})
        model = Packing(SQUARE, board, (Piece("D", I2, 0, None),), given=given, optional=board)
        assert searched(model) == brute_force(model)
        assert len(searched(model)) == 2

    def test_a_piece_is_placed_only_where_it_may_lie(self) -> None:
        pieces = (Piece("D", I2, only_on=rectangle(1, 3)), Piece("o", I1, 0, None))
        model = Packing(SQUARE, rectangle(2, 3), pieces)
        assert [cells for name, cells in model.placements() if name == "D"] == [
            ((0, 0), (0, 1)),
            ((0, 1), (0, 2)),
        ]

    def test_what_existing_models_lower_to_is_unchanged(self) -> None:
        """Hashes of models, and so the runs that people have, depend on the cover alone."""
        plain = Packing(SQUARE, rectangle(2, 3), (Piece("D", I2, 0, None), Piece("L", L3, 0, 2)))
        assert plain.cover() == replace(plain, optional=frozenset()).cover()
        everywhere = tuple(replace(piece, only_on=plain.board) for piece in plain.pieces)
        assert plain.cover() == replace(plain, pieces=everywhere).cover()
        loose = replace(plain, filled=False)
        assert replace(loose, optional=frozenset({(0, 0)})).cover() == loose.cover()

    def test_stride_keeps_every_second_place(self) -> None:
        model = Packing(SQUARE, rectangle(1, 6), (Piece("D", I2),), filled=False, stride=2)
        assert [cells for _, cells in model.placements()] == [((0, c), (0, c + 1)) for c in (0, 2, 4)]

    def test_it_is_made_once(self) -> None:
        model = Packing(SQUARE, rectangle(2, 3), (Piece("D", I2, 0, None),))
        assert lower(model) is lower(model)
        assert model.row_shape is model.row_shape == model.cover().row_shape
        assert hash(model) == hash(replace(model))
        assert model == replace(model)

    def test_other_models_lower_to_themselves(self) -> None:
        assert lower(Queens(4)) == Queens(4)
        assert lower(ExactCover(("a",))) == ExactCover(("a",))


class TestCrossing:
    """A plus of four edges: two straight pieces of two edges cross in the middle."""

    board = frozenset(cells_drawn(EDGES, "+ + +\n  |  \n+-+-+\n  |  "))
    pieces = (
        Piece("A", frozenset({(0, 1), (0, 3)}), 0, None),
        Piece("V", frozenset({(0, 1), (1, 0)}), 0, None),
    )

    def test_straight_pieces_may_cross_unless_told_otherwise(self) -> None:
        free = Packing(EDGES, self.board, self.pieces)
        assert sorted(len({name for name, _ in found}) for found in naive_x.packings(free)) == [1, 1, 1]
        tame = replace(free, crossing=False)
        assert naive_x.packings(free) - naive_x.packings(tame) == {
            frozenset({Placement("A", ((1, 2), (3, 2))), Placement("A", ((2, 1), (2, 3)))})
        }

    def test_points_are_secondary_items(self) -> None:
        assert Packing(EDGES, self.board, self.pieces, crossing=False).cover().secondary == ("+2,2",)

    def test_the_check_sees_a_crossing(self) -> None:
        model = Packing(EDGES, self.board, self.pieces, crossing=False)
        row = [n for n, (name, _) in enumerate(model.placements()) if name == "A"]
        assert "two pieces cross at 2,2" in violations(model, row)

    @pytest.mark.parametrize(
        ("lattice", "pieces"),
        [
            (CUBE, [{(0, 0, 0)}, {(0, 0, 1), (0, 0, 2)}]),
            (SQUARE, [{(2, 1), (2, 2), (2, 3)}, set(cells_drawn(SQUARE, ".\n###\n#\n###"))]),  # a bar in a U
        ],
        ids=["cubes", "squares"],
    )
    def test_only_on_edges(self, lattice: Lattice, pieces: list[set[Cell]]) -> None:
        some = tuple(Piece(name, frozenset(cells)) for name, cells in zip("AB", pieces, strict=True))
        model = Packing(lattice, frozenset().union(*pieces), some, crossing=False)
        rows = naive_cover.algorithm_x(lower(model))
        assert rows
        assert not any(violations(model, row) for row in rows)


D = Piece("D", I2)


def bad_models() -> Iterator[tuple[object, str]]:
    def packing(*pieces: Piece, board: frozenset[Cell] = rectangle(2, 2), **options: object) -> object:
        return lambda: Packing(SQUARE, board, pieces, **options)  # type: ignore[arg-type]

    yield packing(D, board=frozenset()), "packing: the board has no cells; give it at least one"
    yield packing(), "packing: there is no piece; give at least one"
    yield packing(D, D), 'packing: piece "D" appears 2 times; give copies by a number of times'
    yield packing(D, stride=0), "packing: the stride is a whole number from 1 to 1000000000, not 0"
    yield (
        packing(D, Piece("L", L3)),
        "packing: the pieces have 5 cells, more than the 4 of the board; take a larger board or fewer pieces",
    )
    yield (
        packing(D),
        "packing: the pieces have 2 cells, but the board that they fill has 4;"
        " change the pieces or the board, or let cells stay empty",
    )
    yield (
        packing(Piece("D", frozenset({(0,), (1,)}), 2, 2)),
        'packing: piece "D" has 0, which is not a cell of the square lattice',
    )
    yield (
        packing(D, board=frozenset({(0, "a")})),  # type: ignore[arg-type]
        "packing: the cells of the board are a frozenset of tuples of whole numbers, not 'a'",
    )
    for far in (10**9 + 1, -(10**9) - 1):
        yield (
            packing(D, board=frozenset({(0, 0), (far, 0)})),
            f"packing: the cells of the board lie within 1000000000 of the origin, not ({far}, 0)",
        )
        yield (
            packing(Piece("D", frozenset({(0, far)}))),
            f'packing: the cells of piece "D" lie within 1000000000 of the origin, not (0, {far})',
        )
    yield (
        packing(D, optional=frozenset({(0, "a")})),
        "packing: the cells of the board that may stay empty are a frozenset of tuples of whole numbers, not"
        " 'a'",
    )
    yield (
        lambda: Packing(QUARTERED, frozenset({(0, 0)}), (D,)),
        "packing: the board has 0,0, which is not a cell of the quartered lattice",
    )
    yield (
        packing(D, optional=frozenset({(0, 2)})),
        "packing: cell 0,2 may stay empty, but is not on the board",
    )
    yield (
        packing(Piece("D", I2, only_on=I3)),
        'packing: piece "D" may lie on 0,2, which is not on the board',
    )
    yield (
        lambda: Piece("D", I2, only_on=frozenset({0})),  # type: ignore[arg-type]
        'packing: the cells of the board for piece "D" are a frozenset of tuples of whole numbers, not 0',
    )
    two = Piece("D", I2, 2, 2)
    yield (
        packing(two, given=frozenset({("E", I2)})),
        'packing: given piece "E" is not one of the pieces',
    )
    yield (
        packing(two, given=frozenset({("D", I2), ("D", frozenset({(0, 0), (1, 0)}))})),
        'packing: given piece "D" lies on another given piece',
    )
    yield (
        packing(D, filled=False, given=frozenset({("D", I2), ("D", frozenset({(1, 0), (1, 1)}))})),
        'packing: piece "D" is given 2 times, more than allowed',
    )
    yield (
        lambda: Packing(
            SQUARE, rectangle(2, 2), (two,), given=frozenset({("D", frozenset({(0, 0), (1, 1)}))})
        ).cover(),
        'packing: given piece "D" does not lie on the board in any of its positions',
    )
    yield lambda: Piece("", I2), "packing: a piece's name has 1 to 40 printable characters, not ''"
    yield lambda: Piece("a b", I2), 'packing: the name "a b" has a space, comma, colon or bar; leave it out'
    yield lambda: Piece("a", frozenset()), 'packing: piece "a" has no cells; give it at least one'
    yield (
        lambda: Piece("a", I2, 3, 2),
        'packing: how often piece "a" is used, at least and at most, needs low <= high and 1 <= high,'
        " not (3, 2)",
    )
    yield (
        lambda: Piece("a", I2, 0, 0),
        'packing: how often piece "a" is used, at least and at most, needs low <= high and 1 <= high,'
        " not (0, 0)",
    )
    yield (
        lambda: Piece("a", I2, 1.5),  # type: ignore[arg-type]
        'packing: how often piece "a" is used, at least and at most, is a whole number from 0 to 999999999,'
        " not 1.5",
    )
    yield (
        lambda: check_number_of_cells(10**9),
        "packing: a board of 1000000000 cells is more than the 65536 that rekkyo takes on",
    )


@pytest.mark.parametrize(("make", "complaint"), list(bad_models()))
def test_bad_models_are_refused_in_one_line(make: object, complaint: str) -> None:
    with pytest.raises(BadModel) as refusal:
        make()  # type: ignore[operator]
    assert str(refusal.value) == complaint


@pytest.mark.parametrize(("down", "across"), [(0, 0), (1000, -1000)])
def test_too_many_placements_are_refused_before_they_are_made(down: int, across: int) -> None:
    """Wherever the board lies."""
    board = frozenset((row + down, column + across) for row, column in rectangle(256, 256))
    pieces = tuple(Piece(f"p{n}", frozenset({(0, c) for c in range(n, 2 * n + 1)})) for n in range(40, 60))
    model = Packing(SQUARE, board, pieces, filled=False)
    assert len(model.board) == MAX_CELLS
    with pytest.raises(BadModel, match="placements with up to 106444800 cells are more than the 16777216"):
        model.cover()


def test_mirror_images_in_space_are_other_pieces_unless_reflections_are_allowed() -> None:
    screw = Piece("A", frozenset(cells_drawn(CUBE, "aa a.\n.a ..")))
    board = frozenset(product(range(2), repeat=3))
    assert len(Packing(CUBE, board, (screw,), filled=False, reflections=False).placements()) == 12
    assert len(Packing(CUBE, board, (screw,), filled=False).placements()) == 24
