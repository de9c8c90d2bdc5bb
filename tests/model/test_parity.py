"""What the colours of cells forbid, against counts."""

from __future__ import annotations

import random

import pytest

import rekkyo as rk
from rekkyo.model.lattices import CUBE, HEXAGON, SQUARE, TRIANGLE, Cell, Lattice
from rekkyo.model.packing import Packing, Piece
from rekkyo.model.parity import parity_forbids


def test_a_board_without_two_corners() -> None:
    board = frozenset((r, c) for r in range(4) for c in range(4)) - {(0, 0), (3, 3)}
    packing = Packing(SQUARE, board, (Piece("D", frozenset({(0, 0), (0, 1)}), 7, 7),))
    assert "2 more cells of one colour" in (parity_forbids(packing) or "")
    assert packing.obstacles() == [parity_forbids(packing)]


def grown(rng: random.Random, lattice: Lattice, n_cells: int) -> frozenset[Cell]:
    cells = {lattice.kinds[0].residue}
    while len(cells) < n_cells:
        cells.add(rng.choice(lattice.neighbours(rng.choice(sorted(cells)))))
    return frozenset(cells)


@pytest.mark.parametrize("lattice", [SQUARE, CUBE, TRIANGLE, HEXAGON], ids=str)
def test_nothing_that_has_solutions_is_forbidden(lattice: Lattice) -> None:
    n_forbidden = n_solved = 0
    for seed in range(120):
        rng = random.Random(seed)
        pieces = tuple(
            Piece(str(k), grown(rng, lattice, rng.randint(1, 4)), times, times)
            for k in range(rng.randint(1, 3))
            for times in [rng.randint(1, 2)]
        )
        board = grown(rng, lattice, sum(len(piece.cells) * piece.low for piece in pieces))
        packing = Packing(lattice, board, pieces)
        total = rk.count(rk.Puzzle("random", packing, "random"), up_to="none").total
        n_solved += total > 0
        if parity_forbids(packing) is not None:
            n_forbidden += 1
            assert total == 0
    assert n_solved > 3
    assert (n_forbidden > 0) == (lattice != HEXAGON)


def test_nothing_is_said_where_copies_or_cells_are_open() -> None:
    domino = frozenset({(0, 0), (0, 1)})
    board = frozenset({(0, 0), (0, 1), (0, 2), (0, 3), (1, 0), (2, 0)})
    for packing in (
        Packing(SQUARE, board, (Piece("D", domino, 0, None),)),
        Packing(SQUARE, board, (Piece("D", domino, 3, 3),), filled=False),
        Packing(SQUARE, board, (Piece("D", domino, 2, 2),), optional=frozenset({(0, 3), (2, 0)})),
    ):
        assert parity_forbids(packing) is None
