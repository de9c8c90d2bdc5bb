"""Puzzles from files, and puzzles to text: Knuth's format for exact covers (`xcc`), and DIMACS (`cnf`)."""

from __future__ import annotations

from pathlib import Path

from rekkyo.errors import BadInput
from rekkyo.export.formulas import cnf_of, dimacs
from rekkyo.export.xcc import read_xcc_file, write_xcc
from rekkyo.model.exact_cover import ExactCover
from rekkyo.model.lower import lower
from rekkyo.model.puzzle import Puzzle


def puzzle_from_file(path: Path) -> Puzzle:
    """The exact cover in a file, without any symmetry. Raises BadInput."""
    model = read_xcc_file(path)
    n_items = len(model.primary) + len(model.secondary)
    return Puzzle(str(path), model, f"An exact cover of {n_items} items with {len(model.options)} options")


def write_puzzle(puzzle: Puzzle) -> str:
    """The exact cover that is searched for a puzzle. Raises BadInput for puzzles of another kind."""
    model = lower(puzzle.model)
    if not isinstance(model, ExactCover):
        raise BadInput(f"{puzzle.name} is not searched as an exact cover, so it has no XCC text")
    return write_xcc(model)


def write_dimacs(puzzle: Puzzle) -> str:
    """The formula whose models are the solutions of a puzzle. Raises BadInput for puzzles that have none."""
    return dimacs(cnf_of(puzzle.model), puzzle.name)
