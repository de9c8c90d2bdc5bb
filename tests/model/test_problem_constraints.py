"""Every constraint that `Problem` can state agrees with its meaning in plain Python."""

from __future__ import annotations

from collections.abc import Callable
from itertools import product
from typing import Any

import numpy as np
import pytest

import rekkyo as rk
from rekkyo.errors import BadInput
from rekkyo.model.csp.constraints import CONSTRAINTS

VALUES = (0, 1, 2)
N = 4

Add = Callable[[rk.Problem, tuple[int, ...]], None]
Meaning = Callable[[int, int, int, int], bool]

CASES: dict[str, tuple[Add, Meaning]] = {
    "element": (lambda p, v: p.element(v[0], v[1:], v[3]), lambda a, b, c, d: (b, c, d)[a] == d),
    "element of two": (
        lambda p, v: p.element(v[0], v[1:3], v[3]),
        lambda a, b, c, d: a < 2 and (b, c)[a] == d,
    ),
    "element from 1": (
        lambda p, v: p.element(v[0], v[1:3], v[3], first=1),
        lambda a, b, c, d: a >= 1 and (b, c)[a - 1] == d,
    ),
    "inverse": (
        lambda p, v: p.inverse(v[:2], v[2:]),
        lambda a, b, c, d: max(a, b, c, d) < 2 and (c, d)[a] == 0 and (c, d)[b] == 1,
    ),
    "inverse of another length": (lambda p, v: p.inverse(v[:1], v[1:3]), lambda a, b, c, d: False),
    "inverse of a lesser length": (lambda p, v: p.inverse(v[:3], v[3:]), lambda a, b, c, d: False),
    "lex_less": (lambda p, v: p.lex_less(v[:2], v[2:]), lambda a, b, c, d: (a, b) < (c, d)),
    "lex_less or equal": (
        lambda p, v: p.lex_less(v[:2], v[2:], strict=False),
        lambda a, b, c, d: (a, b) <= (c, d),
    ),
    "diagram": (
        lambda p, v: p.diagram(v[:2], [[(0, 0, 0), (0, 1, 1)], [(0, 2, 0), (1, 0, 0), (1, 1, 0)]]),
        lambda a, b, c, d: (a, b) in {(0, 2), (1, 0), (1, 1)},
    ),
    "clause": (
        lambda p, v: p.clause([(v[0], 1, True), (v[1], 2, False)]),
        lambda a, b, c, d: a == 1 or b != 2,
    ),
    "reified clause": (
        lambda p, v: p.clause([(v[0], 1, True), (v[1], 2, True)], truth=v[3]),
        lambda a, b, c, d: d == int(a == 1 or b == 2),
    ),
    "reified linear": (
        lambda p, v: p.linear((1, 2), v[:2], ">", 3, truth=v[3]),
        lambda a, b, c, d: d == int(a + 2 * b > 3),
    ),
    "reified sum": (
        lambda p, v: p.sum(v[:3], "!=", 3, truth=v[3]),
        lambda a, b, c, d: d == int(a + b + c != 3),
    ),
    "reified table": (
        lambda p, v: p.table(v[:2], [(0, 1), (2, 2)], truth=v[3]),
        lambda a, b, c, d: d == int((a, b) in {(0, 1), (2, 2)}),
    ),
    "reified all_different": (
        lambda p, v: p.all_different(v[:3], excepted=(0,), truth=v[3]),
        lambda a, b, c, d: d == int(all(x == 0 or (a, b, c).count(x) == 1 for x in (a, b, c))),
    ),
    "table": (lambda p, v: p.table(v[:2], [(0, 1)]), lambda a, b, c, d: (a, b) == (0, 1)),
    "linear": (lambda p, v: p.linear((1, -1), v[:2], "<", 1), lambda a, b, c, d: a - b < 1),
    "all_different": (lambda p, v: p.all_different(v[1:]), lambda a, b, c, d: len({b, c, d}) == 3),
    "product": (lambda p, v: p.product(v[:2], v[2]), lambda a, b, c, d: a * b == c),
    "count": (lambda p, v: p.count(v[:3], (1, 2), v[3]), lambda a, b, c, d: (a > 0) + (b > 0) + (c > 0) == d),
    "global_cardinality": (
        lambda p, v: p.global_cardinality(v, [(1, 2, 3)]),
        lambda a, b, c, d: 2 <= (a, b, c, d).count(1) <= 3,
    ),
    "regular": (
        lambda p, v: p.regular(v, 2, [(0, 0, 0), (0, 1, 1), (1, 2, 0)], (0,)),
        lambda a, b, c, d: "".join(map(str, (a, b, c, d))).replace("12", "").strip("0") == "",
    ),
    "circuit": (
        lambda p, v: p.circuit(v[:3]),
        lambda a, b, c, d: (a, b, c) in {(1, 2, 0), (2, 0, 1)},
    ),
    "connected": (
        lambda p, v: p.connected(v[:3], [(0, 1), (1, 2)], (1,)),
        lambda a, b, c, d: not (a == c == 1 and b != 1),
    ),
    "forest": (
        lambda p, v: p.acyclic(v[:3], [(0, 1, 7, 8), (1, 2, 8, 9), (2, 2, 9, 7), (2, 1, 8, 7)]),
        lambda a, b, c, d: not (a == 1 and (c == 1 or b == c == 2)),
    ),
    "no way back": (
        lambda p, v: p.acyclic(
            v[:3], [(0, 1, 7, 8), (1, 2, 8, 9), (2, 2, 9, 7), (2, 1, 7, 8)], directed=True
        ),
        lambda a, b, c, d: not (a == 1 and b == c == 2),
    ),
    "areas": (
        lambda p, v: p.areas(v[:2], [(0, 1)], [(2, 2, 2)]),
        lambda a, b, c, d: (a == 2) == (b == 2),
    ),
}


