"""The hash of a model: the same in every process, and another one for every other model."""

from __future__ import annotations

import os
import random
import subprocess
import sys
from dataclasses import replace
from typing import Any

import pytest

import rekkyo as rk
from rekkyo.model.coloring import Coloring
from rekkyo.model.csp.constraints import Areas, Connected
from rekkyo.model.csp.csp import Csp
from rekkyo.model.exact_cover import ExactCover
from rekkyo.model.packing import Packing
from rekkyo.model.puzzle import Puzzle
from rekkyo.model.queens import Queens
from rekkyo.store.model_hash import model_hash

SQUARE = rk.puzzle("magic-square 3")

COVER = ExactCover(
    ("a", "b"), ("x", "y"), (((0, 0), (2, 1)), ((1, 0), (2, 1)), ((0, 0), (1, 0))), ((1, 1), (1, 2))
)
COLORING = Coloring(4, 2, sets=((0, 1),), patterns=(((1, 0), (2, 1)),))


def hash_of(model: Any) -> str:
    return model_hash(Puzzle("p", model, "p"))


@pytest.mark.parametrize(
    "changes",
    [
        {"generators": SQUARE.generators[:1]},
        {"generators": ()},
        {"further": SQUARE.further[:1]},
        {"further": ()},
        {"further": (replace(SQUARE.further[0], word="other"), *SQUARE.further[1:])},
        {"further": (replace(SQUARE.further[0], generators=()), *SQUARE.further[1:])},
    ],
)
def test_another_symmetry_has_another_hash(changes: dict[str, Any]) -> None:
    assert model_hash(replace(SQUARE, **changes)) != model_hash(SQUARE)


@pytest.mark.parametrize(
    "options",
    [
        (((0, 0), (2, 2)), ((1, 0), (2, 1)), ((0, 0), (1, 0))),
        (((0, 0), (2, 0)), ((1, 0), (2, 1)), ((0, 0), (1, 0))),
        (((0, 0), (3, 1)), ((1, 0), (2, 1)), ((0, 0), (1, 0))),
        (((0, 0), (2, 1)), ((1, 0), (2, 1), (0, 0)), ((1, 0),)),
        (((0, 0),), ((1, 0), (2, 1)), ((0, 0), (1, 0))),
        COVER.options[::-1],
        COVER.options[:2],
    ],
)
def test_other_options_have_another_hash(options: Any) -> None:
    assert hash_of(replace(COVER, options=options)) != hash_of(COVER)


@pytest.mark.parametrize(
    "changes",
    [
        {"n_colors": 3},
        {"sets": ((0, 2),)},
        {"patterns": (((1, 0), (2, 0)),)},
        {"bounds": ((0, 4), (1, 4))},
        {"fixed": ((3, 1),)},
        {"grid": (2, 2)},
    ],
)
def test_another_part_has_another_hash(changes: dict[str, Any]) -> None:
    assert hash_of(replace(COLORING, **changes)) != hash_of(COLORING)


def test_names_that_change_no_solution_change_no_hash() -> None:
    assert hash_of(replace(COLORING, names=("a", "b", "c", "d"))) == hash_of(COLORING)
    assert hash_of(replace(COVER, color_names=("red",))) == hash_of(COVER)


def test_a_puzzle_without_symmetry_is_another_one_than_one_of_unknown_symmetry() -> None:
    unknown = Puzzle("p", COLORING, "p")
    assert model_hash(replace(unknown, symmetry_was_searched=True)) != model_hash(unknown)


def test_constraints_of_two_kinds_with_equal_fields_have_two_hashes() -> None:
    fields = (0, 1), ((0, 1),), ()
    models = [Csp(("a", "b"), ((0, 1),) * 2, (kind(*fields),)) for kind in (Connected, Areas)]
    assert hash_of(models[0]) != hash_of(models[1])


def test_a_packing_has_the_hash_of_its_cover() -> None:
    puzzle = rk.puzzle("dominoes 2 3")
    assert isinstance(puzzle.model, Packing)
    assert model_hash(replace(puzzle, model=puzzle.model.cover())) == model_hash(puzzle)


def test_sets_are_equal_in_every_order() -> None:
    squares = [(row, column) for row in range(12) for column in range(12)]
    orders, hashes = set(), set()
    for seed in range(20):
        random.Random(seed).shuffle(squares)
        blocked = frozenset(squares[:])
        orders.add(tuple(blocked))
        hashes.add(hash_of(Queens(12, blocked=blocked)))
    assert len(orders) > 1
    assert len(hashes) == 1


def test_every_process_finds_the_same_hashes() -> None:
    """A packing is searched as a cover, whose items and options are made from sets of texts."""
    program = """
import rekkyo as rk
from rekkyo.store.model_hash import model_hash
for words in ("pentominoes 6 10", "soma", "magic-square 3 --given 1@0,1", "langford 4", "ramsey 3 3 5"):
    print(model_hash(rk.puzzle(words)))
"""
    found = {
        subprocess.run(
            [sys.executable, "-c", program],
            env=os.environ | {"PYTHONHASHSEED": seed},
            capture_output=True,
            text=True,
            check=True,
        ).stdout
        for seed in ("1", "2", "3")
    }
    assert len(found) == 1
    assert len({*found.pop().split()}) == 5
