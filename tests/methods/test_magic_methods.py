"""The ladder for magic squares against published counts, brute force, and the counts of its search space.

Published: OEIS A006052 (unique); the split, candidates and space of order 3 from Ding and Liao, who describe
the divide and conquer; those of orders 4 and 5 recomputed for these tests' data.
"""

from __future__ import annotations

import csv
import json
from functools import cache
from itertools import combinations
from pathlib import Path

import pytest

from rekkyo.methods.grid import row_images
from rekkyo.methods.ladder import Method, find_method, run_method
from rekkyo.methods.magic import MAGIC_METHODS, numbered_square
from rekkyo.methods.magic.divide_and_conquer import count_candidates
from rekkyo.methods.magic.forced_cells import steps_of
from rekkyo.methods.magic.line_sets import row_orders, sets_with_sum
from rekkyo.methods.magic.squares import is_magic
from tests import naive_sums
from tests.cli.test_commands import rekkyo
from tests.methods.searched import searched

COUNTS = {1: (1, 1), 2: (0, 0), 3: (8, 1), 4: (7040, 880)}
SPACES = Path(__file__).parent.parent / "data" / "magic_search_space.tsv"


@cache
def squares_of_order_3() -> frozenset[tuple[int, ...]]:
    return frozenset(naive_sums.figure_solutions(9, range(1, 10), naive_sums.square_lines(3)))


@pytest.mark.parametrize("method", MAGIC_METHODS, ids=lambda method: method.name)
@pytest.mark.parametrize("n", [1, 2, 3])
def test_counts_are_the_published_ones(method: Method, n: int) -> None:
    outcome, _ = searched(method, n)
    assert (outcome.total, outcome.unique) == COUNTS[n]


@pytest.mark.long
def test_order_4_by_forced_cells() -> None:
    outcome = run_method(find_method(MAGIC_METHODS, "forced-cells"), 4)
    assert (outcome.total, outcome.unique) == COUNTS[4]


@pytest.mark.parametrize("method", MAGIC_METHODS, ids=lambda method: method.name)
def test_every_square_of_order_3_is_found_once(method: Method) -> None:
    _, weighted = searched(method, 3)
    found = [image for row, weight in weighted for image in (row_images(row) if weight == 8 else [row])]
    assert len(found) == len(set(found))
    assert set(found) == squares_of_order_3()


def test_nodes_are_what_the_methods_say() -> None:
    """Brute force: every beginning of every order. Divide and conquer: rows dealt, then rows in order."""
    beginnings = [1]
    for left in range(9, 0, -1):
        beginnings.append(beginnings[-1] * left)
    assert searched(find_method(MAGIC_METHODS, "brute-force"), 3)[0].nodes == sum(beginnings[1:])
    dealt = sum(
        1 + 2 * sum(sum(second) == 15 for second in combinations(set(range(1, 10)) - set(first), 3))
        for first in combinations(range(1, 10), 3)
        if sum(first) == 15
    )
    arranged = 12 * (6 + 6**2 + 6**3)
    assert searched(find_method(MAGIC_METHODS, "divide-and-conquer"), 3)[0].nodes == dealt + arranged


def published_spaces() -> list[tuple[int, dict[str, int]]]:
    with SPACES.open(encoding="utf-8") as file:
        lines = list(csv.DictReader(file, delimiter="\t"))
    return [
        (int(line["n"]), {name: int(line[name]) for name in ("splits", "candidates", "space")})
        for line in lines
    ]


@pytest.mark.parametrize(("n", "space"), published_spaces())
def test_search_space_of_divide_and_conquer(n: int, space: dict[str, int]) -> None:
    method = find_method(MAGIC_METHODS, "divide-and-conquer")
    assert method.search_space is not None
    assert method.search_space(n) == space


def test_candidates_are_what_the_search_deals() -> None:
    """Order 3 has 12 candidates, which are listed by the definition."""
    numbers = set(range(1, 10))
    n_candidates = sum(
        sum(first) == sum(second) == 15
        for first in combinations(numbers, 3)
        for second in combinations(numbers - set(first), 3)
    )
    assert count_candidates(3) == n_candidates


def test_what_is_not_counted_is_not_made_up() -> None:
    method = find_method(MAGIC_METHODS, "divide-and-conquer")
    assert method.search_space is not None
    assert method.search_space(6)["candidates"] is None
    assert method.search_space(6)["space"] is None


def test_order_4_by_line_sets() -> None:
    outcome = run_method(find_method(MAGIC_METHODS, "line-sets"), 4)
    assert (outcome.total, outcome.unique) == COUNTS[4]


def test_there_are_1394_sets_of_order_5_and_one_choice_gives_four_squares() -> None:
    assert len(sets_with_sum(5)) == 1394
    assert len(list(row_orders([4, 3, 2, 1, 0]))) == 4
    assert len(list(row_orders([3, 2, 1, 0]))) == 4
    assert len(list(row_orders([2, 1, 0]))) == 1