@pytest.mark.parametrize("name", CASES)
def test_what_a_method_states(name: str) -> None:
    add, meaning = CASES[name]
    problem = rk.Problem()
    add(problem, problem.variables("abcd", VALUES))
    puzzle = problem.puzzle()
    expected = [row for row in product(VALUES, repeat=N) if meaning(*row)]
    assert rk.count(puzzle, up_to="none").total == len(expected)
    assert sorted(tuple(map(int, row)) for row in rk.solve(puzzle, up_to="none")) == expected
    assert [row for row in product(VALUES, repeat=N) if not rk.verify(puzzle, row)] == expected


def test_every_constraint_has_a_method() -> None:
    stated: set[type] = set()
    for add, _ in CASES.values():
        problem = rk.Problem()
        add(problem, problem.variables("abcd", VALUES))
        stated.update(map(type, problem.model().constraints))
    assert stated == set(CONSTRAINTS)


@pytest.mark.parametrize("subcircuit", ["no", None, 10**30])
def test_a_subcircuit_is_true_or_false(subcircuit: Any) -> None:
    problem = rk.Problem()
    nodes = problem.variables("abc", range(3))
    with pytest.raises(BadInput, match="subcircuit is True or False"):
        problem.circuit(nodes, subcircuit=subcircuit)


def test_counted_values_are_those_that_a_domain_can_have() -> None:
    problem = rk.Problem()
    cells = problem.variables("abc", range(3))
    with pytest.raises(BadInput, match="count: a value is a whole number from -1000000000 to 1000000000"):
        problem.count(cells, (2**63,), cells[0])


def test_a_title_agrees_with_its_numbers() -> None:
    problem = rk.Problem()
    one = problem.variables("a", range(3))
    problem.all_different(one)
    assert problem.puzzle().title == "1 variable, 1 constraint"
    assert rk.Problem.puzzle(problem, "x", "own").title == "own"


def test_a_product_has_a_factor() -> None:
    """A product of nothing ended in a traceback of the search."""
    problem = rk.Problem()
    (one,) = problem.variables("a", range(3))
    with pytest.raises(BadInput, match="product: it names 1 variable; it needs at least 2"):
        problem.product([], one)


array: Any = np.array
whole: Any = np.int64

LISTS_AND_ARRAYS: dict[str, tuple[Add, Add]] = {
    "pairs": (
        lambda p, v: p.connected(v, array([[0, 1], [1, 2]]), array([1])),
        lambda p, v: p.connected(v, ((0, 1), (1, 2)), (1,)),
    ),
    "bounds": (
        lambda p, v: p.global_cardinality(v, [[1, 2, whole(3)]]),
        lambda p, v: p.global_cardinality(v, ((1, 2, 3),)),
    ),
    "rows": (
        lambda p, v: p.table(v[:2], zip(np.arange(3), np.arange(3), strict=True)),
        lambda p, v: p.table(v[:2], ((0, 0), (1, 1), (2, 2))),
    ),
    "an automaton": (
        lambda p, v: p.regular(v, whole(2), array([(0, 0, 1), (1, 1, 0)]), array([0])),
        lambda p, v: p.regular(v, 2, ((0, 0, 1), (1, 1, 0)), (0,)),
    ),
    "layers": (
        lambda p, v: p.diagram(v[:1], array([[(0, 0, 0), (0, 1, 0)]])),
        lambda p, v: p.diagram(v[:1], (((0, 0, 0), (0, 1, 0)),)),
    ),
    "a first index": (
        lambda p, v: p.circuit(v, whole(1)),
        lambda p, v: p.circuit(v, 1),
    ),
}


@pytest.mark.parametrize("what", LISTS_AND_ARRAYS)
def test_lists_and_arrays_of_numpy_are_taken(what: str) -> None:
    stated = []
    for add in LISTS_AND_ARRAYS[what]:
        problem = rk.Problem()
        add(problem, problem.variables("abcd", VALUES))
        stated.append(problem.model(grid=(whole(2), 2)))
    assert stated[0] == stated[1]
    assert repr(stated[0]) == repr(stated[1])
