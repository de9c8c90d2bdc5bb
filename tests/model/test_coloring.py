"""The model of colourings: what is refused, in one line, before anything large is made; and the checker."""

from __future__ import annotations

from itertools import product
from typing import Any

import pytest
from hypothesis import given

from rekkyo.errors import BadModel
from rekkyo.model.coloring import Coloring, nogoods
from rekkyo.model.row import Layout, RowShape
from rekkyo.verify import violations
from tests import naive_coloring as naive


@pytest.mark.parametrize(
    ("fields", "complaint"),
    [
        ({"n_colors": 0}, "the number of colours is a whole number from 2 to 8, not 0"),
        ({"n_colors": 9}, "the number of colours is a whole number from 2 to 8, not 9"),
        ({"n_cells": 0}, "the number of cells is a whole number from 1 to 4096, not 0"),
        ({"n_cells": 10**9}, "the number of cells is a whole number from 1 to 4096, not 1000000000"),
        ({"n_cells": True}, "the number of cells is a whole number from 1 to 4096, not True"),
        (
            {"sets": ((0, 1), (2,))},
            "set 1 has 1 cell, so no colouring could avoid it; a set has two or more",
        ),
        ({"sets": ((),)}, "set 0 has 0 cells, so no colouring could avoid it; a set has two or more"),
        ({"sets": ((0, 1, 0),)}, "set 0 names cell 0 twice; name it once"),
        ({"sets": ((0, 4),)}, "set 0 names cells from 0 to 3, not 4"),
        ({"sets": ((0, -1),)}, "set 0 names cells from 0 to 3, not -1"),
        ({"sets": ((0, "1"),)}, "sets are a tuple of tuples of whole numbers, not '1'"),
        ({"patterns": ((),)}, "pattern 0 is empty, so every colouring would have it"),
        ({"patterns": (((0, 2),),)}, "pattern 0 gives cell 0 a colour from 0 to 1, not 2"),
        ({"patterns": (((0, 1), (0, 0)),)}, "pattern 0 names cell 0 twice; name it once"),
        ({"fixed": ((5, 1),)}, "the pattern of fixed cells names cells from 0 to 3, not 5"),
        ({"bounds": ((2, 2),)}, "1 bounds for 2 colours; give one for each, or none"),
        ({"bounds": ((3, 2), (0, 4))}, "the bounds of colour 0 need 0 <= low <= high, not (3, 2)"),
        ({"bounds": ((3, 3), (2, 2))}, "the counts of the colours add up to 5, but there are 4 cells"),
        ({"bounds": ((0, 1), (0, 2))}, "the counts of the colours add up to 0 to 3, but there are 4 cells"),
        (
            {"bounds": ((0, 1), (0, 4)), "fixed": ((0, 0), (1, 0))},
            "colour 0 is fixed in 2 cells, but has at most 1",
        ),
        ({"grid": (3, 3)}, "the grid (rows, columns) has 4 cells, not (3, 3)"),
    ],
)
def test_refusals_name_the_culprit(fields: dict[str, Any], complaint: str) -> None:
    with pytest.raises(BadModel) as refusal:
        Coloring(**({"n_cells": 4, "n_colors": 2} | fields))
    assert str(refusal.value) == f"coloring: {complaint}"


def test_a_million_sets_are_refused() -> None:
    sets = ((0, 1),) * 1_000_000
    with pytest.raises(BadModel) as refusal:
        Coloring(2, 2, sets)
    assert str(refusal.value) == "coloring: 1000000 sets are more than the 262144 that rekkyo takes on"
    with pytest.raises(BadModel, match="3000000 cells in sets are more than the 2097152"):
        Coloring(4000, 2, (tuple(range(3000)),) * 1000)


def test_rows_are_by_position() -> None:
    assert Coloring(6, 3).row_shape == RowShape(6, 3, Layout.BY_POSITION)


def test_a_set_is_one_pattern_in_every_colour() -> None:
    model = Coloring(3, 2, sets=((0, 2),), patterns=(((1, 0), (2, 1)),))
    assert nogoods(model) == [((0, 0), (2, 0)), ((0, 1), (2, 1)), ((1, 0), (2, 1))]


@given(model=naive.models())
def test_the_checker_accepts_exactly_the_solutions(model: Coloring) -> None:
    rows = product(range(model.n_colors), repeat=model.n_cells)
    assert [row for row in rows if not violations(model, row)] == naive.solutions(model)


def test_the_checker_says_what_is_wrong() -> None:
    model = Coloring(
        3, 2, sets=((0, 2),), patterns=(((1, 0), (2, 1)),), bounds=((1, 2), (1, 2)), fixed=((0, 0),)
    )
    assert violations(model, (1, 0, 1)) == [
        "cells 0, 2 all have colour 1",
        "the forbidden pattern 1=0, 2=1 appears",
        "cell 0 does not have its fixed colour 0",
    ]
    assert violations(model, (0, 0, 0))[1:] == [
        "colour 0 is in 3 cells, not in 1 to 2",
        "colour 1 is in 0 cells, not in 1 to 2",
    ]