def test_the_first_squares_of_order_5_by_line_sets() -> None:
    """The choices of sets are taken one after the other, with four squares from each. The story names them."""
    found: list[tuple[int, ...]] = []
    outcome = run_method(
        find_method(MAGIC_METHODS, "line-sets"), 5, lambda _, row: found.append(tuple(row)), limit=12
    )
    assert (outcome.total, outcome.unique, outcome.nodes) == (96, None, None)
    assert all(is_magic([value + 1 for value in row], 5) for row in found)
    assert len({min(row_images(row)) for row in found}) == 12
    told = [line.strip().split(" / ") for line in outcome.story if " / " in line]
    squares = [tuple(int(word) - 1 for word in " ".join(rows).split()) for rows in told]
    assert squares == found[:4]
    assert "condition 1: the diagonals have in common the number 11, which is the centre" in outcome.story
    method = find_method(MAGIC_METHODS, "line-sets")
    assert method.search_space is not None
    assert method.search_space(5) == {"sets": 1394}


@pytest.mark.parametrize("n", [3, 4])
def test_the_construction_of_small_squares_gives_them_back(n: int) -> None:
    found: list[tuple[int, ...]] = []
    outcome = run_method(find_method(MAGIC_METHODS, "line-sets"), n, lambda _, row: found.append(tuple(row)))
    told = [line.strip().replace(" / ", " ").split() for line in outcome.story if " / " in line]
    squares = [tuple(int(word) - 1 for word in words) for words in told]
    assert len(squares) == {3: 1, 4: 4}[n]
    assert squares == found[: len(squares)]
    assert ("no number" in " ".join(outcome.story)) == (n == 4)


@pytest.mark.parametrize("method", MAGIC_METHODS, ids=lambda method: method.name)
def test_a_limit_stops_every_method(method: Method) -> None:
    shown: list[int] = []
    outcome = run_method(method, 3, lambda number, _: shown.append(number), limit=1)
    assert shown == [1]
    assert (outcome.unique, outcome.nodes) == (None, None)
    assert run_method(method, 1, limit=9).unique == 1


def test_a_limit_on_the_command_line() -> None:
    done = rekkyo("methods", "magic-square", "5", "--limit", "4", "--method", "line-sets")
    assert done.stdout.splitlines()[2].split()[:3] == ["5:", "32", "-"]
    done = rekkyo("methods", "queens", "5", "--limit", "0", ok=False)
    assert "methods: --limit must be at least 1, not 0" in done.stderr


@pytest.mark.parametrize("n", [1, 2, 3, 4, 5, 8])
def test_forced_cells_fills_every_cell_once_and_every_line_is_completed_once(n: int) -> None:
    steps = steps_of(n)
    assert sorted(step.cell for step in steps) == list(range(n * n))
    completed = sorted(sorted({step.cell, *others}) for step in steps for others in step.completed)
    assert completed == sorted(sorted(line) for line, _ in naive_sums.square_lines(n))


def test_half_of_the_cells_of_order_4_are_forced() -> None:
    assert sum(not step.completed for step in steps_of(4)) == 8


def test_eight_images_are_the_rotations_and_reflections() -> None:
    row = (0, 1, 2, 3)
    assert sorted(row_images(row)) == sorted(
        [
            (0, 1, 2, 3),
            (2, 0, 3, 1),
            (3, 2, 1, 0),
            (1, 3, 0, 2),
            (1, 0, 3, 2),
            (0, 2, 1, 3),
            (2, 3, 0, 1),
            (3, 1, 2, 0),
        ]
    )


def test_the_picture_is_the_square() -> None:
    assert numbered_square(3, (1, 6, 5, 8, 4, 0, 3, 2, 7), False) == "3\n2 7 6\n9 5 1\n4 3 8\n"


class TestCommandLine:
    def test_counts_of_the_space_follow_the_table(self) -> None:
        words = "methods magic-square 3 --method divide-and-conquer --form recursive"
        lines = rekkyo(*words.split()).stdout.splitlines()
        assert lines[0] == "Divide and conquer (recursive)"
        assert lines[2].split() == ["3:", "8", "1", "0:00:00", "3128"]
        assert lines[3] == " 3: splits 1680, candidates 12, space 2592"

    def test_sizes_that_do_not_run_still_have_a_space(self) -> None:
        done = rekkyo("methods", "magic-square", "5", "--json")
        found = json.loads(done.stdout)
        assert found["outcomes"] == []
        spaces = {space["method"]: space for space in found["search_spaces"]}
        assert spaces["brute-force"]["space"] == 15511210043330985984000000
        assert spaces["divide-and-conquer"]["space"] == 9691500773376000000
        assert spaces["line-sets"] == {"method": "line-sets", "n": 5, "sets": 1394}

    def test_sizes_are_bounded(self) -> None:
        done = rekkyo("methods", "magic-square", "17", ok=False)
        assert done.returncode == 2
        assert "sizes are a whole number or a range such as 4..10, from 1 to 16" in done.stderr
