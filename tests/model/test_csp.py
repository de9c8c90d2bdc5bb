"""A `Csp`: what its constructor refuses and takes, and what its rows mean."""

from __future__ import annotations

from typing import Any

import pytest

from rekkyo.errors import BadModel
from rekkyo.model.csp.constraints import LARGEST, Clause, Count, Linear, Reified, Table
from rekkyo.model.csp.csp import MAX_SPAN, Csp, Objective

USUAL: dict[str, Any] = {"names": ("a", "b"), "domains": ((0, 1), (0, 1, 2))}


@pytest.mark.parametrize(
    ("fields", "complaint"),
    [
        ({"names": (), "domains": ()}, "the names are a tuple of texts, none empty, not ()"),
        ({"names": ("a", "")}, "the names are a tuple of texts, none empty, not ('a', '')"),
        ({"names": ("a", 1)}, "the names are a tuple of texts, none empty, not 1"),
        ({"names": ["a", "b"]}, "the names are a tuple of texts, none empty, not ['a', 'b']"),
        ({"names": ("a", "a")}, 'two variables are named "a"'),
        ({"names": ("a", "b", "c")}, "2 domains for 3 variables; give one for each"),
        ({"domains": ((0, 1), ())}, "variable b has no values; give it one at least"),
        ({"domains": ((0, 1), (0, 2, 1))}, "the values of b must increase, but 1 comes after 2"),
        ({"domains": ((0, 1), (0, 2, 2))}, "the values of b must increase, but 2 comes after 2"),
        (
            {"domains": ((0, 1), (LARGEST + 1,))},
            "a value of variable b is a whole number from -1000000000 to 1000000000, not 1000000001",
        ),
        (
            {"domains": ((-LARGEST - 1, 1), (0,))},
            "a value of variable a is a whole number from -1000000000 to 1000000000, not -1000000001",
        ),
        (
            {"domains": ((0, 1), (-1, MAX_SPAN - 1))},
            "the values of b go from -1 to 65535; rekkyo takes on domains that span at most 65536 numbers",
        ),
        ({"solution": (0, 2)}, "the solution names variables from 0 to 1, not 2"),
        ({"solution": (-1,)}, "the solution names variables from 0 to 1, not -1"),
        ({"solution": (0, 0)}, "the solution names a variable twice; name it once"),
        ({"constraints": (Table((0, 2), ()),)}, "Table names variables from 0 to 1, not 2"),
        ({"constraints": (Count((0,), (1,), -1),)}, "Count names variables from 0 to 1, not -1"),
        ({"constraints": (Clause(((2, 0, True),)),)}, "Clause names variables from 0 to 1, not 2"),
        ({"constraints": (Reified(Table((2,), ()), 0),)}, "Reified names variables from 0 to 1, not 2"),
        ({"constraints": (Reified(Table((0,), ()), 2),)}, "Reified names variables from 0 to 1, not 2"),
        ({"constraints": ("a",)}, "a constraint is one of Table, AllDifferent, Linear and so on, not 'a'"),
        ({"objective": Objective(2, True)}, "the objective names variables from 0 to 1, not 2"),
        ({"objective": 1}, "the objective is an Objective, not 1"),
        ({"grid": (2, 2)}, "the grid (rows, columns) has 2 squares, not (2, 2)"),
        ({"grid": (-1, -2)}, "the grid (rows, columns) has 2 squares, not (-1, -2)"),
        ({"grid": (2,)}, "the grid (rows, columns) has 2 squares, not (2,)"),
    ],
)
def test_refusals_name_the_culprit(fields: dict[str, Any], complaint: str) -> None:
    with pytest.raises(BadModel) as refusal:
        Csp(**(USUAL | fields))
    assert str(refusal.value) == f"csp: {complaint}"


@pytest.mark.parametrize(
    "fields",
    [
        {"domains": ((-LARGEST,), (LARGEST,))},
        {"domains": ((0, 1), (0, MAX_SPAN - 1))},
        {"solution": (1,)},
        {"solution": (1,), "grid": (1, 1)},
        {"grid": (2, 1)},
        {"constraints": (Linear((), (), "=", 1),)},
        {"constraints": (Reified(Clause(()), 0), Count((0, 1), (), 1))},
        {"objective": Objective(1, False)},
    ],
)
def test_what_is_taken(fields: dict[str, Any]) -> None:
    assert Csp(**(USUAL | fields))


def test_all_variables_are_the_solution_unless_some_are_named() -> None:
    assert Csp(**USUAL).solution == (0, 1)
    some = Csp(**(USUAL | {"domains": ((5, 7), (0, 1, 2)), "solution": (0,)}))
    assert (some.values, some.row_shape.length, some.row_shape.n_values) == ((5, 7), 1, 2)


@pytest.mark.parametrize(
    ("domain", "meaning"),
    [
        ((0, 1), "its value"),
        ((2, 3, 4), "its value minus 2"),
        ((-3, -2), "its value plus 3"),
        ((1, 3), "which of the values it has, from 0, least first"),
    ],
)
def test_a_row_says_which_values_it_has(domain: tuple[int, ...], meaning: str) -> None:
    model = Csp(("a", "b"), (domain, domain), solution=(1, 0))
    assert model.row_meaning == f"position: variable, in the order b a; value: {meaning}"


def test_the_best_value_becomes_a_constraint() -> None:
    sought = Csp(**USUAL, solution=(0,), objective=Objective(1, True))
    assert (sought.solution_with_objective, sought.with_best_required) == ((0, 1), sought)
    known = Csp(**USUAL, solution=(0,), objective=Objective(1, True, best=2))
    required = Csp(**USUAL, solution=(0,), constraints=(Table((1,), ((2,),)),))
    assert known.with_best_required == required
    assert known.constraints_with_best == required.constraints
