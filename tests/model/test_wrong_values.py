"""Whatever Python callers give in place of what is wanted, they get a refusal in one line."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import rekkyo as rk
from rekkyo.errors import BadInput
from rekkyo.model.exact_cover import MAX_COLOR, MAX_TIMES
from rekkyo.model.lattices import SQUARE
from rekkyo.model.picture import Places
from rekkyo.model.puzzle import FurtherSymmetry, Motion, Published, Relation
from tests.wrong_values import HUGE, JUNK, WRONG, assert_taken_or_refused, nested

CELLS = frozenset({(0, 0), (0, 1)})
BAR = rk.Piece("D", CELLS)

GENERATORS = "the generators are a tuple of permutations such as (1, 0, 2)"

WHOLE: dict[Callable[..., object], dict[str, Any]] = {
    rk.Queens: {"n": 4, "blocked": frozenset({(0, 0)}), "given": frozenset({(0, 1)}), "toroidal": False},
    rk.ExactCover: {
        "primary": ("a", "b"),
        "secondary": ("s",),
        "options": (((0, 0), (2, 1)), ((1, 0),)),
        "bounds": ((1, 1), (0, 2)),
        "exchanges": (),
        "color_names": ("red",),
    },
    rk.Coloring: {
        "n_cells": 4,
        "n_colors": 2,
        "sets": ((0, 1),),
        "patterns": (((0, 1), (2, 0)),),
        "bounds": ((1, 3), (1, 3)),
        "fixed": ((3, 1),),
        "grid": (2, 2),
    },
    rk.Packing: {
        "lattice": SQUARE,
        "board": CELLS,
        "pieces": (BAR,),
        "reflections": True,
        "filled": True,
        "crossing": True,
        "stride": 1,
        "given": frozenset({("D", CELLS)}),
    },
    rk.Piece: {"name": "D", "cells": CELLS, "low": 1, "high": 2},
    rk.SumFigure: {
        "cells": ("a", "b"),
        "numbers": (1, 2, 3),
        "lines": (rk.Line((0, 1)),),
        "orders": ((0, 1),),
        "given": frozenset({(0, 2)}),
    },
    rk.Line: {"cells": (0, 1), "sum": 3},
    rk.Puzzle: {
        "name": "mine",
        "model": rk.Queens(1),
        "title": "Mine",
        "generators": ((0,),),
        "symbols": "12",
        "published": Published(1, 1, "me"),
        "further": (FurtherSymmetry("more", "", ((0,),)),),
        "motions": (Motion("half turn", True, (0,)),),
        "relations": (Relation("alike", "", ((0,),)),),
        "picture": Places(((0, 0),)),
    },
    FurtherSymmetry: {"word": "more", "meaning": "more of them", "generators": ((0,),)},
    Motion: {"name": "half turn", "turns": True, "permutation": (1, 0)},
    Relation: {"word": "alike", "meaning": "alike ones", "generators": ((0,),), "keeps_solutions": True},
    rk.queens: {"n": 4, "blocked": [(0, 0)], "given": [(0, 1)], "toroidal": False},
    rk.hip: {"width": 2, "height": 3, "colors": 2, "any_balance": False},
    rk.packing: {
        "board": "##",
        "pieces": "AA",
        "lattice": "square",
        "times": {"A": 1},
        "reflections": True,
        "filled": True,
        "name": "mine",
    },
    rk.sum_figure: {
        "lines": "a b",
        "numbers": [1, 2],
        "given": {"a": 1},
        "symmetry": [],
        "name": "mine",
    },
    rk.puzzle: {"words": "queens 4"},
}
"""What each takes, so that one value at a time can be made a wrong one."""


@pytest.mark.parametrize(
    ("make", "name"), [(make, name) for make, values in WHOLE.items() for name in values]
)
def test_only_refusals_come_out_of_constructors(make: Callable[..., object], name: str) -> None:
    for value in WRONG:
        for wrong in (value, *nested(value)):
            assert_taken_or_refused(make, WHOLE[make] | {name: wrong})


@given(data=st.data(), make=st.sampled_from(list(WHOLE)))
def test_only_refusals_come_out_for_junk(data: st.DataObject, make: Callable[..., object]) -> None:
    names = data.draw(st.lists(st.sampled_from(list(WHOLE[make])), min_size=1, unique=True))
    assert_taken_or_refused(make, WHOLE[make] | {name: data.draw(JUNK) for name in names})


@pytest.mark.parametrize("make", list(WHOLE))
def test_what_is_wanted_is_taken(make: Callable[..., object]) -> None:
    assert make(**WHOLE[make]) is not None


@pytest.mark.usefixtures("few_digits")
@pytest.mark.parametrize(
    ("make", "change", "complaint"),
    [
        (
            rk.ExactCover,
            {"options": ((("a", 0),),)},
            "exact cover: options are a tuple of options, each a tuple of pairs (item, colour) of whole"
            " numbers, not 'a'",
        ),
        (
            rk.ExactCover,
            {"options": (((0, 0), (2, MAX_COLOR + 1)),)},
            f"exact cover: a colour in option 0 is a whole number from 0 to {MAX_COLOR}, not {MAX_COLOR + 1}",
        ),
        (
            rk.ExactCover,
            {"options": (((0, 0), (2, -1)),)},
            f"exact cover: a colour in option 0 is a whole number from 0 to {MAX_COLOR}, not -1",
        ),
        (
            rk.ExactCover,
            {"options": (((0, 0),), ((1, 0), (9, 0)))},
            "exact cover: option 1 uses items from 0 to 2, not 9",
        ),
        (
            rk.ExactCover,
            {"options": (((0, 0),), ((1, 0), (-1, 0)))},
            "exact cover: option 1 uses items from 0 to 2, not -1",
        ),
        (
            rk.ExactCover,
            {"options": (((0, 0),), ((1, 1),))},
            'exact cover: option 1 gives primary item "b" a colour; only secondary items have colours',
        ),
        (
            rk.ExactCover,
            {"options": (((0, 0),), ((1, 0), (1, 0)))},
            'exact cover: option 1 uses item "b" twice',
        ),
        (
            rk.ExactCover,
            {"options": (((0, 0),), ((2, 1),))},
            "exact cover: option 1 uses no primary item; give it one",
        ),
        (
            rk.ExactCover,
            {"options": (((0, 0),), ())},
            "exact cover: option 1 uses no primary item; give it one",
        ),
        (
            rk.ExactCover,
            {"bounds": ((1, 1), (0, MAX_TIMES + 1))},
            'exact cover: the bounds of item "b" need 0 <= low <= high and high from 1 to 999999999,'
            " not (0, 1000000000)",
        ),
        (
            rk.Coloring,
            {"patterns": [1]},
            "coloring: patterns are a tuple of patterns, each a tuple of pairs (cell, colour) of whole"
            " numbers, not [1]",
        ),
        (rk.Queens, {"n": HUGE}, "queens: the board size is a whole number from 1 to 64, not a number that"),
        (
            rk.queens,
            {"blocked": 5},
            "queens: blocked squares are pairs of whole numbers, such as [(0, 3)], not 5",
        ),
        (
            rk.queens,
            {"given": [{3, 1}]},  # a set has no first item
            "queens: given squares are pairs of whole numbers, such as [(0, 3)], not [{1, 3}]",
        ),
        (rk.hip, {"width": "6"}, "hip: a side of the board is a whole number from 1 to 40, not '6'"),
        (rk.packing, {"board": 1}, "packing: board is a text, not 1"),
        (
            rk.packing,
            {"times": [1]},
            'packing: times is a dictionary such as {"A": 2, "B": (0, None)}, not [1]',
        ),
        (rk.Piece, {"cells": {(0, 0)}}, 'packing: the cells of piece "D" are a frozenset of tuples of whole'),
        (
            rk.sum_figure,
            {"lines": ["a b"]},
            "sum figure: lines is a text such as 'a b c, c d e', not ['a b']",
        ),
        (
            rk.sum_figure,
            {"given": {"a": "x"}},
            "sum figure: given is a dictionary of cells and whole numbers, such as {'a': 5}, not 'x'",
        ),
        (rk.Puzzle, {"relations": (1,)}, "a puzzle: relations is a tuple of Relation, not 1"),
        (rk.Puzzle, {"motions": 5}, "a puzzle: motions is a tuple of Motion, not 5"),
        (FurtherSymmetry, {"word": 3}, "a further symmetry: the word is a text, not 3"),
        (Relation, {"meaning": 3}, "a relation: the meaning is a text, not 3"),
        (Relation, {"generators": 5}, f"a relation: {GENERATORS}, not 5"),
        (Relation, {"generators": (([0, 1],),)}, f"a relation: {GENERATORS}, not (([0, 1],),)"),
        (FurtherSymmetry, {"generators": (({},),)}, f"a further symmetry: {GENERATORS}, not (({{}},),)"),
        (rk.Puzzle, {"generators": [[[0, 1]]]}, f"a puzzle: {GENERATORS}, not [[[0, 1]]]"),
        (rk.Puzzle, {"generators": (([0, 1],),)}, f"a puzzle: {GENERATORS}, not (([0, 1],),)"),
        (
            Motion,
            {"permutation": ([0, 1],)},
            "a motion: the permutation is a tuple such as (1, 0, 2), not ([0, 1],)",
        ),
        (rk.Puzzle, {"published": 5}, "a puzzle: published is a Published, not 5"),
        (rk.Puzzle, {"picture": 5}, "a puzzle: the picture is one of rekkyo.model.picture, not 5"),
        (rk.puzzle, {"words": 8}, 'a puzzle is named by a text such as "queens 8", not 8'),
        (rk.puzzle, {"words": ["queens", 8]}, 'a puzzle is named by a text such as "queens 8", not 8'),
    ],
)
def test_refusals_say_what_is_wanted(
    make: Callable[..., object], change: dict[str, Any], complaint: str
) -> None:
    with pytest.raises(BadInput) as refusal:
        make(**(WHOLE[make] | change))
    assert str(refusal.value).startswith(complaint)


ODD: dict[str, tuple[object, ...]] = {
    "up_to": (None, ["symmetry"], 5, HUGE, "x" * 100_000),
    "engine": (5, "two\nlines", "x" * 100_000),
    "workers": (0, 1.5, "2", HUGE, np.zeros((2, 2), int)),
    "limit": (-1, 1.5, "2", -HUGE),
}


@pytest.mark.parametrize("setting", ODD)
def test_settings_of_a_search(setting: str) -> None:
    for value in ODD[setting]:
        settings: Any = {setting: value}
        with pytest.raises(BadInput) as refusal:
            rk.count(rk.queens(4), **settings)
        assert "\n" not in str(refusal.value)
        assert len(str(refusal.value)) < 600
