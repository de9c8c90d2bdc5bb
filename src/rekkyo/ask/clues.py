"""Clues: atoms in one solution only, in all or in none, and the smallest sets that only one solution has.

A clue is an atom of a solution (`rekkyo.model.row`): a piece in its place, a number in its cell. All
solutions are listed. To find sets of two and three clues, the sets of every solution are encoded as numbers
and sorted: a set that appears once belongs to one solution.
"""

from __future__ import annotations

from dataclasses import dataclass
from itertools import combinations
from math import comb

import numpy as np
from numpy.typing import NDArray

from rekkyo.ask.solve import solve_blocks
from rekkyo.engines.contract import Rows, joined
from rekkyo.errors import BadInput
from rekkyo.model.exact_cover import ExactCover
from rekkyo.model.lower import lower
from rekkyo.model.puzzle import Puzzle, check_puzzle
from rekkyo.model.row import Atom, Layout, RowShape, checked_whole
from rekkyo.wording import several

LARGEST_SET = 3
MOST_SETS = 1 << 25
"""The most sets that are sorted: some 300 MB."""


@dataclass(frozen=True, slots=True)
class Clues:
    """Clues that would make a puzzle unique, or change nothing.

    in_one: atoms that only one solution has, so that giving one makes the puzzle unique. in_all, in_none:
    atoms that every solution has, or no solution. size: of the smallest sets of atoms that make it
    unique; None if there are none of at most `looked_at` atoms. smallest: the first of these sets.
    n_smallest: their number.
    """

    puzzle: str
    total: int
    in_one: tuple[Atom, ...]
    in_all: tuple[Atom, ...]
    in_none: tuple[Atom, ...]
    size: int | None
    smallest: tuple[tuple[Atom, ...], ...]
    n_smallest: int
    looked_at: int


def clues(
    puzzle: Puzzle, *, most_solutions: int = 100_000, most_shown: int = 100, workers: int | None = None
) -> Clues:
    """The clues of a puzzle, and all smallest sets of up to three of them that make it unique.

    most_shown: the most sets that are listed. Raises BadInput for a puzzle with more than `most_solutions`.
    """
    check_puzzle(puzzle)
    most_solutions = checked_whole("the most solutions are a whole number from 1", most_solutions, 1)
    most_shown = checked_whole("the most sets to list are a whole number from 0", most_shown, 0)
    shape = puzzle.model.row_shape
    atoms = _atoms_of_all(puzzle, shape, most_solutions, workers)
    total = len(atoms)
    times = np.bincount(atoms[atoms < shape.n_atoms], minlength=shape.n_atoms)
    model = lower(puzzle.model)
    is_empty = isinstance(model, ExactCover) and not model.options  # its rows have one value, and no atom
    size, sets, looked_at = _smallest(atoms, times, shape.n_atoms) if total else (None, [], 0)
    return Clues(
        puzzle=puzzle.name,
        total=total,
        in_one=_numbers(times == 1) if total > 1 else (),
        in_all=_numbers(times == total) if total else (),
        in_none=() if is_empty else _numbers(times == 0),
        size=size,
        smallest=tuple(sets[:most_shown]),
        n_smallest=len(sets),
        looked_at=looked_at,
    )


def _numbers(wanted: NDArray[np.bool_]) -> tuple[Atom, ...]:
    return tuple(map(int, np.flatnonzero(wanted)))


def _atoms_of_all(puzzle: Puzzle, shape: RowShape, most: int, workers: int | None) -> NDArray[np.int64]:
    """The atoms of each solution, increasing; n_atoms where a row has fewer. Shape [n_solutions, length]."""
    blocks: list[Rows] = []
    n_rows = 0
    for block in solve_blocks(puzzle, limit=most + 1, workers=workers):
        blocks.append(block)
        n_rows += len(block)
    if n_rows > most:
        raise BadInput(
            f"{puzzle.name} has more than {several(most, 'solution')}; give or forbid something first"
        )
    rows: NDArray[np.int64] = joined(shape, blocks).astype(np.int64)
    if shape.layout is Layout.BY_OPTION:
        return rows
    return rows + np.arange(shape.length) * shape.n_values


def _smallest(
    atoms: NDArray[np.int64], times: NDArray[np.int64], n_atoms: int
) -> tuple[int | None, list[tuple[Atom, ...]], int]:
    """Size and elements of the smallest sets that only one solution has, and the largest size tried.

    Atoms that all solutions have are left out, because they distinguish no solutions.
    """
    n_solutions = len(atoms)
    if n_solutions == 1:
        return 0, [()], LARGEST_SET
    is_useful = np.append(times < n_solutions, False)[atoms]
    used = np.flatnonzero(is_useful.any(axis=0))
    for size in range(1, LARGEST_SET + 1):
        if n_solutions * comb(len(used), size) > MOST_SETS or (n_atoms + 1) ** size >= 1 << 62:
            return None, [], size - 1
        codes = []
        for columns in combinations(used, size):
            code = np.zeros(n_solutions, np.int64)
            for column in columns:
                code = code * (n_atoms + 1) + atoms[:, column]
            codes.append(code[is_useful[:, columns].all(axis=1)])
        found, n_times = np.unique(np.concatenate(codes), return_counts=True)
        sets = [_decoded(int(code), size, n_atoms + 1) for code in found[n_times == 1]]
        if sets:
            return size, sets, size
    return None, [], LARGEST_SET


def _decoded(code: int, size: int, base: int) -> tuple[Atom, ...]:
    return tuple(code // base**place % base for place in reversed(range(size)))
