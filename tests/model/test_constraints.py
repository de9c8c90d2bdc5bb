"""Constraints refuse what they give no meaning to, in one line that says what is wanted; and take all else."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest

from rekkyo.errors import BadModel
from rekkyo.model.csp import constraints as c
from rekkyo.model.csp.constraints import LARGEST

Make = Callable[..., object]

KINDS: dict[Make, dict[str, Any]] = {
    c.Table: {"variables": (0, 1), "rows": ((0, 1),), "allowed": True},
    c.AllDifferent: {"variables": (0, 1), "excepted": (0,)},
    c.Linear: {"coefficients": (1, 1), "variables": (0, 1), "relation": "=", "constant": 3},
    c.Count: {"variables": (0, 1), "values": (1,), "times": 2},
    c.GlobalCardinality: {"variables": (0, 1), "bounds": ((1, 0, 2),)},
    c.Regular: {"variables": (0, 1), "n_states": 2, "transitions": ((0, 1, 1),), "accepting": (1,)},
    c.Diagram: {"variables": (0, 1), "edges": (((0, 1, 0),), ((0, 1, 0),))},
    c.Element: {"index": 0, "array": (1, 2), "result": 2, "first": 0},
    c.Inverse: {"f": (0, 1), "g": (2, 3), "first": 0},
    c.LexLess: {"lesser": (0, 1), "greater": (2, 3), "strict": True},
    c.Product: {"factors": (0, 1), "result": 2},
    c.Circuit: {"successors": (0, 1), "first": 0, "subcircuit": False},
    c.Connected: {"variables": (0, 1), "edges": ((0, 1),), "values": (1,)},
    c.Areas: {"variables": (0, 1), "edges": ((0, 1),), "sizes": ((1, 1, 2),)},
    c.Acyclic: {"variables": (0, 1), "links": ((0, 1, 5, 6),), "directed": False},
    c.Clause: {"literals": ((0, 1, True),)},
    c.Reified: {"constraint": c.Clause(()), "truth": 0},
}

TAKEN: list[tuple[Make, dict[str, Any]]] = [
    (c.Linear, {"coefficients": (), "variables": ()}),
    (c.Linear, {"coefficients": (-LARGEST, LARGEST), "constant": -(LARGEST**2)}),
    (c.Linear, {"constant": LARGEST**2}),
    (c.Count, {"values": (-LARGEST, LARGEST)}),
    (c.AllDifferent, {"excepted": (-LARGEST, LARGEST)}),
    (c.GlobalCardinality, {"bounds": ((1, 2, 2),)}),
    (c.GlobalCardinality, {"bounds": ((-LARGEST, -LARGEST - 1, 1 << 80),)}),
    (c.Regular, {"n_states": 1, "transitions": (), "accepting": ()}),
    (c.Regular, {"n_states": 1 << 20}),
    (c.Element, {"array": (1,), "first": -LARGEST}),
    (c.Inverse, {"f": (0,), "g": (), "first": LARGEST}),
    (c.Circuit, {"successors": (0,), "first": LARGEST}),
    (c.Connected, {"values": (-LARGEST, LARGEST)}),
    (c.Areas, {"sizes": ((-LARGEST, 0, LARGEST),)}),
    (c.Acyclic, {"links": ()}),
    (c.Acyclic, {"links": ((1, -LARGEST, LARGEST, 0), (0, 1, 2, 2)), "directed": True}),
    (c.Clause, {"literals": ()}),
    (c.Clause, {"literals": ((0, LARGEST, True), (0, -LARGEST, False))}),
]

REFUSED: list[tuple[Make, dict[str, Any], str]] = [
    (c.Table, {"rows": ((0, 1), (0,))}, "table: each row is a tuple of 2 whole numbers, not (0,)"),
    (c.Table, {"rows": ((0, "1"),)}, "table: each row is a tuple of 2 whole numbers, not '1'"),
    (c.AllDifferent, {"excepted": (0.5,)}, "all_different: excepted is a tuple of whole numbers, not 0.5"),
    (c.AllDifferent, {"excepted": (0, LARGEST + 1)}, "all_different: an excepted value is a whole number"),
    (c.Linear, {"coefficients": [1, 1]}, "linear: the coefficients are a tuple of whole numbers, one for"),
    (c.Linear, {"coefficients": (1,)}, "linear: the coefficients are a tuple of whole numbers, one for"),
    (c.Linear, {"coefficients": (1, True)}, "linear: the coefficients are a tuple of whole numbers, one for"),
    (c.Linear, {"coefficients": (1, LARGEST + 1)}, "linear: a coefficient is a whole number"),
    (c.Linear, {"coefficients": (1, -LARGEST - 1)}, "linear: a coefficient is a whole number"),
    (c.Linear, {"relation": "<"}, 'linear: the relation is one of "=", "!=" and "<=", not \'<\''),
    (c.Linear, {"constant": LARGEST**2 + 1}, "linear: the constant is a whole number"),
    (c.Linear, {"constant": -(LARGEST**2) - 1}, "linear: the constant is a whole number"),
    (c.Count, {"values": [1]}, "count: values are a tuple of whole numbers, not [1]"),
    (c.Count, {"values": (LARGEST + 1,)}, "count: a value is a whole number"),
    (c.GlobalCardinality, {"bounds": ((1, 2),)}, "global_cardinality: bounds are a tuple of"),
    (c.GlobalCardinality, {"bounds": ((1, 3, 2),)}, "global_cardinality: value 1 needs low <= high"),
    (c.GlobalCardinality, {"bounds": ((-LARGEST - 1, 0, 2),)}, "global_cardinality: a value is a whole"),
    (c.Regular, {"n_states": 0}, "regular: the number of states is a whole number from 1"),
    (c.Regular, {"n_states": (1 << 20) + 1}, "regular: the number of states is a whole number from 1"),
    (c.Regular, {"transitions": ((0, 1),)}, "regular: transitions are a tuple of (state, value, next state)"),
    (c.Regular, {"transitions": ((2, 1, 0),)}, "regular: states are numbered from 0 to 1, not 2"),
    (c.Regular, {"transitions": ((0, 1, 2),)}, "regular: states are numbered from 0 to 1, not 2"),
    (c.Regular, {"transitions": ((0, 1, -1),)}, "regular: states are numbered from 0 to 1, not -1"),
    (c.Regular, {"accepting": (2,)}, "regular: states are numbered from 0 to 1, not 2"),
    (c.Regular, {"accepting": ("1",)}, "regular: accepting is a tuple of states, not '1'"),
    (c.Diagram, {"edges": (((0, 1, 0),),)}, "diagram: edges are a tuple of (node, value,"),
    (c.Diagram, {"edges": (((0, 1),), ())}, "diagram: edges are a tuple of (node, value,"),
    (c.Element, {"array": ()}, "element: it names 2 variables; it needs at least 3"),
    (c.Element, {"first": -LARGEST - 1}, "element: the first index is a whole number"),
    (c.Inverse, {"first": LARGEST + 1}, "inverse: the first index is a whole number"),
    (c.LexLess, {"greater": (2,)}, "lex_less: words of 2 and 1 variables; they need equally many"),
    (c.LexLess, {"strict": 1}, "lex_less: strict is True or False, not 1"),
    (c.Product, {"factors": ()}, "product: it names 1 variable; it needs at least 2"),
    (c.Circuit, {"first": "1"}, "circuit: the first node is a whole number"),
    (c.Circuit, {"subcircuit": 0}, "circuit: subcircuit is True or False, not 0"),
    (c.Connected, {"values": (-LARGEST - 1,)}, "connected: a value is a whole number"),
    (c.Connected, {"edges": ((0, 2),)}, "connected: an edge joins positions from 0 to 1, not 2"),
    (c.Connected, {"edges": ((-1, 0),)}, "connected: an edge joins positions from 0 to 1, not -1"),
    (c.Connected, {"edges": ((0, 1, 1),)}, "connected: edges are a tuple of pairs of positions"),
    (c.Areas, {"edges": ((0, 2),)}, "areas: an edge joins positions from 0 to 1, not 2"),
    (c.Areas, {"sizes": ((1, 2, 1),)}, "areas: value 1 needs low <= high, not (2, 1)"),
    (c.Areas, {"sizes": ((1, 0, LARGEST + 1),)}, "areas: a value or a number of cells is a"),
    (c.Acyclic, {"links": ((0, 1, 2),)}, "acyclic: links are a tuple of (position, value, vertex, vertex)"),
    (c.Acyclic, {"links": ((2, 1, 0, 1),)}, "acyclic: a link has a position from 0 to 1, not 2"),
    (c.Acyclic, {"links": ((0, 1, 0, LARGEST + 1),)}, "acyclic: a value or a vertex is a whole number from"),
    (c.Acyclic, {"directed": 1}, "acyclic: directed is True or False, not 1"),
    (c.Clause, {"literals": [(0, 1, True)]}, "clause: literals are a tuple of (variable, value,"),
    (c.Clause, {"literals": ((0, 1, 1),)}, "clause: literals are a tuple of (variable, value,"),
    (c.Clause, {"literals": ((0, 1),)}, "clause: literals are a tuple of (variable, value,"),
    (c.Clause, {"literals": ((0, LARGEST + 1, False),)}, "clause: a value is a whole number from"),
    (c.Reified, {"constraint": c.Product((0,), 1)}, "reified: the constraint is one of Linear, Table,"),
    (c.Reified, {"truth": "t"}, "reified: variables are a tuple of their numbers, not 't'"),
]


def shown(case: object) -> str | None:
    return case.__name__ if isinstance(case, type) else None


def test_every_kind_is_asked() -> None:
    assert set(KINDS) == set(c.CONSTRAINTS)


@pytest.mark.parametrize("make", KINDS, ids=shown)
def test_the_variables_of_a_constraint_are_numbers(make: Make) -> None:
    """In a tuple; a constraint of the least number of variables is taken."""
    assert make(**KINDS[make])
    for name in set(c.NAMING) & set(KINDS[make]):
        one = type(KINDS[make][name]) is int
        for wrong in ("a", True, None, 1.5) if one else ((0, "a"), (0, True), (0, (1,)), [0, 1], 5, None):
            with pytest.raises(BadModel, match="variables are a tuple of their numbers"):
                make(**(KINDS[make] | {name: wrong}))


@pytest.mark.parametrize(("make", "change"), TAKEN, ids=shown)
def test_what_is_taken(make: Make, change: dict[str, Any]) -> None:
    assert make(**(KINDS[make] | change))


@pytest.mark.parametrize(("make", "change", "complaint"), REFUSED, ids=shown)
def test_what_is_refused(make: Make, change: dict[str, Any], complaint: str) -> None:
    with pytest.raises(BadModel) as refusal:
        make(**(KINDS[make] | change))
    assert str(refusal.value).startswith(complaint)
