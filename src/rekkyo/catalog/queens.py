"""Catalog: queens on a board, with blocked squares, given queens, or on a torus.

Symmetry: the eight rotations and reflections of the square, on a torus also all shifts, as far as they keep
the blocked squares and the given queens in place.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Set
from functools import lru_cache, partial, reduce
from itertools import product
from typing import TypeAlias

from rekkyo.catalog.entry import Entry, Option, Parameter, published, read_pair
from rekkyo.catalog.motions import turns_and_mirrors
from rekkyo.model.checks import refuse
from rekkyo.model.puzzle import SHIFT, Motion, Puzzle, Relation
from rekkyo.model.queens import MAX_N, Queens, Square
from rekkyo.model.row import AtomPermutation, whole_number
from rekkyo.wording import several, with_article

Move: TypeAlias = Callable[[Square], Square]
"""A symmetry of the board: the image of each square."""


def queens(
    n: int, *, blocked: Iterable[Square] = (), given: Iterable[Square] = (), toroidal: bool = False
) -> Puzzle:
    """n queens, none attacking another.

    blocked: squares (row, column) that stay empty. given: squares that hold a queen. Both count from 0 at the
    top left. toroidal: the board's edges are joined. Raises BadModel.
    """
    return puzzle_of(
        Queens(whole_number(n), _squares("blocked", blocked), _squares("given", given), toroidal)
    )


@lru_cache(maxsize=8)
def puzzle_of(model: Queens) -> Puzzle:
    """The puzzle of a model. Cached: for a short count its symmetry takes longer than the search."""
    known = published("queens", "queens toroidal" if model.toroidal else "queens", str(model.n))
    moves = _motions(model)
    return Puzzle(
        _name(model),
        model,
        _title(model),
        _generators(model, moves),
        published=None if model.blocked or model.given else known,
        motions=tuple(Motion(name, turns, _atoms(move, model.n)) for name, turns, move in moves),
        relations=() if model.toroidal else _relations(model.n),
    )


def _relations(n: int) -> tuple[Relation, ...]:
    """Symmetries of the torus. Factors are the primes with an inverse; all others are products of them."""
    moves: list[Move] = [_quarter_turn(n), _mirror(n), _shift(n, 1, 0), _shift(n, 0, 1)]
    primes = [f for f in range(2, n) if n % f and all(f % k for k in range(2, f))]
    shifted = tuple(_atoms(move, n) for move in moves)
    stretched = tuple(_atoms(partial(_stretch, n, factor), n) for factor in primes)
    meaning = "turned, mirrored, shifted round the edges of the board; images need not be solutions"
    also = f"as torus, and both coordinates times a number prime to {n}"
    return (
        Relation("torus", meaning, shifted, keeps_solutions=False),
        Relation("torus-similar", also, (*shifted, *stretched), keeps_solutions=False),
    )


def _squares(kind: str, squares: Iterable[Square]) -> frozenset[Square]:
    """Pairs, lists and arrays of two whole numbers become squares; the model refuses everything else."""
    try:
        return frozenset(
            tuple(map(whole_number, square))
            if hasattr(square, "__len__") and not isinstance(square, str | Set | Mapping)
            else square
            for square in squares
        )
    except TypeError:
        refuse(f"queens: {kind} squares are pairs of whole numbers, such as [(0, 3)]", squares)


def _name(model: Queens) -> str:
    parts = [f"queens {model.n}"]
    parts += [f"--blocked {row},{column}" for row, column in sorted(model.blocked)]
    parts += [f"--given {row},{column}" for row, column in sorted(model.given)]
    parts += ["--toroidal"] if model.toroidal else []
    return " ".join(parts)


def _title(model: Queens) -> str:
    board = f"{model.n}x{model.n} " + ("torus" if model.toroidal else "board")
    details = [
        f"{len(squares)} {kind}"
        for kind, squares in (("blocked", model.blocked), ("given", model.given))
        if squares
    ]
    return f"{several(model.n, 'queen')} on {with_article(board)}" + (
        f" ({', '.join(details)})" if details else ""
    )


NamedMove: TypeAlias = tuple[str, bool, Move]
"""Name, whether it keeps orientation, and the move."""


def _generators(model: Queens, moves: list[NamedMove]) -> tuple[AtomPermutation, ...]:
    if not model.blocked and not model.given:
        turns = (move for move in moves if move[0] in ("quarter turn", SHIFT))
        moves = [*turns, ("", False, _mirror(model.n))]
    return tuple(_atoms(move, model.n) for _, _, move in moves)


def _motions(model: Queens) -> list[NamedMove]:
    """The moves that keep the model; on a bare torus the shifts by a row and a column generate all shifts."""
    n = model.n
    turn, mirror = _quarter_turn(n), _mirror(n)
    moves = list(turns_and_mirrors(_shift(n, 0, 0), turn, mirror, lambda b, a: partial(_follow, [a, b]), 4))
    if not model.toroidal:
        return [move for move in moves if _keeps(move[2], model)]
    if not model.blocked and not model.given:
        return [*moves, (SHIFT, True, _shift(n, 1, 0)), (SHIFT, True, _shift(n, 0, 1))]
    named = [(SHIFT, True, _shift(n, 0, 0)), *moves]
    return [
        (name, turns, shifted)
        for (name, turns, move), down, across in product(named, range(n), range(n))
        if (name, down, across) != (SHIFT, 0, 0)
        and _keeps(shifted := partial(_follow, [move, _shift(n, down, across)]), model)
    ]


def _follow(steps: list[Move], square: Square) -> Square:
    return reduce(lambda at, step: step(at), steps, square)


def _quarter_turn(n: int) -> Move:
    return lambda square: (square[1], n - 1 - square[0])


def _mirror(n: int) -> Move:
    return lambda square: (square[0], n - 1 - square[1])


def _shift(n: int, down: int, across: int) -> Move:
    return lambda square: ((square[0] + down) % n, (square[1] + across) % n)


def _stretch(n: int, factor: int, square: Square) -> Square:
    return square[0] * factor % n, square[1] * factor % n


def _keeps(move: Move, model: Queens) -> bool:
    return all(move(square) in squares for squares in (model.blocked, model.given) for square in squares)


def _atoms(move: Move, n: int) -> AtomPermutation:
    images = (move((row, column)) for row in range(n) for column in range(n))
    return tuple(row * n + column for row, column in images)


_read_square = partial(read_pair, what="queens: a square")

ENTRY = Entry(
    name="queens",
    summary="n queens on an n x n board, none attacking another",
    source="OEIS A000170, A002562; toroidal A007705",
    parameters=(Parameter("N", "the size of the board", 1, MAX_N),),
    options=(
        Option("--blocked", "no queen may stand on this square; repeatable", "ROW,COLUMN", _read_square),
        Option("--given", "a queen stands on this square; repeatable", "ROW,COLUMN", _read_square),
        Option("--toroidal", "join opposite edges, so that the diagonals go on"),
    ),
    build=queens,
)
