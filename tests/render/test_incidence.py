"""Drawings of designs: the incidence matrix has the properties of the design, and the blocks of the row."""

from __future__ import annotations

import re
from itertools import combinations

import pytest

import rekkyo as rk
from rekkyo.render.svg import incidence as drawing
from rekkyo.render.svg.markup import CELL


def columns_of(text: str) -> list[list[int]]:
    """The points of each column, from 1, read off the filled squares."""
    found = re.search(r'<path class="rk-ink" d="([^"]+)"', text)
    assert found is not None
    places = [tuple(map(float, place)) for place in re.findall(r"M([\d.]+) ([\d.]+)h", found[1])]
    columns: list[list[int]] = [[] for _ in range(1 + int(max(x for x, _ in places) // CELL))]
    for x, y in sorted(places):
        columns[int(x // CELL)].append(1 + int(y // CELL))
    return columns


@pytest.mark.parametrize(
    ("words", "n_blocks", "size", "times"),
    [
        ("steiner-triples 9", 12, 3, 1),
        ("block-designs 2 6 3 2", 10, 3, 2),
        ("block-designs 2 7 3 2 --repeated", 14, 3, 2),
        ("block-designs 2 3 3 2 --repeated", 2, 3, 2),
    ],
)
def test_every_pair_of_points_is_in_as_many_columns(words: str, n_blocks: int, size: int, times: int) -> None:
    puzzle = rk.puzzle(words)
    row = next(rk.solve(puzzle))
    columns = columns_of(rk.svg(puzzle, row))
    assert (len(columns), {*map(len, columns)}) == (n_blocks, {size})
    n_points = max(map(max, columns))
    for pair in combinations(range(1, n_points + 1), 2):
        assert sum(set(pair) <= set(column) for column in columns) == times
    if "--repeated" not in words:
        assert columns == [[*map(int, line.split())] for line in rk.board(puzzle, row).split("\n")]


def test_a_sheet_has_a_matrix_for_each_solution() -> None:
    puzzle = rk.puzzle("steiner-triples 7")
    assert rk.sheet(puzzle, rk.solve(puzzle)).count('class="rk-ink" d=') == 30


def test_without_blocks_or_with_too_many_items_are_shown(monkeypatch: pytest.MonkeyPatch) -> None:
    puzzle = rk.puzzle("steiner-triples 7")
    assert 'class="rk-ink" d=' not in rk.svg(puzzle, (35,) * 7)
    monkeypatch.setattr(drawing, "MAX_BLOCKS", 6)
    assert 'class="rk-ink" d=' not in rk.svg(puzzle, next(rk.solve(puzzle)))
